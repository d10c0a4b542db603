"""Findings on rows that lack a part: responses without money, decisions without alternative, gates without tests."""

from collections.abc import Iterator

from planloom.planes.strategic.compute.computed import Finding
from planloom.planes.strategic.compute.found import Place, all_of
from planloom.planes.strategic.compute.view import PlanView
from planloom.planes.strategic.quality_score import Severity
from planloom.planes.strategic.spine.rows import Option

#: From which expected cost of a risk, as a share of all lines, a response without money matters.
MATERIAL = 0.01

#: The fields that a gate needs, each with the check.
_GATES = (("conditions", "gates.no_conditions"), ("decided_by", "gates.nobody_decides"))


def _risks(view: PlanView) -> Iterator[Finding]:
    whole = sum(line.amount for line in view.spine.lines)
    covered = {id for drawn in view.drawn if drawn.expected <= drawn.amount for id in drawn.risks}
    for risk in view.spine.risks:
        # without lines there is no money to compare with
        if risk.package or risk.all_lines or not risk.cost or not whole or risk.id in covered:
            continue
        hit = view.places(risk.hits, f"is hit by {risk.id}")
        severe = risk.cost * risk.odds > MATERIAL * whole
        paid = ("lines", "none pays for it")
        yield view.finding("money.risk_without_money", risk, *hit, paid, severity="medium" if severe else None)


def _decisions(view: PlanView) -> Iterator[Finding]:
    for decision in view.spine.decisions:
        others = [option for option in decision.options if option.key != decision.recommended]
        chosen = decision.chosen
        said = f"{len(decision.options)} option"
        if len(decision.options) >= 2:
            if not chosen or not _costed(chosen) or any(map(_costed, others)):
                continue
            said = f"only option {chosen.key} has cost or days"
        options: list[Place] = [(f"{decision.id} option {o.key}", f"{o.title}: no cost, no days") for o in others[:2]]
        freed = view.places(decision.frees, f"waits for {decision.id}")
        places = options or freed or [("decisions", "no other option of it")]
        yield view.finding("decisions.no_alternative_costed", (decision, said), *places)


def _costed(option: Option) -> bool:
    return bool(option.cost or option.days)


def _gates(view: PlanView) -> Iterator[Finding]:
    for gate in view.spine.gates:
        for check in (check for field, check in _GATES if not getattr(gate, field)):
            freed = view.places(gate.frees, f"waits for {gate.id}")
            yield view.finding(check, gate, *(freed or [("gates", f"nothing waits for {gate.id}")]))


def _demands(view: PlanView) -> Iterator[Finding]:
    for demand in view.spine.demands:
        if not demand.met_by:
            severity: Severity | None = "high" if demand.due else None
            yield view.finding("demands.met_by_nothing", demand, "packages", severity=severity)


def _approvals(view: PlanView) -> Iterator[Finding]:
    for approval in view.spine.approvals:
        if lacks := [word for word in ("party", "papers") if not getattr(approval, word)]:
            freed = view.places(approval.frees, "waits for it") or [("approvals", f"nothing waits for {approval.id}")]
            yield view.finding("approvals.without_owner", approval, *freed, lacks=f"no {' and no '.join(lacks)}")


def _undated_sources(view: PlanView) -> Iterator[Finding]:
    """A source without a day counts from the start: what is computed of cash rests on that."""
    for source in view.spine.sources:
        if source.day is None and not source.after and source.status != "there" and source.amount:
            yield view.finding("money.source_without_day", source, "cash")


missing_findings = all_of(_risks, _decisions, _gates, _demands, _approvals, _undated_sources)
