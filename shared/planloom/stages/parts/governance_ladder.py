"""How a governance is set up and how matters climb in it, without a language model."""

from collections.abc import Iterator
from datetime import timedelta

from planloom.domain.wording import day_text
from planloom.facts.quoting import clip, lower_first, quotable, quote
from planloom.knowledge.brief import Brief
from planloom.knowledge.gates import due_day, gate_day, gate_text, open_day
from planloom.knowledge.mandates import Mandate, mandates
from planloom.knowledge.tables import Risk
from planloom.stages.parts.governance_answer import (
    BodiesAnswer,
    EscalationAnswer,
    EscalationRow,
    SetupAnswer,
    SetupRow,
)
from planloom.stages.parts.governance_outline import ladder
from planloom.stages.parts.plan_money import line_text
from planloom.stages.project_plan import ProjectPlan


def setup(brief: Brief, found: BodiesAnswer) -> SetupAnswer:
    """Return the steps that make the bodies work before the first money is committed."""
    lead, finance = brief.role_title("lead"), brief.role_title("finance")
    rows = [
        SetupRow(
            action="Open the decision log and enter the limits of every decider as its first entry",
            role=lead,
            by=due_day(brief, 3),
            check="Entry 1 carries the signatures of all who have a limit",
        ),
        *(_step(brief, mandate, n) for n, mandate in enumerate(mandates(brief))),
        *(
            _meetings(brief, body.title, body.cadence, n)
            for n, body in enumerate(found.bodies[1:3])
            if "ssumed" in body.basis
        ),
        SetupRow(
            action="Set the payment rights at the bank to the limits in the log, and try one payment above them",
            role=finance,
            by=due_day(brief, 12),
            check="The bank refuses the trial payment that lacks a signature",
        ),
        SetupRow(
            action=clip(f"Name who acts in absence: {'; '.join(b.title for b in found.bodies[:4])}", 300),
            role=lead,
            by=due_day(brief, 15),
            check="Each deputy has confirmed in writing and has taken one decision from the log as a rehearsal",
        ),
        SetupRow(
            action=clip(f"Dry run of the papers for {gate_text(brief, brief.phases[0].id)}", 300),
            role=lead,
            by=open_day(brief, gate_day(brief, brief.phases[0].id) - timedelta(days=14)),
            check=clip(f"Every part of the gate can be answered yes or no: {brief.phases[0].exit}", 240),
        ),
    ]
    return SetupAnswer(steps=sorted(rows, key=lambda r: r.by)[:12])


def _step(brief: Brief, mandate: Mandate, n: int) -> SetupRow:
    who = lower_first(mandate.title)
    action, check = {
        "signature": (
            f"Write who signs for {who} above the limit, and how in absence",
            f"Specimen signatures and the limit ({mandate.limit}) lie at the bank and in the log",
        ),
        "limit": (
            f"Ask {who} for its dates and its papers for a decision {mandate.limit}",
            f"Dates of {who} until {day_text(brief.end_assumed)} stand in the calendar with the closing day for papers",
        ),
        "stop": (
            f"Write down how {who} stops {mandate.stops}, who is told within an hour, and what lifts the stop",
            "One page, signed by both sides, tried once on a harmless case",
        ),
        "release": (
            f"Get one signatory and one deputy named by {who}, with a reply time",
            "Names of functions, reply time in working days and what counts as silence are on file",
        ),
        "body": (
            f"Fix the dates of “{mandate.title}” ({mandate.cadence}) to the end, and who sends figures two days ahead",
            f"All dates until {day_text(gate_day(brief, brief.phases[-1].id))} accepted by every member",
        ),
    }[mandate.kind]
    return SetupRow(
        action=clip(action, 300), role=brief.role_title("lead"), by=due_day(brief, 5 + n), check=clip(check, 240)
    )


def _meetings(brief: Brief, title: str, cadence: str, n: int) -> SetupRow:
    return SetupRow(
        action=clip(f"Hold the first “{title}” ({cadence}) and enter what it may decide", 300),
        role=brief.role_title("lead"),
        by=due_day(brief, 8 + n),
        check="Minutes of one page with at least one decision in the log",
    )


def escalation(brief: Brief, plan: ProjectPlan, found: BodiesAnswer) -> EscalationAnswer:
    """Return which matter goes to whom: money, time, stops, limits of the goal, and the two heaviest risks."""
    rows = [*_money(brief, plan, found), *_time(brief, plan, found), *_bound(brief, found), *_risky(brief, found)]
    return EscalationAnswer(rows=rows[:12])


