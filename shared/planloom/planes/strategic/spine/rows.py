"""The rows of the spine: one class for each concept, from a model's answer to the tables of the report.

Every row has an ``id``: the letter of its table and a number (``P12``). Rows refer to each other by id. An empty text,
0 or None says that nothing is known. Amounts are in the currency of the frame. Days are ISO dates; durations of
packages are working days (the weekdays that the frame names) or calendar days, lead times of approvals calendar days.
"""

from datetime import date
from typing import Literal

from pydantic import Field

from planloom.core.frozen import Answer

#: Where a value comes from: the words of the goal, a computation, a judgement, or a source that somebody must check.
Basis = Literal["goal", "computed", "assumed", "verify"]

#: The kinds of work that order is checked for: a bid follows its design, a trial its licence, an order its approval.
PackageKind = Literal[
    "decision",
    "research",
    "design",
    "application",
    "tender",
    "contract",
    "order",
    "delivery",
    "build",
    "hiring",
    "training",
    "test",
    "trial",
    "opening",
    "operation",
    "communication",
    "handover",
    "closing",
    "other",
]


#: The days of a week, Monday first.
Weekday = Literal["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]


#: Characters of a field that names another row: an id, or the title that a model wrote instead, which repair resolves.
REFERENCE = 60


class Row(Answer):
    """What all rows have in common."""

    id: str = Field(max_length=12, description="The letter of the table and a number, unique: P12")


class Criterion(Row):
    """S: a measure of success."""

    measure: str = Field(max_length=200)
    baseline: str = Field(default="", max_length=120, description="Its value today, or how it is found out")
    target: str = Field(max_length=120, description="With unit")
    by: date | None = Field(default=None, description="The day by which the target is reached")
    read_how: str = Field(default="", max_length=240, description="Who reads it, from what")


class Constraint(Row):
    """C: what binds the plan, by the goal or by law."""

    text: str = Field(max_length=300)
    basis: Basis = "goal"
    kept_by: list[str] = Field(default_factory=list, max_length=12, description="Ids of what keeps it")


class Demand(Row):
    """N: one demand of the goal, dated or not, and what fulfils it."""

    text: str = Field(max_length=300, description="In the words of the goal")
    due: date | None = Field(default=None, description="The day that the goal sets; None where it sets none")
    not_before: date | None = Field(default=None, description="The day before which nothing that fulfils it may start")
    met_by: list[str] = Field(
        default_factory=list, max_length=20, description="Ids of the packages whose end fulfils it"
    )
    begins: bool = Field(default=False, description="True: their start fulfils it (sampling begins on 1 March)")


class Option(Answer):
    """One way to decide, costed as far as the others."""

    key: str = Field(max_length=2, description="A, B, C")
    title: str = Field(max_length=160)
    cost: float = Field(default=0, description="Of the whole, in the currency of the frame; negative: it saves")
    days: int = Field(default=0, ge=-3650, le=3650, description="Calendar days that the end moves; negative: earlier")
    effect: str = Field(default="", max_length=400, description="On success and risk")
    undo_by: date | None = Field(default=None, description="The last day on which it can be undone at little cost")


class Decision(Row):
    """D: a decision with its options."""

    question: str = Field(max_length=240)
    options: list[Option] = Field(default_factory=list, max_length=5)
    recommended: str = Field(default="", max_length=2, description="Key of an option")
    because: str = Field(default="", max_length=600)
    decided_by: str = Field(default="", max_length=REFERENCE, description="Id of a role or party")
    by: date | None = None
    if_not: str = Field(default="", max_length=300, description="What follows if nobody decides")
    frees: list[str] = Field(default_factory=list, max_length=60, description="Ids of packages that wait for it")

    @property
    def chosen(self) -> Option | None:
        """The recommended option."""
        return next((option for option in self.options if option.key == self.recommended), None)


class Condition(Answer):
    """A condition of a gate: a measure and the value that passes."""

    measure: str = Field(max_length=240)
    value: str = Field(max_length=120)


class Gate(Row):
    """G: a day on which somebody decides whether to go on."""

    title: str = Field(max_length=160)
    day: date | None = None
    conditions: list[Condition] = Field(default_factory=list, max_length=8)
    needs: list[str] = Field(
        default_factory=list, max_length=24, description="Ids of packages and approvals done by then"
    )
    frees: list[str] = Field(
        default_factory=list, max_length=60, description="Ids of packages that start only after it"
    )
    leaving_cost: float = Field(default=0, ge=0, description="What it costs to stop here, beside what is spent")
    decided_by: str = Field(default="", max_length=REFERENCE, description="Id of a role or party")
    if_failed: str = Field(default="", max_length=400)


class Party(Row):
    """B: a body or person outside the team that decides, gives, suffers or takes part."""

    name: str = Field(max_length=160)
    part: str = Field(default="", max_length=300, description="What it decides or wants, and how strong it is")
    meets: str = Field(default="", max_length=160, description="Its rhythm, in words")
    meeting_days: list[date] = Field(default_factory=list, max_length=60, description="Its meetings, in order")
    papers_days: int = Field(default=0, ge=0, le=365, description="Calendar days before a meeting that papers are due")
    told: str = Field(default="", max_length=300, description="What it must hear, from whom")


class Approval(Row):
    """A: a permission, vote or consent that others give."""

    title: str = Field(max_length=200)
    party: str = Field(default="", max_length=REFERENCE, description="Id of the party that gives it")
    low: int = Field(default=0, ge=0, le=3650, description="Calendar days from papers to answer")
    likely: int = Field(default=0, ge=0, le=3650)
    high: int = Field(default=0, ge=0, le=3650)
    papers: list[str] = Field(
        default_factory=list,
        max_length=8,
        description="Ids of packages that make its papers, and of approvals before it",
    )
    meeting: date | None = Field(default=None, description="The meeting that decides; None: no meeting is needed")
    frees: list[str] = Field(default_factory=list, max_length=60, description="Ids of packages that wait for it")
    releases: float = Field(default=0, ge=0, description="Money that it releases; 0: none")
    only_if: str = Field(
        default="", max_length=240, description="What has to be found first; empty: it is needed in any case"
    )
    chance: float = Field(default=0, ge=0, le=1, description="only_if: that it is needed, 0 to 1; 0: not known, a half")
    if_refused: str = Field(default="", max_length=300)
    basis: Basis = "verify"

    @property
    def needed(self) -> float:
        """The chance that it is needed: 1 without ``only_if``, a half where nobody knows."""
        return (self.chance or 0.5) if self.only_if else 1


class Period(Answer):
    """A time in which more or fewer people of a role are there."""

    first: date | None = None
    last: date | None = None
    people: float = Field(default=1, ge=0, le=500, description="Full-time equivalents in this time")


class Role(Row):
    """R: a role of those who do the work."""

    title: str = Field(max_length=120)
    filled_by: str = Field(default="", max_length=200, description="From where: in post, hired, contracted; no names")
    people: float = Field(
        default=1, ge=0, le=500, description="Full-time equivalents, an average of the time it is there; 0: not known"
    )
    heads: int = Field(default=1, ge=1, le=5000, description="Persons who hold it: so many can work on the same day")
    periods: list[Period] = Field(
        default_factory=list, max_length=12, description="Times with other people than that, apart from each other"
    )
    first: date | None = Field(default=None, description="From when; None: from the start")
    last: date | None = Field(default=None, description="Until when; None: to the end")
    day_rate: float = Field(default=0, ge=0, description="Cost of a working day of one person; 0: not paid by the plan")
    second: str = Field(default="", max_length=160, description="Who holds its key files and can stand in")
    work: str = Field(default="", max_length=300, description="What goes wrong without it")

    @property
    def most(self) -> float:
        """The most people that it has at any time; 0: not known."""
        return max((self.people, *(period.people for period in self.periods)))


class Deliverable(Row):
    """V: a result that packages make together."""

    title: str = Field(max_length=160)
    done_when: str = Field(default="", max_length=300)


class Need(Answer):
    """A dependency on another package, or on an approval, a gate or a decision where days pass after it."""

    id: str = Field(max_length=REFERENCE, description="Id of the row that goes before")
    kind: Literal["finish_start", "start_start"] = "finish_start"
    lag: int = Field(default=0, ge=-250, le=1000, description="Working days between; negative: overlap")
    calendar_days: bool = Field(default=False, description="True: the lag counts calendar days (drying, notice)")
    or_day: date | None = Field(
        default=None, description="From this day on it no longer waits: a gate or a day, whichever is first"
    )


class Share(Answer):
    """Work of a second role in a package."""

    role: str = Field(max_length=REFERENCE)
    days: float = Field(ge=0, le=20_000, description="Person-days")


class Package(Row):
    """P: a work package."""

    title: str = Field(max_length=320)
    deliverable: str = Field(default="", max_length=REFERENCE)
    kind: PackageKind = "other"
    owner: str = Field(default="", max_length=REFERENCE, description="Id of the role that answers for it")
    low: float = Field(default=1, ge=0, le=5000, description="Working days, if all goes well (1 in 10)")
    likely: float = Field(default=1, ge=0, le=5000)
    high: float = Field(default=1, ge=0, le=5000, description="Working days, if much goes wrong (9 in 10 are below)")
    effort: float = Field(default=0, ge=0, le=20_000, description="Person-days of its owner; 0: as long as it takes")
    also: list[Share] = Field(default_factory=list, max_length=12)
    needs: list[Need] = Field(default_factory=list, max_length=24)
    not_before: date | None = Field(default=None, description="A season, a delivery window, a fixed session")
    fixed: bool = Field(default=False, description="True: it happens on not_before, whatever else moves")
    outdoor: bool = Field(default=False, description="True: closures of outdoor work bind it")
    every_day: bool = Field(
        default=False, description="True: calendar days count (drying, notice, work that runs through weekends)"
    )
    free_until: date | None = Field(
        default=None, description="An order or contract: the day up to which it can be cancelled at no cost"
    )
    done_when: str = Field(default="", max_length=300, description="How one sees that it is done")
    before: str = Field(default="", max_length=300, description="What its owner does before it can start")
    basis: Basis = "assumed"


#: Kinds of lines that are kept and not paid.
KEPT = ("contingency", "reserve")


class Line(Row):
    """L: a line of cost; its amount is quantity times rate."""

    title: str = Field(max_length=160)
    quantity: float = Field(default=1, ge=0, le=1e9)
    unit: str = Field(default="", max_length=40, description="What the quantity counts: months, m2, pieces")
    rate: float = Field(default=0, ge=0, le=1e12)
    kind: Literal["one_off", "staff", "running", "tax", "contingency", "reserve"] = "one_off"
    package: str = Field(default="", max_length=REFERENCE, description="Id of the package that it pays for")
    other_packages: list[str] = Field(default_factory=list, max_length=20, description="Further ids that it pays for")
    role: str = Field(default="", max_length=REFERENCE, description="staff: id of the role that it pays")
    paid_by: str = Field(
        default="", max_length=REFERENCE, description="Id of the party whose money is tied to such lines; empty: any"
    )
    paid: Literal["start", "end", "even", "on_days"] = Field(
        default="end",
        description="At the start or end of its package (less the parts that days and shares name), evenly over first"
        " to last, or on days",
    )
    days: list[date] = Field(
        default_factory=list, max_length=60, description="on_days: when it is paid; start, end: when parts of it are"
    )
    shares: list[float] = Field(
        default_factory=list,
        max_length=60,
        description="The part paid on each day, 0.4, 0.6; on_days, empty: equal parts",
    )
    first: date | None = Field(default=None, description="even: first day; None: that of its package")
    last: date | None = Field(default=None, description="even: last day; None: that of its package")
    in_kind: bool = Field(default=False, description="True: hours or goods that are there anyway, and cost no cash")
    basis: Basis = "assumed"

    @property
    def amount(self) -> float:
        """Quantity times rate."""
        return self.quantity * self.rate

    @property
    def all_packages(self) -> tuple[str, ...]:
        """Ids of the packages that it pays for."""
        return tuple(filter(None, (self.package, *self.other_packages)))


class Source(Row):
    """F: where money comes from."""

    title: str = Field(max_length=160)
    amount: float = Field(ge=0, le=1e12)
    day: date | None = Field(default=None, description="When it is on the account")
    given_by: str = Field(default="", max_length=REFERENCE, description="Id of the party that gives it")
    condition: str = Field(default="", max_length=240)
    after: str = Field(
        default="", max_length=REFERENCE, description="Id of the approval, decision, gate or package it depends on"
    )
    status: Literal["there", "promised", "applied_for", "assumed"] = "assumed"
    in_kind: bool = Field(default=False, description="True: hours or goods, no cash; they carry lines in kind")


class Stream(Row):
    """O: what the undertaking earns, or is paid for, year by year once it runs."""

    title: str = Field(max_length=160)
    unit: str = Field(default="", max_length=60, description="What is counted: covers, rides, licences")
    volume_low: float = Field(default=0, ge=0, le=1e12, description="Units in the first full year")
    volume: float = Field(default=0, ge=0, le=1e12)
    volume_high: float = Field(default=0, ge=0, le=1e12)
    price_low: float = Field(default=0, ge=0, le=1e9)
    price: float = Field(default=0, ge=0, le=1e9)
    price_high: float = Field(default=0, ge=0, le=1e9)
    unit_cost: float = Field(default=0, ge=0, le=1e9, description="Variable cost of one unit")
    first: date | None = Field(default=None, description="From when it earns; None: from the end of the plan")
    ramp_months: int = Field(default=0, ge=0, le=60, description="Months until the full volume")
    paid_after: int = Field(default=0, ge=0, le=365, description="Days from sale to money")
    basis: Basis = "assumed"


class Upkeep(Row):
    """U: a cost of every year once it runs, whatever the volume."""

    title: str = Field(max_length=160)
    low: float = Field(default=0, ge=0, le=1e12, description="A year")
    likely: float = Field(default=0, ge=0, le=1e12)
    high: float = Field(default=0, ge=0, le=1e12)
    first: date | None = None
    paid_by: str = Field(
        default="",
        max_length=REFERENCE,
        description="Id of what pays it: a source or stream, or a party that pays with money of its own",
    )
    basis: Basis = "assumed"

    @property
    def of_a_party(self) -> bool:
        """Whether a party pays it: it is no cash of the undertaking."""
        return self.paid_by.startswith("B")

    @property
    def carried(self) -> bool:
        """Whether it is paid for without what the undertaking earns: by a party or a source."""
        return self.paid_by.startswith(("B", "F"))


class Risk(Row):
    """K: a risk (ISO 31000)."""

    cause: str = Field(max_length=240)
    same_cause: str = Field(
        default="",
        max_length=REFERENCE,
        description="Id of another risk of the same cause: they happen together; of delays and costs the larger counts",
    )
    event: str = Field(max_length=240)
    effect: str = Field(default="", max_length=240)
    odds: float = Field(default=0.2, ge=0, le=1, description="That it happens, 0 to 1")
    cost: float = Field(default=0, ge=0, le=1e12, description="If it happens")
    days: int = Field(default=0, ge=0, le=3650, description="Calendar days lost if it happens")
    hits: list[str] = Field(default_factory=list, max_length=24, description="Ids of packages that it delays")
    owner: str = Field(default="", max_length=REFERENCE)
    trigger: str = Field(default="", max_length=240, description="With a number: when the response begins")
    trigger_by: date | None = None
    response: str = Field(default="", max_length=400)
    package: str = Field(default="", max_length=REFERENCE, description="Id of the package that carries the response")
    line: str = Field(default="", max_length=REFERENCE, description="Id of the cost line that pays for it")
    other_lines: list[str] = Field(default_factory=list, max_length=8, description="Further ids that pay for it")
    residual: float = Field(default=0.1, ge=0, le=1, description="Odds after the response")
    residual_days: int = Field(default=0, ge=0, le=3650, description="Calendar days lost in spite of the response")

    @property
    def all_lines(self) -> tuple[str, ...]:
        """Ids of the lines that pay for the response."""
        return tuple(filter(None, (self.line, *self.other_lines)))


class Assumption(Row):
    """H: what is taken to be true and could be false."""

    text: str = Field(max_length=300)
    low: str = Field(default="", max_length=60)
    likely: str = Field(default="", max_length=60)
    high: str = Field(default="", max_length=60)
    breaks: str = Field(default="", max_length=300, description="What no longer holds if it is false")
    touches: list[str] = Field(default_factory=list, max_length=12, description="Ids that rest on it")
    test: str = Field(default="", max_length=300)
    owner: str = Field(default="", max_length=REFERENCE)
    by: date | None = None


class OpenQuestion(Row):
    """Q: what nobody knows yet and somebody must answer."""

    text: str = Field(max_length=300)
    why: str = Field(default="", max_length=300, description="What hangs on the answer")
    owner: str = Field(default="", max_length=REFERENCE)
    by: date | None = None


class Closed(Answer):
    """Days on which nobody of the undertaking works, by the plan's own calendar."""

    what: str = Field(max_length=80, description="Public holiday, works holiday")
    first: date | None = None
    last: date | None = Field(default=None, description="None: one day")


class Frame(Answer):
    """What the undertaking is: no row, one of a kind."""

    title: str = Field(max_length=120)
    objective: str = Field(max_length=800)
    concept: str = Field(default="", max_length=1500, description="How it works, on its hardest day, with numbers")
    currency: str = Field(default="", max_length=3, description="ISO 4217; empty where no money is named")
    start: date
    end: date | None = Field(default=None, description="The day that the goal sets for the whole; None: none")
    budget: float = Field(default=0, ge=0, le=1e13, description="The limit that the goal sets; 0: none")
    worked: list[Weekday] = Field(
        default=["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"],
        max_length=7,
        description="The weekdays that are working days of everyone in the plan",
    )
    closed: list[Closed] = Field(default_factory=list, max_length=160, description="Holidays within the plan's time")
    scope: list[str] = Field(default_factory=list, max_length=20)
    out_of_scope: list[str] = Field(default_factory=list, max_length=20)
