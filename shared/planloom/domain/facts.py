"""The facts that a prompt states, each with the span of the prompt that states it."""

from datetime import date
from typing import Literal

from pydantic import Field

from planloom.domain.frozen import Frozen


class Spanned(Frozen):
    """A piece of the prompt: ``prompt[start:end] == text``."""

    text: str
    start: int = Field(ge=0)
    end: int = Field(ge=0)

    @property
    def source(self) -> str:
        """The span as a claim's source names it: ``prompt:12-40``."""
        return f"prompt:{self.start}-{self.end}"


class Money(Spanned):
    """An amount, or a range of amounts, in one currency.

    ``role`` says what the prompt uses it for: ``total`` (the budget of the whole), ``cap`` (a limit on a part),
    ``part`` (a share of the total for one thing), ``funding`` (where money comes from), ``revenue`` (income
    expected), ``price`` (what a unit costs or sells for), ``salary`` (pay per person and period), ``other``.
    """

    low: float = Field(ge=0)
    high: float = Field(ge=0)
    currency: str = Field(pattern=r"^[A-Z]{3}$", description="ISO 4217")
    role: Literal["total", "cap", "part", "funding", "revenue", "price", "salary", "other"]
    noun: str = Field(default="", max_length=80, description="What it is for: rent, reserve, per ticket; may be empty")
    assumed: bool = Field(default=False, description="The currency was inferred, $ read as USD for example")


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


class Organisation(Spanned):
    """A named body: company, authority, university, charity."""

    name: str


class Quantity(Spanned):
    """A count or measure that is neither money nor time: 60 seats, 12 km, 30 %, at least 400 households."""

    low: float
    high: float
    unit: str = Field(default="", max_length=30, description="km, %, m2, MW; empty for a plain count")
    noun: str = Field(default="", max_length=80, description="What is counted: seats, households")
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
    """People whom the prompt names by function: the head baker, two nurses, a steering group of five."""

    title: str
    count: int = Field(default=1, ge=1)


class Facts(Frozen):
    """All that was found in one prompt; every tuple is in order of appearance unless said otherwise."""

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
