"""What is audited and which figures are watched, without a language model: limits, records, first signs."""

from collections.abc import Iterator
from datetime import timedelta

from planloom.domain.wording import day_text
from planloom.facts.quoting import clip, lower_first, quotable, quote
from planloom.knowledge.brief import Brief
from planloom.knowledge.funds import cap_text, caps
from planloom.knowledge.gates import gate_day, gate_text, open_day
from planloom.knowledge.tables import Audit, Risk
from planloom.stages.parts.governance_answer import AuditAnswer, AuditRow, IndicatorRow, MonitoringAnswer
from planloom.stages.parts.governance_outline import ladder
from planloom.stages.parts.plan_money import line_text
from planloom.stages.project_plan import ProjectPlan


def audit(brief: Brief, plan: ProjectPlan) -> AuditAnswer:
    """Return what is checked by somebody who does not answer for it."""
    rows = [*_paid(brief, plan), *_bound(brief), *_proved(brief, plan), *_tabled(brief)]
    return AuditAnswer(audits=rows[:10])


def _paid(brief: Brief, plan: ProjectPlan) -> Iterator[AuditRow]:
    steps = ladder(brief, plan)
    who = _other(brief, "finance")
    yield AuditRow(
        what=f"Payments above {steps.first}: signed as the limits ask, and none split to stay below",
        evidence="Bank statement against the decision log, all payments of the month above the limit, ten below it",
        role=who,
        when=clip(f"monthly from {day_text(open_day(brief, brief.start + timedelta(days=35)))}", 120),
        on_finding="Payments of that kind stop until the missing decision is taken or the money is back",
    )
    for money in caps(brief)[:2]:
        if not quotable(brief.facts, [money]):
            continue
        noun = money.noun or "the capped amount"
        yield AuditRow(
            what=clip(f"{noun[:1].upper()}{noun[1:]}: {cap_text(brief, money)}, as the goal demands", 300),
            evidence="Contract before signing, with indexation and side costs; then the first three invoices",
            role=who,
            when="before signing, then yearly",
            on_finding="Not signed; above the limit it goes back to whoever set the goal",
        )


def _bound(brief: Brief) -> Iterator[AuditRow]:
    bans = [b for b in quotable(brief.facts, brief.facts.bans) if b.kind == "approach"][:2]
    for ban in bans:
        yield AuditRow(
            what=clip(f"Kept out: {quote(ban, 250)}", 300),
            evidence="Contracts, orders and drawings or releases of the phase, read for it",
            role=brief.role_title("quality"),
            when=clip(f"at each gate, first {gate_text(brief, 'design')}", 120),
            on_finding="The contract, order or design is taken back before the gate is passed",
        )


def _proved(brief: Brief, plan: ProjectPlan) -> Iterator[AuditRow]:
    for row in plan.plan.criteria[:2]:
        yield AuditRow(
            what=clip(f"The record from which success is read: {row.text}", 300),
            evidence=clip(f"Raw data behind the figure: {row.measure}", 300),
            role=_not(brief, row.role),
            when=clip(f"two weeks before {gate_text(brief, 'launch')}, then at {row.when}", 120),
            on_finding="Counted again by the second person; both figures are shown until they agree",
        )


def _tabled(brief: Brief) -> Iterator[AuditRow]:
    for row in brief.rows("audits", Audit)[:4]:
        yield AuditRow(
            what=clip(row.check, 300),
            evidence=f"Section “{row.look_in.replace('_', ' ')}” of this plan and the papers behind it",
            role=brief.role_title("quality"),
            when=clip(gate_text(brief, "design"), 120),
            on_finding=clip(row.fix, 300),
        )


def _other(brief: Brief, function: str) -> str:
    """Somebody who does not answer for *function*: an outsider in a small project."""
    outsider = brief.role_title("legal" if function != "legal" else "finance")
    return (
        f"{outsider} or another outsider" if brief.scale != "large" else f"internal audit, or {lower_first(outsider)}"
    )


def _not(brief: Brief, role: str) -> str:
    found = next(r for r in ("finance", "quality", "lead") if brief.role_title(r) != role)
    return brief.role_title(found)


def monitoring(brief: Brief, plan: ProjectPlan) -> MonitoringAnswer:
    """Return the figures that are watched: money, gates, success figures, first signs of the heaviest risks."""
    rows = [*_money(brief, plan), *_gates(brief, plan), *_success(plan), *_signs(brief)]
    return MonitoringAnswer(indicators=rows[:12])


def _money(brief: Brief, plan: ProjectPlan) -> Iterator[IndicatorRow]:
    budget = plan.budget
    first = next((n for n, amount in enumerate(budget.phase_totals) if amount), 0)
    yield IndicatorRow(
        indicator=f"Spent and ordered in “{plan.phases[first].title}”",
        source="Order list and bank statement, added up by budget line",
        frequency="monthly, at month's end",
        threshold=f"above {line_text(budget, budget.phase_totals[first])} before {day_text(plan.phases[first].last)}",
        action="Orders of the phase stop until the line is found that pays for it",
        role=brief.role_title("finance"),
    )
    share = budget.contingency / (budget.total or 1)
    yield IndicatorRow(
        indicator="Contingency left against the cost of the work left",
        source="Release entries in the decision log; forecast at completion by line",
        frequency="monthly",
        threshold=f"below {share:.1%} of the cost still to come (the share at the start)",
        action="Next release only with a line that gives it back",
        role=brief.role_title("finance"),
    )


def _gates(brief: Brief, plan: ProjectPlan) -> Iterator[IndicatorRow]:
    nxt = plan.plan.milestones[0]
    yield IndicatorRow(
        indicator=clip(f"Forecast of each gate against its date, next: {nxt.title}, {day_text(nxt.day)}", 300),
        source="Schedule, moved by the one who does the work, not by the one who reports",
        frequency="weekly",
        threshold="5 working days behind, or three weeks in a row later than the week before",
        action=f"Choose that week: more hands, less scope, or {brief.words['launch']} later, told to those who wait",
        role=brief.role_title("operations"),
    )


def _success(plan: ProjectPlan) -> Iterator[IndicatorRow]:
    for row in [c for c in plan.plan.criteria if not c.id.startswith(("cap", "kept"))][:4]:
        yield IndicatorRow(
            indicator=row.text,
            source=clip(row.measure, 200),
            frequency="weekly from the first day on which it can be counted",
            threshold=clip(f"halfway to its date the trend does not lead to: {row.threshold}", 240),
            action=clip(f"Cause and one change on paper within two weeks; decided on {row.when}", 300),
            role=row.role,
        )


def _signs(brief: Brief) -> Iterator[IndicatorRow]:
    heavy = sorted(brief.rows("risks", Risk), key=lambda r: -r.likelihood * r.severity)[2:6]
    for risk in heavy:
        owner = lower_first(brief.role_title(risk.owner))
        yield IndicatorRow(
            indicator=clip(f"First sign of “{lower_first(risk.title)}”", 300),
            source=clip(f"Watched by the {owner} until {day_text(gate_day(brief, risk.phase))}", 200),
            frequency="weekly",
            threshold=clip(risk.trigger, 240),
            action=clip(risk.action, 300),
            role=brief.role_title(risk.owner),
        )
