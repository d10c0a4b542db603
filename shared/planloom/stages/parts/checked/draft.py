"""A finished draft as the checks see it: plain shapes, so that a check knows no stage and no stage knows a check."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property

from planloom.domain.budget import Budget
from planloom.domain.calendars import WorkCalendar
from planloom.domain.claims import Claim
from planloom.domain.facts import Facts
from planloom.quality.passages import Passage, passages

GOAL_FILE = "001-2-plan.txt"
#: It repeats the goal's facts as it found them, so that what stands there proves nothing of the plan.
START_FILE = "001-3-start.md"
SCHEDULE_FILE = "026-2-schedule.md"
PLAN_FILE = "011-2-project_plan.md"
SUMMARY_FILE = "025-2-executive_summary.md"
TEAM_FILE = "014-2-team.md"
WBS_FILE = "019-2-wbs.md"
RISKS_FILE = "008-2-risks.md"
DOCUMENTS_FILE = "018-2-documents.md"
WAITS_FILE = "021-2-task_dependencies.md"


@dataclass(frozen=True)
class Job:
    """A package on the calendar. *starts_on* is the calendar of its first day, *calendar* that of its work."""

    id: str
    title: str
    owner: str
    start: date
    end: date
    days: int
    test: str
    calendar: WorkCalendar
    starts_on: WorkCalendar


@dataclass(frozen=True)
class Wait:
    """A declared dependency: *task* waits for *after* to finish and *lag* working days more."""

    task: str
    after: str
    lag: int = 0


@dataclass(frozen=True)
class Bar:
    """A milestone of the schedule: its computed *day*, and the *target* that the goal sets."""

    title: str
    day: date
    target: date | None
    spare: int | None


@dataclass(frozen=True)
class Gate:
    """A milestone of the project plan; *day* is what it promises."""

    title: str
    day: date
    basis: str


@dataclass(frozen=True)
class Action:
    """Something that somebody must do; *by* is a date or a gate in words, *day* the date where it is one."""

    file: str
    text: str
    role: str
    by: str
    check: str
    day: date | None = None


@dataclass(frozen=True)
class Post:
    """People of one function, with their heads."""

    title: str
    count: int


@dataclass(frozen=True)
class Owned:
    """Something that a role answers for: an action, a risk, a package."""

    file: str
    text: str
    role: str


@dataclass(frozen=True)
class RiskRow:
    """A risk as far as its handling goes; *cost* in the budget's currency."""

    id: str
    title: str
    score: int
    owner: str
    action: str
    cost: float


@dataclass(frozen=True)
class Schedule:
    """The computed schedule. ``leaves``: in words, the tasks within packages and the deliverables around them."""

    start: date
    deadline: date | None
    end: date
    verdict: str
    verdict_text: str
    jobs: tuple[Job, ...]
    waits: tuple[Wait, ...]
    bars: tuple[Bar, ...]
    leaves: tuple[str, ...] = field(default=(), repr=False)


@dataclass(frozen=True)
class Draft:
    """All that the checks read. ``pages`` are the Markdown files by path; ``titles`` name their sections.

    ``missing`` says by file what the model gave no usable answer for.
    """

    prompt: str
    facts: Facts
    today: date
    pages: Mapping[str, str]
    titles: Mapping[str, str]
    schedule: Schedule
    budget: Budget
    gates: tuple[Gate, ...]
    actions: tuple[Action, ...]
    owned: tuple[Owned, ...]
    posts: tuple[Post, ...]
    team: tuple[Post, ...]
    roles: frozenset[str]
    claims: tuple[Claim, ...]
    risks: tuple[RiskRow, ...]
    documents: tuple[str, ...]
    criteria: tuple[str, ...]
    missing: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @cached_property
    def passages(self) -> tuple[Passage, ...]:
        """Every passage of every page, in order."""
        return tuple(passage for path, text in self.pages.items() for passage in passages(path, text))

    @cached_property
    def body(self) -> tuple[Passage, ...]:
        """The passages of what the plan itself says: all pages but the first, which repeats the goal's facts."""
        return tuple(passage for passage in self.passages if passage.file != START_FILE)
