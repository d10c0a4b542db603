"""The facts that a goal states, each with the words of the goal that state it.

Rules and the model make the same values (this package); callers correct them. What could not be verified against
the goal is kept apart, and so is what no fact covers.
"""

from datetime import date
from typing import Literal

from pydantic import Field

from planloom.core.frozen import Frozen
from planloom.core.wording import amount_text


class Spanned(Frozen):
    """A piece of the prompt: ``prompt[start:end] == text``; ``by`` caller: a correction, whose span is empty."""

    text: str
    start: int = Field(ge=0)
    end: int = Field(ge=0)
    by: Literal["goal", "caller"] = "goal"

    @property
    def source(self) -> str:
        """Where it comes from, as a claim's source names it: ``prompt:12-40``, or ``caller``."""
        return "caller" if self.by == "caller" else f"prompt:{self.start}-{self.end}"


class Money(Spanned):
    """An amount, or a range of amounts, in one currency.

    ``role`` says what the prompt uses it for: ``total`` (the budget of the whole), ``cap`` (a limit on a part),
    ``part`` (a share of the total for one thing), ``funding`` (where money comes from), ``revenue`` (income
    expected), ``price`` (what a unit costs or sells for), ``salary`` (pay per person and period), ``recurring`` (a cost
    that comes again each period), ``loss`` (what is lost or owed today), ``other``. ``who`` gives or pays it, on which
    ``condition``, ``per`` what it counts (``month``, ``ticket``): all three in the words of the goal, or empty.
    """

    low: float = Field(ge=0)
    high: float = Field(ge=0)
    currency: str = Field(pattern=r"^[A-Z]{3}$", description="ISO 4217")
    role: Literal["total", "cap", "part", "funding", "revenue", "price", "salary", "recurring", "loss", "other"]
    noun: str = Field(default="", max_length=80, description="What it is for: rent, reserve, per ticket; may be empty")
    assumed: bool = Field(default=False, description="The currency was inferred, $ read as USD for example")
    who: str = Field(default="", max_length=120)
    condition: str = Field(default="", max_length=240)
    per: str = Field(default="", max_length=60)


class Day(Spanned):
    """A date, or a period where the prompt names a month, quarter, season or year.

    ``earliest`` and ``latest`` bound the reading (May 2027: 1 and 31 May). ``ambiguous`` where two readings exist,
    as with 03/04/2027; ``earliest`` and ``latest`` then are the two readings.
    """

    earliest: date
    latest: date
    role: Literal["start", "deadline", "milestone", "other"]
    label: str = Field(default="", max_length=120, description="What happens then, in the prompt's words")
    ambiguous: bool = False


class Duration(Spanned):
    """A length of time; ``role`` is ``total`` where it is the time frame of the whole."""

    low: float = Field(gt=0)
    high: float = Field(gt=0)
    unit: Literal["hours", "days", "weeks", "months", "years"]
    role: Literal["total", "part", "other"]
    label: str = Field(default="", max_length=120, description="What takes that long, in the prompt's words")

    @property
    def calendar_days(self) -> float:
        """The longer bound in calendar days (a month is 30.44, a year 365.25)."""
        per = {"hours": 1 / 24, "days": 1.0, "weeks": 7.0, "months": 30.44, "years": 365.25}
        return self.high * per[self.unit]


class Place(Spanned):
    """Somewhere on a map: most specific first in ``Facts.places``."""

    name: str
    kind: Literal["site", "city", "region", "country"]
    country: str | None = Field(default=None, pattern=r"^[A-Z]{2}$", description="ISO 3166-1 alpha-2")
    region: str | None = Field(
        default=None, pattern=r"^[A-Z0-9]{1,3}$", description="ISO 3166-2 without the country: SCT of GB-SCT"
    )


class Organisation(Spanned):
    """A named body: company, authority, university, charity; ``decides``: what the goal says it decides."""

    name: str
    decides: str = Field(default="", max_length=240)


class Quantity(Spanned):
    """A count or measure that is neither money nor time: 60 beds, 12 km, 30 %, at least 400 households.

    ``noun`` carries its qualifiers (``members who will be trained``): two quantities are of the same thing only where
    the whole phrase is the same. ``role``: ``baseline`` is measured today, ``target`` is aimed at, ``size`` is that of
    what is made, ``present`` is there and stays.
    """

    low: float
    high: float
    unit: str = Field(default="", max_length=30, description="km, %, m2, MW; empty for a plain count")
    noun: str = Field(default="", max_length=120, description="What is counted: beds, households")
    role: Literal["size", "target", "baseline", "present", "other"] = "other"
    bound: Literal["exactly", "at_least", "at_most", "about"] = "exactly"


class Demand(Spanned):
    """A sentence or clause by which the prompt binds the plan: must, has to, no more than, should, at least."""

    strength: Literal["must", "should"]
    subject: str = Field(default="", max_length=120, description="What it is about, a few of the prompt's words")


