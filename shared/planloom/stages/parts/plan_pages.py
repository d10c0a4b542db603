"""How the project plan reads: the goal first, then tables; the budget adds up in rows and columns before the eye."""

from collections.abc import Iterator

from planloom.domain.budget import ACCURACY, Budget, BudgetLine
from planloom.domain.wording import day_text
from planloom.knowledge.posts import heads_text
from planloom.stages.parts.plan_answer import PlanAnswer, Post, ProjectPlan
from planloom.stages.parts.plan_money import line_text
from planloom.stages.text import bullets, table


def markdown(result: ProjectPlan) -> str:
    """Return the plan as Markdown."""
    plan = result.plan
    parts = [
        "# Project Plan",
        *_goal(plan),
        "## Success criteria",
        _criteria(plan),
        "## Milestones and gates",
        _milestones(plan),
        "## Phases",
        _phases(result),
        "## Dependencies",
        _dependencies(plan),
        "## Permits and compliance",
        _permits(plan),
        "## People",
        _people(result),
        "## Resources",
        table(("What", "How much", "When", "How"), ((r.what, r.how_much, r.when, r.how) for r in plan.resources)),
        "## Stakeholders",
        _stakeholders(plan),
        "## Budget",
        *_budget(result),
    ]
    return "\n\n".join(part.rstrip() for part in parts if part.strip())


def _goal(plan: PlanAnswer) -> Iterator[str]:
    goal = plan.goal
    letters = (
        ("Specific", goal.specific),
        ("Measurable", goal.measurable),
        ("Achievable", goal.achievable),
        ("Relevant", goal.relevant),
        ("Time-bound", goal.time_bound),
    )
    yield f"**Goal.** {goal.statement}"
    yield table(("SMART", ""), letters)
    yield "## Scope"
    yield "In scope:"
    yield bullets(f"{item.text} ({item.basis})" for item in plan.scope_in)
    yield "Out of scope:"
    yield bullets(f"{item.text} ({item.basis})" for item in plan.scope_out)


def _criteria(plan: PlanAnswer) -> str:
    rows = ((c.text, c.threshold, c.measure, c.when, c.role, c.basis) for c in plan.criteria)
    return table(("Success means", "Passes at", "Measured by", "When", "Who measures", "Basis"), rows)


def _milestones(plan: PlanAnswer) -> str:
    rows = ((day_text(m.day), m.title, m.proof, m.role, m.basis) for m in plan.milestones)
    return table(("Day", "Milestone", "Passed when", "Who says so", "Basis"), rows)


def _phases(result: ProjectPlan) -> str:
    rows = ((p.title, day_text(p.first), day_text(p.last), p.purpose) for p in result.phases)
    return table(("Phase", "From", "To", "Purpose"), rows)


def _dependencies(plan: PlanAnswer) -> str:
    rows = ((d.what, d.holds_up, d.by, d.role, d.if_late) for d in plan.dependencies)
    return table(("Waits for", "Holds up", "Latest", "Who chases", "If late"), rows)


def _permits(plan: PlanAnswer) -> str:
    if not plan.permits:
        return "None known. The first gate asks the authorities whether that is right."
    rows = (
        (
            p.title,
            p.authority,
            f"{p.optimistic} / {p.likely} / {p.pessimistic}",
            day_text(p.apply_by),
            p.needed_for,
            p.papers,
            p.role,
            p.basis,
        )
        for p in plan.permits
    )
    head = (
        "Permit or duty",
        "Authority",
        "Working days (o / m / p)",
        "Apply by",
        "Needed for",
        "Papers",
        "Who",
        "Basis",
    )
    return table(head, rows)


def _people(result: ProjectPlan) -> str:
    titles = [phase.title for phase in result.phases]
    rows = (
        (p.title, p.count, p.hire, *(f"{_fte(p, phase.id):g}" for phase in result.phases), p.basis)
        for p in result.plan.people
    )
    lines = [table(("Post", "Heads", "Hired as", *(f"FTE: {t}" for t in titles), "Basis"), rows)]
    acting = [f"{p.title} also acts as: {', '.join(p.acts_as)}." for p in result.plan.people if p.acts_as]
    return "\n".join([*lines, bullets(acting)])


def _fte(post: Post, phase: str) -> float:
    return round(sum(load.fte for load in post.load if load.phase == phase), 2)


def _stakeholders(plan: PlanAnswer) -> str:
    rows = ((s.name, s.interest, s.power, s.concern, s.tell, s.role) for s in plan.stakeholders)
    return table(("Who", "Interest", "Power", "Concern", "Must be told", "By"), rows)


