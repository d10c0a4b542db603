"""What programs can say in each chapter, annex and the summary without a model: tables, and sentences with figures.

A section that needs judgement says in two lines what belongs there. Nothing is said of the goal but what was found.
"""

from collections.abc import Callable, Mapping

from planloom.core.wording import day_text
from planloom.planes.strategic.spine.rows import Risk
from planloom.planes.strategic.stages.annex_tables import annex_table
from planloom.planes.strategic.stages.chapter_tables import largest_risks, tables_of
from planloom.planes.strategic.stages.computed_plan import ComputedPlan, day
from planloom.planes.strategic.stages.computed_tables import gap_text
from planloom.planes.strategic.stages.schedule import short_verdict, verdict_text
from planloom.planes.strategic.stages.text import bullets, ended

ASSUMED = (
    "Values marked *assumed*, or without a mark, come from the table of this kind of undertaking, not from the goal. "
    "They are usual values to be replaced."
)

#: So many open questions the summary of an outline asks: those of the goal come before the usual ones.
MOST_ASKED = 4

#: What a person or a language model writes in a section, in two lines.
BELONGS: Mapping[str, str] = {
    "project_plan": "How the undertaking works on its hardest day, in numbers, and why it is done in this way.\n"
    "What is left out on purpose, and what would be a success for those who pay and those who use it.",
    "levers": "The choices that cannot be undone cheaply, each with at least two options costed alike.\n"
    "Who decides by which day, and what follows if nobody does.",
    "calendar": "What makes the hardest weeks hard: seasons, sessions of authorities, people who are needed twice.\n"
    "What is done at each gate if its conditions are not met.",
    "budget": "Offers and prices of the place instead of usual values, and what is cut first.\n"
    "How the running costs of the first years are paid.",
    "approvals": "The authorities, laws and habits of the place by name, each verified with its source.\n"
    "Who speaks to whom before papers are handed in.",
    "team": "Who fills each role, how much of the week is really free, and who stands in.\n"
    "What pay and contracts the place asks for.",
    "risks": "What can go wrong here and nowhere else, with a trigger that can be measured.\n"
    "The value at which the undertaking is stopped.",
    "next_steps": "Who is called first, with which question.\n"
    "What is known at the end of the ninety days that is not known today.",
    "pitch": "For the one reader who can say yes: what changes for whom, and why now.\nWhat is asked of that reader.",
    "scenarios": "A careful, a balanced and a bold way to reach the objective, scored on the same criteria.\n"
    "What would change the choice between them.",
    "governance": "The few bodies that decide, with their limits in money and days.\n"
    "How a decision is recorded and appealed.",
    "swot_analysis": "Strengths and weaknesses with their evidence, chances and threats of the place.\n"
    "Pairs of them turned into actions with an owner.",
    "documents": "At most twelve documents to write or to find, each with its purpose, owner and approval.\n"
    "What is in the two most important ones.",
    "related_resources": "Comparable undertakings, and what to ask those who ran them.\n"
    "Where their figures can be verified.",
    "questions_answers": "The questions that a sceptical reader asks, each answered from the plan with its place.\n"
    "Which of them the plan cannot answer yet.",
    "pre_project_assessment": "Go, no-go or not yet, with the one reason that decides.\n"
    "What removes each blocker, by whom and by when.",
    "wbs_level3": "Two to five tasks for each package, with who does them.\nHow one sees that each is done.",
}


def outline_page(name: str, plan: ComputedPlan) -> str:
    """Return the text of section *name* below its heading, at most a few hundred words beside its tables."""
    said = _SAYS[name](plan) if name in _SAYS else ""
    belongs = f"*A judgement belongs here that programs cannot give:*\n{BELONGS[name]}" if name in BELONGS else ""
    table = tables_of(name, plan) or annex_table(name, plan, brief=True)
    marked = ASSUMED if table and "assumed" in table else ""
    return "\n\n".join(part.rstrip() for part in (said, belongs, marked, table) if part.strip()) + "\n"


def outline_summary(plan: ComputedPlan) -> str:
    """Return the executive summary that programs can write: objective, date with odds, money, decisions, risks."""
    spine = plan.spine
    decisions = [f"{plan.named(row.id)}{f' (by {day(row.by)})' if row.by else ''}" for row in spine.decisions[:3]]
    dangers = [_danger(risk) for risk in largest_risks(plan)[:3]]
    blocks = [
        ("", f"{ended(spine.frame.objective)}\n\n**{verdict_text(plan)}**"),
        ("Money", _budget(plan)),
        ("Decisions that matter first", bullets(decisions)),
        ("Risks with the largest expected loss", bullets(dangers)),
        ("Asked of the reader now", _ask(plan)),
    ]
    return "\n\n".join(f"## {title}\n\n{text.rstrip()}" if title else text for title, text in blocks if text) + "\n"


def _danger(risk: Risk) -> str:
    """Return a risk in a line: cause and event may be sentences of their own."""
    lost = f", {risk.days} calendar days" if risk.days else ""
    cause = f". Cause: {risk.cause}" if risk.cause else ""
    return f"{risk.id} {risk.event} ({risk.odds:.0%}{lost}){cause}"


