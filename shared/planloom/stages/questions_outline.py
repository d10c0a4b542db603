"""Questions without a model: those that follow from the plan's own figures, then those of its field."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta

from planloom.knowledge.brief import Brief, amount_text, day_text
from planloom.knowledge.gates import due_day
from planloom.knowledge.quoting import clip, lower_first
from planloom.knowledge.tables import Faq
from planloom.stages.data_collection import DataCollection
from planloom.stages.governance import Governance
from planloom.stages.project_plan import ProjectPlan
from planloom.stages.questions_answer import QuestionRow
from planloom.stages.schedule_result import Schedule
from planloom.stages.team import Team

#: Which reader asks what the tables ask of a section.
READER_OF = {
    "schedule": "time",
    "wbs": "time",
    "task_durations": "time",
    "project_plan": "money",
    "locations": "leave",
    "risks": "leave",
    "governance": "people",
    "team": "people",
}
PER_READER = 6
SETTLED_WITHIN = 10


@dataclass(frozen=True)
class Sources:
    """The parts of the plan that questions are answered from."""

    brief: Brief
    plan: ProjectPlan
    schedule: Schedule
    governance: Governance
    team: Team
    data: DataCollection


def outline_questions(sources: Sources, reader: str) -> list[QuestionRow]:
    """Return what *reader* asks: the plan's own questions first."""
    own: dict[str, Callable[[Sources], Iterator[QuestionRow]]] = {
        "time": _time,
        "money": _money,
        "people": _people,
        "use": _use,
        "leave": _leave,
    }
    asked = list(own[reader](sources))
    rows = [row for row in sources.brief.rows("faqs", Faq) if READER_OF.get(row.section, "use") == reader]
    asked += [_from_table(sources, row) for row in rows]
    return asked[: max(PER_READER, 2)]


def _time(s: Sources) -> Iterator[QuestionRow]:
    if s.schedule.deadline:
        yield _row(f"Will it be done by {day_text(s.schedule.deadline)}?", s.schedule.verdict_text, "Schedule")
    else:
        yield _row("When is it done?", s.schedule.verdict_text, "Schedule")
    tasks = {task.id: task for task in s.schedule.tasks}
    path = [tasks[name] for name in s.schedule.critical_path if name in tasks]
    if path:
        names = "; then ".join(f"{lower_first(t.title)} ({day_text(t.start)})" for t in path[:5])
        rest = f", and {len(path) - 5} more up to {day_text(path[-1].end)}" if len(path) > 5 else ""
        yield _row(
            f"Which steps decide {day_text(s.schedule.end)}?",
            f"The critical path of {len(path)} packages: {names}{rest}. A day lost on one of them is a day lost at the "
            "end.",
            "Schedule",
        )
        longest = max(path, key=lambda t: (t.pessimistic - t.likely, t.id))
        worse = round(longest.pessimistic - longest.likely)
        if worse:
            yield _row(
                f"What if {lower_first(longest.title)} takes as long as it can?",
                f"Then it takes {longest.pessimistic:g} working days instead of {longest.likely:g}, and the end moves "
                f"by up to {worse}. {longest.owner} reports it as soon as {longest.likely:g} days will not do.",
                "Schedule",
            )
    soon = s.schedule.start + timedelta(days=21)
    first = [t for t in s.schedule.tasks if t.start <= soon]
    if first:
        yield _row(
            f"What must begin before {day_text(soon)}?",
            "; ".join(f"{t.title} by {lower_first(t.owner)}, from {day_text(t.start)}" for t in first[:5]) + ".",
            "Schedule",
        )


def _money(s: Sources) -> Iterator[QuestionRow]:
    budget = s.plan.budget
    lines = sorted(budget.lines, key=lambda line: (-line.amount, line.id))
    if budget.currency is None:
        yield _unsaid(
            s,
            f"How much may {s.brief.facts.subject} cost?",
            "The goal sets no total, so the budget shows shares only.",
            "names the total in writing; the shares then become amounts",
        )
        yield _row(
            f"Why does {lower_first(lines[0].title)} take the largest share?",
            f"{lines[0].amount / budget.total:.0%} of the total: {lines[0].basis}.",
            "Project Plan",
        )
        return
    money = _amounts(budget.currency)
    yield _row(
        f"Is {money(budget.total)} enough?",
        f"The lines take {money(budget.total - budget.contingency)} and leave {money(budget.contingency)} "
        f"({budget.contingency / budget.total:.0%}) for what nobody foresees. The estimate is of AACE class "
        f"{budget.estimate_class}: lines rest on shares until quotes replace them.",
        "Project Plan",
    )
    top = lines[0]
    yield _row(
        f"Why does {lower_first(top.title)} cost {money(top.amount)}?",
        f"It is {top.amount / budget.total:.0%} of the total. Basis: {top.basis.rstrip('.')}.",
        "Project Plan",
    )
    if budget.gap > 0 and budget.funding:
        yield _unsaid(
            s,
            f"Where do the missing {money(budget.gap)} come from?",
            f"The sources named bring {money(budget.total - budget.gap)} of {money(budget.total)}.",
            f"names a source for {money(budget.gap)}, or cuts lines by as much; the funding table then adds up",
        )
    for source in budget.funding[:2]:
        yield _row(
            f"When can the {money(source.amount)} from {lower_first(source.title)} be spent?",
            f"Only once this holds: {lower_first(source.condition).rstrip('.')}.",
            "Project Plan",
        )