class Ban(Spanned):
    """What the prompt rules out: a word that must not be printed, or an approach that must not be taken."""

    kind: Literal["word", "approach"]
    what: str = Field(max_length=160, description="The banned word, or the approach as a noun phrase")


class Closure(Spanned):
    """When work is not possible or only then possible: months, weekdays or a period, from the prompt.

    ``forbidden`` True: no work then; False: work only then. ``outdoor`` True: it binds outdoor work alone.
    ``months`` are 1-12, ``weekdays`` 0-6 (Monday 0), ``first``/``last`` a dated period; at least one is set.
    """

    forbidden: bool = True
    outdoor: bool = False
    months: tuple[int, ...] = ()
    weekdays: tuple[int, ...] = ()
    first: date | None = None
    last: date | None = None


class Role(Spanned):
    """People whom the prompt names by function: the head baker, two nurses, a steering group of five.

    ``part``: they do the work, decide on it, or are those for whom it is done.
    """

    title: str
    count: int = Field(default=1, ge=1)
    part: Literal["works", "decides", "served", "other"] = "works"


class Criterion(Spanned):
    """A measure of success that the goal sets; each field in the words of the goal, empty where it says nothing."""

    measure: str = Field(max_length=160)
    baseline: str = Field(default="", max_length=80)
    target: str = Field(default="", max_length=80)
    by_when: str = Field(default="", max_length=80)


class Meeting(Spanned):
    """A body that meets again and again: ``rhythm`` in the words of the goal (``first Tuesday of the month``)."""

    who: str = Field(max_length=120)
    rhythm: str = Field(max_length=120)


class Fixed(Spanned):
    """What is decided already and not open to the plan: a signed lease, a chosen site."""

    what: str = Field(max_length=200)


class Contradiction(Frozen):
    """Two passages of the goal that cannot both hold."""

    what: str = Field(max_length=240)
    quotes: tuple[Spanned, ...]


class OpenPoint(Frozen):
    """What the goal leaves open and the plan needs: a question to ask first, with the words that it arises from."""

    question: str = Field(max_length=240)
    field: str = Field(default="", max_length=40, description="The field of the facts that an answer would fill")
    quote: Spanned | None = None


class Unverified(Frozen):
    """What a model stated of the goal and no program could verify; nothing is built on it."""

    field: str = Field(max_length=40)
    said: str = Field(max_length=200)
    quote: str = Field(default="", max_length=300)
    reason: str = Field(max_length=240)


class Kind(Frozen):
    """What is undertaken: ``words`` in the goal's own terms, ``table`` the table of its kind, empty where unclear."""

    words: str = Field(default="", max_length=120)
    table: str = Field(default="", max_length=40)
    by: Literal["goal", "caller"] = "goal"


class Facts(Frozen):
    """All that was found in one prompt; every tuple is in order of appearance unless said otherwise.

    An empty field says that nothing was found, never that the goal sets none.
    """

    language: str = Field(default="en", pattern=r"^[a-z]{2}$", description="ISO 639-1, a guess from common words")
    title: str = Field(max_length=90, description="Name of the project in title form: Bakery Café in Lisbon")
    subject: str = Field(max_length=120, description="What is made, a noun phrase: a 60-seat bakery café")
    objective: Spanned = Field(description="The sentence that says what is to be done")
    sentences: tuple[Spanned, ...] = ()
    money: tuple[Money, ...] = ()
    days: tuple[Day, ...] = ()
    durations: tuple[Duration, ...] = ()
    places: tuple[Place, ...] = Field(default=(), description="Most specific and most often named first")
    organisations: tuple[Organisation, ...] = ()
    quantities: tuple[Quantity, ...] = ()
    demands: tuple[Demand, ...] = ()
    bans: tuple[Ban, ...] = ()
    closures: tuple[Closure, ...] = ()
    roles: tuple[Role, ...] = ()
    kind: Kind = Field(default_factory=Kind)
    why: Spanned | None = None
    criteria: tuple[Criterion, ...] = ()
    meetings: tuple[Meeting, ...] = ()
    fixed: tuple[Fixed, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()
    open: tuple[OpenPoint, ...] = ()
    unverified: tuple[Unverified, ...] = ()
    unread: tuple[Spanned, ...] = Field(default=(), description="Numbers, dates and bans that no fact holds")
    read_by: Literal["rules", "model"] = "rules"

    @property
    def home(self) -> tuple[str | None, str | None]:
        """The country of the first place that has one, and the region of the first place that has one there."""
        country = next((place.country for place in self.places if place.country), None)
        regions = (place.region for place in self.places if place.region and place.country == country)
        return country, next(regions, None)


def money_text(money: Money) -> str:
    """Return a stated amount or range as plans print it: ``EUR 2,000,000 to 3,000,000``."""
    low = amount_text(money.low, money.currency)
    return low if money.low == money.high else f"{low} to {money.high:,.0f}"
