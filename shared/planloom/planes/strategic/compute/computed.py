"""What is computed of a spine: the values that texts refer to by id, and the findings."""

from datetime import date
from typing import Literal

from pydantic import Field

from planloom.core.frozen import Frozen
from planloom.planes.strategic.quality_score import Severity


class Dated(Frozen):
    """A package in the levelled schedule; both days are inclusive."""

    id: str
    start: date
    end: date
    days: int = Field(description="Working days it takes; calendar days where it counts every day")
    effort: float = Field(description="Person-days of all its roles")
    slack: int = Field(description="Working days it can slip before a demand, a gate or the end slips")
    critical: bool
    driver: str = Field(
        default="", description="Id of what it waited for last: package, approval, gate, decision, role"
    )
    held_by_role: int = Field(default=0, ge=0, description="Working days that it waits because its roles are busy")


class Odds(Frozen):
    """How likely a day is held. *what* is a demand, a gate or ``end``; *of* the packages whose end counts.

    ``chance`` never exceeds ``most``: what inputs that people judged allow. ``stressed`` is the day with all durations
    a quarter longer.
    """

    what: str
    of: tuple[str, ...]
    due: date | None = None
    computed: date
    p50: date
    p80: date
    chance: float | None = Field(default=None, ge=0, le=1, description="Of holding due; None: nothing is due")
    most: float = Field(default=0.9, ge=0, le=1)
    rests_on: str = Field(
        default="", description="How many of its durations are judged, and which approvals it waits for"
    )
    stressed: date


class GateMoney(Frozen):
    """What a gate decides over: ``sunk`` is paid by its day, ``owed`` committed and not yet paid."""

    id: str
    day: date
    sunk: float
    owed: float
    leaving_cost: float


class Month(Frozen):
    """Cash of one calendar month; ``first`` is its first day. ``balance`` is the lowest within it;
    ``committed`` is what is bound by its end, paid or not; contingency and reserve are in none of them.
    ``earned`` and ``running`` are the parts of received and paid that come from operation, not from sources and lines.
    """

    first: date
    paid: float
    received: float
    balance: float
    committed: float
    earned: float = 0
    running: float = 0


class Drawn(Frozen):
    """A line of contingency or reserve, with the *risks* that draw on it: what they cost if all happen, and by their
    odds; of risks of one cause the largest.
    """

    line: str
    amount: float
    risks: tuple[str, ...]
    whole: float
    expected: float


class Load(Frozen):
    """Work of a role in one month against what is there, in person-days."""

    role: str
    first: date
    needed: float
    there: float


class WithoutRole(Frozen):
    """The end if the role is not there for twenty working days when it is needed most."""

    role: str
    end: date
    days_later: int


class Year(Frozen):
    """A year of operation, at likely values: earnings, costs, what is left, and the money that it ties up.

    ``carried`` is the part of ``fixed`` that a party or a source pays.
    """

    number: int = Field(ge=1)
    first: date
    earned: float
    variable: float
    fixed: float
    carried: float = 0
    result: float
    tied_up: float = Field(description="Working capital: sold and not yet paid for")


class Swing(Frozen):
    """What one input does to one result at its low and at its high, as differences from all inputs at likely."""

    id: str
    title: str
    result: Literal["end_days", "cost", "year_result"]
    low: float
    high: float


class Sum(Frozen):
    """A sum of lines or sources. ``name`` is a kind of line or a status of sources as the rows have it, ``cost`` (all
    lines but contingency and reserve), ``total`` (all lines), ``contingency_share`` (of the cost: 0.1 is a tenth) or
    ``sources``.
    """

    name: str
    amount: float


class Finding(Frozen):
    """What a program found wrong: *places* are the two (or more) places that disagree, each with its words."""

    id: str = Field(max_length=160, description="Check and ids: order.tender_before_design:P4,P9")
    check: str = Field(max_length=60)
    severity: Severity
    ids: tuple[str, ...]
    text: str = Field(max_length=600, description="What is wrong, in a sentence with the values")
    places: tuple[str, ...] = Field(description="Each as id and words: P9 Tender the hall: starts 4 May 2027")
    advice: str = Field(default="", max_length=400)


class Computed(Frozen):
    """All that is computed of one spine; the same spine gives the same."""

    start: date
    end: date
    packages: tuple[Dated, ...]
    path: tuple[str, ...] = Field(description="Ids of the packages that drive the end, in order")
    odds: tuple[Odds, ...]
    answers: dict[str, date] = Field(
        default_factory=dict, description="Day of the answer to each approval and decision, by id"
    )
    gates: tuple[GateMoney, ...] = ()
    months: tuple[Month, ...] = ()
    gap: float = Field(default=0, description="The deepest balance below zero, as a positive amount; 0: none")
    gap_month: date | None = None
    drawn: tuple[Drawn, ...] = Field(default=(), description="Contingency and reserve that risks draw on")
    all_spent: float = Field(default=0, description="The balance after the last payment if all contingency is spent")
    loads: tuple[Load, ...] = ()
    without: tuple[WithoutRole, ...] = ()
    years: tuple[Year, ...] = ()
    break_even: date | None = Field(
        default=None, description="Month in which running results have paid the cost back; None: not in 30 years"
    )
    swings: tuple[Swing, ...] = Field(default=(), description="The widest first, by result")
    sums: tuple[Sum, ...] = ()
    calendar_notes: tuple[str, ...] = Field(default=(), description="Which days are worked, each in a sentence")
    findings: tuple[Finding, ...] = ()
