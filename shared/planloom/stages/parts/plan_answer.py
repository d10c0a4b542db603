"""What stage 011 asks for and what it makes: goal, scope, measures, gates, people, permits, costs; and the result."""

from datetime import date
from typing import Literal

from pydantic import Field

from planloom.domain.budget import Budget
from planloom.domain.frozen import Answer, Frozen
from planloom.stages.stage import StageResult

Level = Literal["low", "medium", "high"]


class Goal(Answer):
    """The goal by the five letters of SMART, each with the goal's own numbers."""

    statement: str = Field(
        min_length=20, max_length=500, description="One sentence: what, where, by when, for how much"
    )
    specific: str = Field(min_length=10, max_length=500, description="What exists at the end that does not exist now")
    measurable: str = Field(min_length=10, max_length=500, description="The figures by which success is judged")
    achievable: str = Field(min_length=10, max_length=500, description="What the means are, and what strains them")
    relevant: str = Field(min_length=10, max_length=500, description="For whom it matters, and why now")
    time_bound: str = Field(min_length=10, max_length=500, description="Start, dated milestones, deadline")


class ScopeItem(Answer):
    """Something that is in, or is out, and what says so."""

    text: str = Field(min_length=3, max_length=300)
    basis: str = Field(min_length=3, max_length=200, description="From the goal, or assumed and to verify with whom")


class Criterion(Answer):
    """A row by which success is judged."""

    id: str = Field(pattern=r"^[a-z0-9-]{2,50}$", description="Slug: customers-per-day")
    text: str = Field(min_length=5, max_length=300, description="What must be true")
    measure: str = Field(min_length=3, max_length=300, description="What is counted, and how")
    threshold: str = Field(min_length=1, max_length=160, description="The value that passes: at least 180 a day")
    when: str = Field(min_length=2, max_length=160, description="Date or gate of the measurement")
    role: str = Field(min_length=2, max_length=80, description="Who measures")
    basis: str = Field(min_length=3, max_length=200, description="From the goal, computed, or assumed")


class Milestone(Answer):
    """A dated gate: passed or not passed."""

    id: str = Field(pattern=r"^[a-z0-9-]{2,50}$", description="Slug: permits-granted")
    title: str = Field(min_length=3, max_length=160)
    day: date
    phase: str = Field(max_length=40, description="id of the phase in which it lies")
    proof: str = Field(min_length=5, max_length=300, description="What must be true to pass it")
    role: str = Field(min_length=2, max_length=80, description="Who says that it is passed")
    basis: str = Field(min_length=3, max_length=200, description="From the goal, computed, or assumed")


class Dependency(Answer):
    """Something that must come from outside or from earlier before work can go on."""

    what: str = Field(min_length=5, max_length=300, description="What is waited for, and from whom")
    holds_up: str = Field(min_length=3, max_length=200, description="What cannot start without it")
    by: str = Field(min_length=2, max_length=80, description="Latest date or gate")
    role: str = Field(min_length=2, max_length=80, description="Who chases it")
    if_late: str = Field(min_length=5, max_length=300, description="What is done instead, and what it costs")


class Load(Answer):
    """Full-time equivalents in a phase, all people of the post together."""

    phase: str = Field(max_length=40, description="id of the phase")
    fte: float = Field(ge=0, le=500)


class Post(Answer):
    """People of one function: head counts are set here, once; budget and team refer to it."""

    id: str = Field(pattern=r"^[a-z0-9_-]{2,50}$")
    title: str = Field(min_length=2, max_length=80)
    count: int = Field(ge=1, le=500, description="Heads, not FTE")
    hire: Literal["existing", "employee", "contract", "volunteer"]
    load: list[Load] = Field(min_length=1, max_length=10)
    acts_as: list[str] = Field(
        default_factory=list, max_length=12, description="Further functions that it covers; tasks are owned by function"
    )
    basis: str = Field(min_length=3, max_length=300, description="From the goal, or assumed because of which work")


class Resource(Answer):
    """A thing, place, right or skill that the work uses."""

    what: str = Field(min_length=3, max_length=200)
    how_much: str = Field(min_length=1, max_length=160)
    when: str = Field(min_length=2, max_length=80)
    how: str = Field(min_length=3, max_length=300, description="Bought, leased, lent, already there; who sees to it")