def _people(s: Sources) -> Iterator[QuestionRow]:
    for body in s.governance.bodies.bodies[:2]:
        yield _row(
            f"What may {_the(body.title)} decide without asking anybody?",
            f"{body.decides.rstrip('.')}. Limit: {lower_first(body.limit).rstrip('.')}. It meets "
            f"{lower_first(body.cadence)}.",
            "Governance",
        )
    missing = [role for role in s.team.roles if role.member.hire != "existing"]
    if missing:
        told = "; ".join(f"{r.member.title} ({r.member.count}), needed by {r.detail.needed_by}" for r in missing[:4])
        yield _row("Who is not there yet?", f"{told}.", "Team")
    for finding in s.team.review.findings[:2]:
        yield _row(
            f"What about this {finding.kind} in the team?",
            f"{finding.text.rstrip('.')}. {finding.action.rstrip('.')}: {finding.role}, {finding.when}.",
            "Team",
        )


def _use(s: Sources) -> Iterator[QuestionRow]:
    for criterion in s.plan.plan.criteria[:3]:
        yield _row(
            f"How will anybody know that “{clip(criterion.text, 120)}” came true?",
            f"{criterion.measure.rstrip('.')}. It passes at {lower_first(criterion.threshold).rstrip('.')}, measured "
            f"{lower_first(criterion.when)} by {lower_first(criterion.role)}.",
            "Project Plan",
        )
    for row in s.data.data.items[:1]:
        yield _row(
            f"What is known least about {s.brief.words.get('customers', 'those it is made for')}?",
            f"{row.question.rstrip('?')}? It decides: {lower_first(row.decides).rstrip('.')}. {row.role} finds out by "
            f"{day_text(row.deadline)}.",
            "Data Collection",
        )


def _leave(s: Sources) -> Iterator[QuestionRow]:
    for permit in s.plan.plan.permits[:3]:
        yield _row(
            f"What if {lower_first(permit.title)} is refused or late?",
            f"Without it this cannot start: {lower_first(permit.needed_for).rstrip('.')}. {permit.role} "
            f"applies by {day_text(permit.apply_by)}; {lower_first(permit.authority)} takes {permit.optimistic} to "
            f"{permit.pessimistic} working days.",
            "Project Plan",
        )
    if not s.plan.plan.permits:
        yield _unsaid(
            s,
            f"Whose permission does {s.brief.facts.subject} need?",
            "No permit was found in the goal or its field.",
            "asks the authority in charge and writes down its answer, also where it is none",
        )
    strong = [row for row in s.plan.plan.stakeholders if row.power == "high"]
    for who in strong[:2]:
        yield _row(
            f"What does {_the(lower_first(who.name))} want, and who talks to them?",
            f"{who.interest.rstrip('.')}. {who.role} tells them: {lower_first(who.tell).rstrip('.')}.",
            "Project Plan",
        )


def _from_table(s: Sources, row: Faq) -> QuestionRow:
    said = s.brief.called_by(row)
    answer = row.answer if not said else f"{row.answer.rstrip('.')}. The goal says: “{clip(said.text, 150)}”"
    return _row(
        row.question, answer, row.section.replace("_", " ").title().replace("Swot", "SWOT").replace("Wbs", "WBS")
    )


def _row(question: str, answer: str, place: str) -> QuestionRow:
    return QuestionRow(question=clip(question, 300), answer=clip(answer, 900), place=place)


def _unsaid(s: Sources, question: str, follows: str, settles: str) -> QuestionRow:
    who = s.plan.plan.people[0].title
    by = day_text(due_day(s.brief, SETTLED_WITHIN))
    return QuestionRow(
        question=clip(question, 300),
        answer=f"The plan does not say. {follows}",
        place="Project Plan",
        said=False,
        action=clip(f"By {by}, {lower_first(who)} {settles}.", 400),
    )


def _amounts(currency: str) -> Callable[[float], str]:
    return lambda amount: amount_text(amount, currency)


def _the(title: str) -> str:
    return (
        lower_first(title) if title.lower().startswith(("the ", "our ", "a ", "an ")) else f"the {lower_first(title)}"
    )