def _budget(result: ProjectPlan) -> Iterator[str]:
    budget = result.budget
    yield _opening(budget)
    yield table(("Line", "Amount", "Share of total", "Basis"), _lines(budget))
    pay = [line for line in budget.lines if line.pay]
    if pay:
        yield "### Pay: rate x full-time months"
        yield table(("Line", "Posts", "Heads", "FTE-months", "Rate per FTE-month", "Amount"), _pay(result))
    yield "### Budget by phase"
    yield table(("Line", *(p.title for p in result.phases), "Sum"), _matrix(budget))
    yield "Contingency is released by decision only and belongs to no phase before."
    yield "### Funding"
    yield _funding(budget)


def _opening(budget: Budget) -> str:
    (low, less), (more, high) = ACCURACY[budget.estimate_class]
    means = (
        f"Class {budget.estimate_class} estimate (AACE): actual cost may end {-less} to {-low}% below or {more} to "
        f"{high}% above it, until quotes replace the shares."
    )
    if budget.currency is None:
        return f"No budget was found in the goal: these are shares of a total still to be set, no amounts. {means}"
    total = line_text(budget, budget.total)
    over = (
        f" The amounts stated in the goal exceed the total by {line_text(budget, budget.overrun)}; they are cut in "
        "proportion here, and whoever pays must say before the first gate which of them gives way."
        if budget.overrun
        else ""
    )
    kind = "as the goal sets it" if budget.contingency_stated else "assumed"
    held = (
        f"contingency {line_text(budget, budget.contingency)} "
        f"({budget.contingency / (budget.total or 1):.1%} of the total, {kind})"
    )
    return f"Lines plus {held} make {total}. {means}{over}"


def _lines(budget: Budget) -> Iterator[tuple[object, ...]]:
    for line in budget.lines:
        yield line.title, _amount(budget, line), f"{line.amount / (budget.total or 1):.1%}", line.basis
    yield "Sum of lines", line_text(budget, budget.total - budget.contingency), _rest(budget), ""
    share = f"{budget.contingency / (budget.total or 1):.1%}"
    yield "Contingency", line_text(budget, budget.contingency), share, "Of the total; released by decision only"
    yield "**Total**", line_text(budget, budget.total), "100.0%", ""


def _amount(budget: Budget, line: BudgetLine) -> str:
    return f"{line_text(budget, line.amount)}{' (stated)' if line.stated else ''}"


def _rest(budget: Budget) -> str:
    return f"{1 - budget.contingency / (budget.total or 1):.1%}"


def _pay(result: ProjectPlan) -> Iterator[tuple[object, ...]]:
    budget = result.budget
    for line in budget.lines:
        if line.pay is None:
            continue
        posts = [result.post(p) for p in line.pay.posts]
        named = ", ".join(heads_text(p.title, p.count) for p in posts if p)
        rate = f"{line_text(budget, line.rate)}, implied, to verify" if budget.currency else "follows from the total"
        yield line.title, named, line.pay.heads, f"{line.pay.fte_months:g}", rate, line_text(budget, line.amount)


def _matrix(budget: Budget) -> Iterator[tuple[object, ...]]:
    for line in budget.lines:
        yield line.title, *(line_text(budget, a) for a in line.by_phase), line_text(budget, line.amount)
    lines = budget.total - budget.contingency
    yield "Sum of lines", *(line_text(budget, a) for a in budget.phase_totals), line_text(budget, lines)
    yield "Contingency", *("" for _ in budget.phases), line_text(budget, budget.contingency)
    yield "**Total**", *("" for _ in budget.phases), line_text(budget, budget.total)


def _funding(budget: Budget) -> str:
    if not budget.funding:
        return "No source of money found in the goal. Who pays, on which condition, is settled before the first gate."
    rows = [(f.title, line_text(budget, f.amount), f.condition, f.basis) for f in budget.funding]
    known = sum(f.amount for f in budget.funding)
    rows.append(("Sum", line_text(budget, known), _verdict(budget), ""))
    return table(("Source", "Amount", "Condition", "Basis"), rows)


def _verdict(budget: Budget) -> str:
    if budget.gap == 0:
        return f"covers the total of {line_text(budget, budget.total)}"
    if budget.gap > 0:
        return (
            f"leaves a gap of {line_text(budget, budget.gap)}: no commitment beyond what is covered until it is closed"
        )
    return f"{line_text(budget, -budget.gap)} more than the total: to be explained by whoever set both"