class StakeholderRow(Answer):
    """Who has a stake, and what they must be told."""

    name: str = Field(min_length=2, max_length=160)
    interest: str = Field(min_length=5, max_length=300)
    power: Level
    concern: Level = Field(description="How much it matters to them")
    tell: str = Field(min_length=5, max_length=300, description="What they must be told, and when")
    role: str = Field(min_length=2, max_length=80, description="Who tells them")


class PermitRow(Answer):
    """A permission or duty that work waits for."""

    title: str = Field(min_length=3, max_length=160)
    authority: str = Field(min_length=3, max_length=160, description="By kind where the goal names none")
    optimistic: int = Field(ge=0, le=2000, description="Working days from complete papers to decision")
    likely: int = Field(ge=0, le=2000)
    pessimistic: int = Field(ge=0, le=2000)
    needed_for: str = Field(min_length=3, max_length=200, description="The work that cannot start without it")
    apply_by: date = Field(description="So that even the pessimistic lead time holds, where there is time for it")
    papers: str = Field(min_length=3, max_length=300)
    role: str = Field(min_length=2, max_length=80)
    basis: str = Field(min_length=3, max_length=200)


class CostRow(Answer):
    """A line of the budget before the arithmetic: amounts follow from weights, except what the goal fixes."""

    id: str = Field(pattern=r"^[a-z0-9_-]{2,50}$")
    title: str = Field(min_length=3, max_length=160)
    weight: float = Field(gt=0, le=1, description="Share of the total less contingency")
    fixed: int = Field(default=0, ge=0, description="Amount that the goal states for it; 0 where it states none")
    cap: int = Field(default=0, ge=0, description="Limit that the goal sets for it over the whole plan; 0 for none")
    posts: list[str] = Field(
        default_factory=list, max_length=12, description="ids of the posts whose pay it is; empty if it is not pay"
    )
    phases: list[str] = Field(
        default_factory=list, max_length=10, description="ids of the phases in which it is spent; empty means all"
    )
    basis: str = Field(min_length=3, max_length=300, description="How set, and what replaces it: quotes, a tariff")


class FundingRow(Answer):
    """A source of money and what it hangs on."""

    title: str = Field(min_length=3, max_length=160)
    amount: int = Field(ge=0)
    condition: str = Field(min_length=3, max_length=300, description="What must be true before it can be drawn")
    basis: str = Field(min_length=3, max_length=200)


class PlanAnswer(Answer):
    """The model's answer; money is given as weights, since the arithmetic is done here."""

    goal: Goal
    scope_in: list[ScopeItem] = Field(min_length=2, max_length=15)
    scope_out: list[ScopeItem] = Field(min_length=1, max_length=15)
    criteria: list[Criterion] = Field(min_length=2, max_length=15)
    milestones: list[Milestone] = Field(min_length=3, max_length=20)
    dependencies: list[Dependency] = Field(min_length=1, max_length=12)
    people: list[Post] = Field(min_length=1, max_length=25)
    resources: list[Resource] = Field(min_length=1, max_length=15)
    stakeholders: list[StakeholderRow] = Field(min_length=2, max_length=15)
    permits: list[PermitRow] = Field(default_factory=list, max_length=12)
    costs: list[CostRow] = Field(min_length=2, max_length=20)
    funding: list[FundingRow] = Field(default_factory=list, max_length=10)


class PhaseWindow(Frozen):
    """A phase with its first and last calendar day."""

    id: str
    title: str
    first: date
    last: date
    purpose: str
    exit: str


class ProjectPlan(StageResult):
    """Stage 011's result: the answer, the phases in time, and the budget worked out to the last unit."""

    plan: PlanAnswer
    phases: tuple[PhaseWindow, ...]
    budget: Budget

    def post(self, post_id: str) -> Post | None:
        """Return the post *post_id*, or None."""
        return next((p for p in self.plan.people if p.id == post_id), None)

    def window(self, phase_id: str) -> PhaseWindow:
        """Return the phase *phase_id*; the last one for an id that no phase has."""
        return next((p for p in self.phases if p.id == phase_id), self.phases[-1])
