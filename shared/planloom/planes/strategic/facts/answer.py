"""What a model answers when it reads a goal: flat lists, each item with the words of the goal that it rests on."""

from typing import Annotated, Literal

from pydantic import Field

from planloom.core.frozen import Answer

#: Of one kind; a goal of 800 words states fewer. With more, full lists would be longer than an answer that is read.
MOST_ITEMS = 40

Quote = Annotated[str, Field(max_length=400, description="Copied character for character from the goal")]
Words = Annotated[str, Field(max_length=160)]
IsoDate = Annotated[str, Field(max_length=10, description="YYYY-MM-DD; empty where none")]


class MoneyItem(Answer):
    """An amount of money."""

    quote: Quote
    role: Literal["total", "cap", "part", "funding", "revenue", "price", "salary", "recurring", "loss", "other"]
    low: float = Field(ge=0, description="In full units: 1.2 million is 1200000")
    high: float = Field(ge=0, description="Equal to low unless the goal gives a range")
    currency: str = Field(max_length=3, description="ISO 4217")
    what: Words = Field(default="", description="What it is for, in the goal's words")
    who: Words = Field(default="", description="Who gives or pays it")
    condition: Words = Field(default="", description="On which condition it is given")
    per: Words = Field(default="", description="What it counts for: month, ticket, head")


class DayItem(Answer):
    """A date or a period with dates."""

    quote: Quote
    role: Literal["start", "deadline", "milestone", "other"]
    earliest: IsoDate
    latest: IsoDate
    binds: Words = Field(default="", description="What happens or must be reached then")


class DurationItem(Answer):
    """A length of time."""

    quote: Quote
    role: Literal["total", "part", "other"]
    low: float = Field(ge=0)
    high: float = Field(ge=0)
    unit: Literal["hours", "days", "weeks", "months", "years"]
    what: Words = ""


class ClosedItem(Answer):
    """When work is impossible, or only then possible."""

    quote: Quote
    forbidden: bool = Field(description="true: no work then; false: work only then")
    outdoor: bool = Field(default=False, description="true: it binds outdoor work alone")
    months: list[int] = Field(default_factory=list, max_length=12, description="1-12")
    weekdays: list[int] = Field(default_factory=list, max_length=7, description="0-6, Monday is 0")
    first: IsoDate = ""
    last: IsoDate = ""


class QuantityItem(Answer):
    """A count or measure that is neither money nor time nor people."""

    quote: Quote
    low: float
    high: float
    unit: Words = Field(default="", description="km, %, m2; empty for a count")
    noun: Words = Field(description="What is counted, with every qualifier: members who will be trained")
    bound: Literal["exactly", "at_least", "at_most", "about"] = "exactly"
    role: Literal["size", "target", "baseline", "present", "other"] = "other"


class PeopleItem(Answer):
    """Persons whom the goal counts or names by function."""

    quote: Quote
    who: Words = Field(description="With every qualifier: members who will be trained")
    count: int = Field(ge=1)
    part: Literal["works", "decides", "served", "other"]


class PartyItem(Answer):
    """An organisation, authority or body."""

    quote: Quote
    name: Words
    decides: Words = Field(default="", description="What the goal says it decides or permits")


class DemandItem(Answer):
    """A sentence by which the goal binds the plan."""

    quote: Quote
    strength: Literal["must", "should"]
    subject: Words = ""


class BanItem(Answer):
    """What the goal rules out."""

    quote: Quote
    kind: Literal["approach", "word"]
    what: Words = Field(description="The approach as a noun phrase, or the banned word itself")


class PlaceItem(Answer):
    """Where the undertaking happens."""

    quote: Quote
    name: Words
    kind: Literal["site", "city", "region", "country"]
    country: str = Field(default="", max_length=2, description="ISO 3166-1 alpha-2; empty where unclear")
    region: str = Field(default="", max_length=3, description="State or part of it by ISO 3166-2: SCT of GB-SCT")


class CriterionItem(Answer):
    """A measure of success."""

    quote: Quote
    measure: Words
    baseline: Words = ""
    target: Words = ""
    by_when: Words = ""


class MeetingItem(Answer):
    """A body that meets again and again."""

    quote: Quote
    who: Words
    rhythm: Words


class FixedItem(Answer):
    """What is decided already."""

    quote: Quote
    what: Words


class ContradictionItem(Answer):
    """Two passages that cannot both hold."""

    what: Words
    quote: Quote
    other_quote: Quote


class OpenItem(Answer):
    """A question that the goal leaves open and a plan needs answered."""

    question: str = Field(max_length=240)
    field: Literal["total", "deadline", "start", "kind", "people", "bans", "places", "other"] = "other"


class Reading(Answer):
    """Everything that a goal states; a list is empty where the goal says nothing of the kind."""

    title: str = Field(max_length=90, description="Name of the project in title form")
    subject: str = Field(max_length=120, description="What is made or done, a noun phrase")
    objective: Quote = Field(description="The sentence that says what is to be done")
    kind: str = Field(max_length=120, description="What kind of undertaking it is, in your own words")
    table: str = Field(max_length=40, description="The listed kind that fits, or none")
    why: Quote = Field(default="", description="The sentence that says why; empty where none does")
    money: list[MoneyItem] = Field(default_factory=list, max_length=MOST_ITEMS)
    days: list[DayItem] = Field(default_factory=list, max_length=MOST_ITEMS)
    durations: list[DurationItem] = Field(default_factory=list, max_length=MOST_ITEMS)
    closed: list[ClosedItem] = Field(default_factory=list, max_length=MOST_ITEMS)
    meetings: list[MeetingItem] = Field(default_factory=list, max_length=MOST_ITEMS)
    quantities: list[QuantityItem] = Field(default_factory=list, max_length=MOST_ITEMS)
    people: list[PeopleItem] = Field(default_factory=list, max_length=MOST_ITEMS)
    parties: list[PartyItem] = Field(default_factory=list, max_length=MOST_ITEMS)
    places: list[PlaceItem] = Field(default_factory=list, max_length=MOST_ITEMS)
    demands: list[DemandItem] = Field(default_factory=list, max_length=MOST_ITEMS)
    bans: list[BanItem] = Field(default_factory=list, max_length=MOST_ITEMS)
    criteria: list[CriterionItem] = Field(default_factory=list, max_length=MOST_ITEMS)
    fixed: list[FixedItem] = Field(default_factory=list, max_length=MOST_ITEMS)
    contradictions: list[ContradictionItem] = Field(default_factory=list, max_length=MOST_ITEMS)
    open: list[OpenItem] = Field(default_factory=list, max_length=10)
