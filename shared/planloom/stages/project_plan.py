"""Stage 011: the backbone of the plan: goal, scope, measures of success, gates, people, permits and money."""

from collections.abc import Iterator
from datetime import timedelta

from planloom.domain.claims import Claim
from planloom.domain.wording import day_text
from planloom.facts.quoting import clip
from planloom.knowledge.brief import Brief
from planloom.knowledge.funds import contingency, total_amount
from planloom.knowledge.gates import due_day, gate_day
from planloom.models.model import Part
from planloom.stages.desk import Desk
from planloom.stages.excerpt import Excerpt, Pick
from planloom.stages.parts.plan_answer import (
    CostRow,
    Criterion,
    Dependency,
    FundingRow,
    Goal,
    Load,
    Milestone,
    PermitRow,
    PhaseWindow,
    PlanAnswer,
    Post,
    ProjectPlan,
    Resource,
    ScopeItem,
    StakeholderRow,
)
from planloom.stages.parts.plan_money import line_text, work_out
from planloom.stages.parts.plan_outline import outline
from planloom.stages.parts.plan_pages import markdown
from planloom.stages.stage import Stage

__all__ = [
    "STAGE", "CostRow", "Criterion", "Dependency", "FundingRow", "Goal", "Load", "Milestone", "PermitRow",
    "PhaseWindow", "PlanAnswer", "Post", "ProjectPlan", "Resource", "ScopeItem", "StakeholderRow",
]  # fmt: skip

INSTRUCTIONS = """\
Write the project plan: the section that every later section refers to.

Goal. Put it as SMART, each letter with the goal's own numbers. "Achievable" names the means (people, money, months)
and the one thing that strains them most; it does not say that the goal is achievable.

Scope. In: what will exist or run at the end. Out: first the goal's own bans and non-goals in its words, then what a
reader could wrongly expect and will not get. Each item says what it rests on.

Success criteria. One row per figure that the goal sets for success, then per limit that must hold: a cap, a ban that
can be measured, a service time. Measure: what is counted, by which record. Threshold: the value that passes, as in
the goal. When: a date or gate computed from the goal's dates. Who measures is not the one who is judged by it, where
the project is large enough. No criterion without a threshold; propose one marked "assumed" where the goal gives none.

Milestones. The goal's own dated demands first, to the day, in its words. Then one gate for each phase on the day that
you are shown. Then the decisions and permits that work waits for. A milestone is passed or not passed: its proof is a
paper, a figure or a test, never an activity. None before the start, none on a day that the goal closes.

Dependencies. Only what comes from outside the team, or binds the order ("the loan before the lease"). Each says what
it holds up, by when it must come, who chases it, and what is done instead if it is late.

People. Head counts that the goal states are kept exactly. Then functions that the work needs and nobody covers, as
few as the work allows; part of a person is FTE below one. Boards, steering groups, customers and those whom the
project serves are no people of the team. Load is FTE of all heads of the post together, for each phase.

Resources: things, places, rights, systems; neither people nor money.

Stakeholders. Name them as the goal does. Interest is what they gain or lose here. Power is what they can stop. What
they must be told is a message with a date, not "keep informed".

Permits. Authority by kind where the goal names none. Lead time in working days from complete papers to decision:
optimistic, likely, pessimistic; marked "to verify with the authority". Apply early enough for the pessimistic case.

Costs. Give weights, not amounts: the arithmetic is done for you. Where the goal states an amount for a thing, give it
as fixed, with the same number; where it states a limit, as cap. A line of pay names the ids of its posts, and no post
stands in two lines. Lines are things that are bought or paid for, six to fourteen of them; split whatever is above a
third. No line called miscellaneous or reserve: contingency is worked out apart and must not be among the lines. The
basis says how the weight was set and what will replace it: three quotes, a tariff, a signed contract.

Funding. Sources that the goal names, with their amounts and conditions; nothing else.
"""


#: What costs, takes permission or time at the places; every risk with who answers for it; what is taken for true.
READS = (
    Excerpt(
        "locations",
        2600,
        (
            Pick("Locations", ("Place", "What happens there", "Check first", "By"), prose=False),
            Pick("What a place must offer", ("Strength", "Requirement")),
            Pick("Currency"),
        ),
    ),
    Excerpt(
        "risks", 3600, (Pick("Risk register", ("Id", "Risk", "Category", "Score", "Owner", "Response in place by")),)
    ),
    Excerpt("assumptions", 2600, (Pick("All", ("Id", "Assumption", "Confidence", "Owner", "By")),)),
)