def _project_plan(plan: ComputedPlan) -> str:
    frame = plan.spine.frame
    size = f"{len(plan.spine.packages)} packages of {len(plan.spine.deliverables)} deliverables"
    days = f"from {day_text(plan.computed.start)} to {day_text(plan.computed.end)} as computed"
    return f"{ended(frame.objective)} {frame.concept} The plan holds {size}, {days}.".replace("  ", " ")


_NO_BUDGET = "No amount could be read in the goal as the budget of the whole."


def _levers(plan: ComputedPlan) -> str:
    return "" if plan.spine.decisions else "No open decision was found in the goal."


def _calendar(plan: ComputedPlan) -> str:
    hardest = max(plan.computed.loads, key=lambda load: load.needed - load.there, default=None)
    said = short_verdict(plan)
    if hardest and hardest.needed > hardest.there:
        needed = f"{hardest.needed:.0f} person-days are needed of {plan.title(hardest.role)}"
        said += f" The heaviest month is {hardest.first:%B %Y}: {needed} and {hardest.there:.0f} are there."
    return said


def _budget(plan: ComputedPlan) -> str:
    limit = plan.spine.frame.budget
    total = plan.sums.get("total", 0)
    found = f"The limit found in the goal is {plan.money(limit)}." if limit else _NO_BUDGET
    if not total:
        return f"{found} No line of cost has an amount yet."
    over = total - limit
    if limit and over:
        found += f" That is {plan.money(abs(over))} {'less' if over > 0 else 'more'} than all lines."
    # without days of payment, all money is computed as there from the first day
    undated = any(source.day is None for source in plan.spine.sources)
    there = " Sources without a day are computed as paid on the first day." if undated else ""
    return f"All lines add up to {plan.money(total)}. {found} {gap_text(plan)}{there}"


def _approvals(plan: ComputedPlan) -> str:
    return "" if plan.spine.approvals else "No approval was found in the goal or in the table of its kind."


def _team(plan: ComputedPlan) -> str:
    if any(role.filled_by for role in plan.spine.roles):
        return ""
    return "Roles are usual ones, each counted as one person; one person can fill several of them."


def _risks(plan: ComputedPlan) -> str:
    gates = ", ".join(f"{plan.named(gate.id)} on {day_text(gate.day)}" for gate in plan.computed.gates)
    return f"The undertaking can be stopped at {gates}." if gates else ""


def _next_steps(plan: ComputedPlan) -> str:
    first = next((package for package in plan.in_order if package.id in plan.dated), None)
    if not first:
        return ""
    start = day_text(plan.dated[first.id].start)
    owner = plan.title(first.owner) or "nobody yet"
    return f"The first package is {plan.named(first.id)}, from {start}; {owner} answers for it."


def _pitch(plan: ComputedPlan) -> str:
    return f"{ended(plan.spine.frame.objective)} {_budget(plan)} {short_verdict(plan)}"


def _assessment(plan: ComputedPlan) -> str:
    high = [found for found in plan.computed.findings if found.severity == "high"]
    if not high:
        return f"Programs found no contradiction of dates, order and money. {short_verdict(plan)}"
    return (
        f"{short_verdict(plan)} What programs found that must be solved first:\n\n{bullets(f.text for f in high[:8])}"
    )


def _questions(plan: ComputedPlan) -> str:
    pairs = [
        ("Is the date of the whole kept?", short_verdict(plan)),
        ("Is the money enough?", _budget(plan)),
        ("What happens if one role is missing?", _missing_role(plan)),
    ]
    return "\n\n".join(f"**{question}** {answer}" for question, answer in pairs if answer)


def _missing_role(plan: ComputedPlan) -> str:
    worst = max(plan.computed.without, key=lambda row: row.days_later, default=None)
    if not worst:
        return ""
    absent = f"Without {plan.title(worst.role)} for twenty working days at its heaviest"
    return f"{absent} the end is {worst.days_later} calendar days later: {day_text(worst.end)}."


def _ask(plan: ComputedPlan) -> str:
    first = plan.spine.decisions[0] if plan.spine.decisions else None
    if not first:
        asked = bullets(f"{row.id} {row.text}" for row in plan.spine.questions[:MOST_ASKED])
        first_asked = f" These answers change most:\n\n{asked}" if asked else ""
        return f"Read what is assumed, and correct the rows that you know better.{first_asked}"
    by = f" by {day(first.by)}" if first.by else ""
    return f"Decide {plan.named(first.id)}{by}. Correct the rows that are assumed."


_SAYS: Mapping[str, Callable[[ComputedPlan], str]] = {
    "project_plan": _project_plan,
    "levers": _levers,
    "calendar": _calendar,
    "budget": _budget,
    "approvals": _approvals,
    "team": _team,
    "risks": _risks,
    "next_steps": _next_steps,
    "pitch": _pitch,
    "pre_project_assessment": _assessment,
    "questions_answers": _questions,
}