def _money(brief: Brief, plan: ProjectPlan, found: BodiesAnswer) -> Iterator[EscalationRow]:
    steps, lead = ladder(brief, plan), brief.role_title("lead")
    yield EscalationRow(
        matter=f"A decision or contract that costs more than {steps.first}",
        limit=f"above {steps.first}" + ("" if steps.stated and steps.first == steps.second else " (assumed)"),
        from_role=lead,
        to=_body(found, 1),
        within=_within(found, 1),
        meanwhile="Offers are kept open; nothing is signed, ordered or promised",
    )
    if steps.second != steps.first:
        yield EscalationRow(
            matter=f"A change of more than {steps.second}, alone or with earlier ones of the same cause",
            limit=f"above {steps.second}" + ("" if steps.stated else " (assumed)"),
            from_role=_body(found, 1),
            to=steps.top,
            within="its next dated meeting, 20 working days at most",
            meanwhile="Work that the change would undo stops; the rest goes on",
        )
    half, whole = (line_text(plan.budget, plan.budget.contingency // n) for n in (2, 1))
    yield EscalationRow(
        matter="Contingency runs down faster than the work",
        limit=f"{half} of {whole} released before {gate_text(brief, 'build')}",
        from_role=brief.role_title("finance"),
        to=_body(found, 1),
        within="5 working days",
        meanwhile="No release from contingency except for safety",
    )


def _time(brief: Brief, plan: ProjectPlan, found: BodiesAnswer) -> Iterator[EscalationRow]:
    spans = [(p.last - p.first).days + 1 for p in plan.phases]
    days = max(min(spans) // 10, 3)
    yield EscalationRow(
        matter=clip(f"A gate is forecast late: {', '.join(p.title for p in plan.phases[:3])}", 300),
        limit=f"{days} calendar days behind its date (a tenth of the shortest phase)",
        from_role="Owner of the late package",
        to=f"{brief.role_title('lead')}; after twice as many days: {_body(found, 1)}",
        within="3 working days",
        meanwhile="The next phase commits no money that the late gate would make useless",
    )
    slow = max(plan.plan.permits, key=lambda p: p.pessimistic, default=None)
    if slow:
        yield EscalationRow(
            matter=clip(f"No decision on “{slow.title}” by {slow.authority}", 300),
            limit=f"{slow.likely} working days after complete papers",
            from_role=slow.role,
            to=brief.role_title("lead"),
            within="2 working days",
            meanwhile=clip(
                f"{slow.needed_for} is not started on trust; its date moves in the schedule the same day", 300
            ),
        )


def _bound(brief: Brief, found: BodiesAnswer) -> Iterator[EscalationRow]:
    for mandate in mandates(brief):
        if mandate.kind == "stop":
            yield EscalationRow(
                matter=clip(f"{mandate.title} stops {mandate.stops}", 300),
                limit="the first time, whatever it costs",
                from_role=mandate.title,
                to=brief.role_title("lead"),
                within="1 working day for the plan to close the reason",
                meanwhile=f"{mandate.stops[:1].upper()}{mandate.stops[1:]} stays stopped; nobody else can lift it",
            )
    ban = next((b for b in quotable(brief.facts, brief.facts.bans) if b.kind == "approach"), None)
    if ban:
        yield EscalationRow(
            matter=clip(f"An offer, design or shortcut would break what the goal rules out: {quote(ban, 180)}", 300),
            limit="any case",
            from_role="Whoever sees it first",
            to=f"{brief.role_title('lead')}, then whoever set the goal",
            within="2 working days",
            meanwhile=f"It is not signed; {_body(found, 1)} may not allow it either",
        )


def _risky(brief: Brief, found: BodiesAnswer) -> Iterator[EscalationRow]:
    heavy = sorted(brief.rows("risks", Risk), key=lambda r: -r.likelihood * r.severity)[:2]
    for risk in heavy:
        yield EscalationRow(
            matter=clip(f"{risk.title}: {lower_first(risk.event)}", 300),
            limit=clip(risk.trigger, 200),
            from_role=brief.role_title(risk.owner),
            to=brief.role_title("lead") if risk.owner != "lead" else _body(found, 1),
            within="3 working days",
            meanwhile=clip(risk.action, 300),
        )


def _within(found: BodiesAnswer, n: int) -> str:
    """A body with a slow rhythm cannot decide in a week, unless by letter."""
    cadence = found.bodies[min(n, len(found.bodies) - 1)].cadence
    slow = any(word in cadence.lower() for word in ("six weeks", "month", "quarter", "dates", "year"))
    return f"its next meeting ({cadence}); by letter in 5 working days if it cannot wait" if slow else "5 working days"


def _body(found: BodiesAnswer, n: int) -> str:
    return found.bodies[min(n, len(found.bodies) - 1)].title