async def draft(desk: Desk) -> ProjectPlan:
    """One call; phases and budget are worked out around its answer."""
    windows = phase_windows(desk.brief)
    plan = await desk.ask(
        "plan",
        INSTRUCTIONS,
        (
            _frame(desk.brief, windows),
            *desk.excerpts(*READS),
        ),
        PlanAnswer,
        lambda: outline(desk.brief, windows),
        required=True,
    )
    result = ProjectPlan(plan=plan, phases=windows, budget=work_out(desk.brief, plan, windows))
    # a model may name two milestones alike; the first keeps the id
    claims = {claim.id: claim for claim in reversed(tuple(_claims(result)))}
    return result.model_copy(update={"claims": tuple(claims.values())[::-1]})


def phase_windows(brief: Brief) -> tuple[PhaseWindow, ...]:
    """Return the phases in time: each begins the day after the gate before it."""
    first = due_day(brief, 0)
    windows = []
    for phase in brief.phases:
        last = gate_day(brief, phase.id)
        # two phases may end on one day
        first = min(first, last)
        windows.append(
            PhaseWindow(id=phase.id, title=phase.title, first=first, last=last, purpose=phase.purpose, exit=phase.exit)
        )
        first = last + timedelta(days=1)
    return tuple(windows)


def _frame(brief: Brief, windows: tuple[PhaseWindow, ...]) -> Part:
    total, (share, basis) = total_amount(brief), contingency(brief)
    lines = [f"{w.id}: {w.title}, {w.first.isoformat()} to {w.last.isoformat()}; gate: {w.exit}" for w in windows]
    money = f"total {brief.currency} {total:,}" if total is not None else "no total in the goal: weights only"
    return Part("phases and money", "\n".join([*lines, f"Money: {money}; contingency {share:.1%} ({basis})"]))


def _claims(result: ProjectPlan) -> Iterator[Claim]:
    yield from _money_claims(result)
    for milestone in result.plan.milestones:
        stated = milestone.basis.startswith("From the goal")
        yield Claim(
            id=f"project_plan.{milestone.id}",
            text=clip(f"{milestone.title}: {day_text(milestone.day)}", 400),
            kind="fact" if stated else "computed",
            value=milestone.day.isoformat(),
            unit="date",
            source="stage:project_plan",
            owner=milestone.role,
        )
    for row in result.plan.criteria:
        yield Claim(
            id=f"project_plan.success-{row.id}",
            text=clip(f"{row.text}: passes at {row.threshold}", 400),
            kind="fact" if row.basis.startswith("From the goal") else "assumption",
            value=clip(row.threshold, 80),
            source="stage:project_plan",
            owner=row.role,
            test=clip(f"{row.measure}; {row.when}", 240),
        )
    for post in result.plan.people:
        yield Claim(
            id=f"project_plan.heads-{post.id}",
            text=f"{post.title}: {post.count} {'person' if post.count == 1 else 'people'}, {post.hire}",
            kind="fact" if post.basis.startswith("From the goal") else "assumption",
            value=str(post.count),
            unit="people",
            source="stage:project_plan",
        )


def _money_claims(result: ProjectPlan) -> Iterator[Claim]:
    budget = result.budget
    if budget.currency is None:
        return
    held = line_text(budget, budget.contingency)
    amounts = [
        ("total", f"Lines plus contingency make {line_text(budget, budget.total)}", budget.total),
        ("contingency", f"Contingency is {held}", budget.contingency),
        *((f"cost-{line.id}", f"{line.title}: {line_text(budget, line.amount)}", line.amount) for line in budget.lines),
    ]
    for name, text, amount in amounts:
        yield Claim(
            id=f"project_plan.{name}",
            text=clip(text, 400),
            kind="computed",
            value=str(amount),
            unit=budget.currency,
            subject=clip(text.partition(":")[0], 120) if name.startswith("cost-") else "",
            source="stage:project_plan",
        )


STAGE = Stage(
    number=11,
    name="project_plan",
    title="Project Plan",
    needs=("locations", "risks", "assumptions"),
    version=6,
    result=ProjectPlan,
    draft=draft,
    markdown=markdown,
)
