"""Findings on rows that lack a part: responses without money, decisions without alternative, gates without tests."""

from collections.abc import Iterator
from itertools import chain

from planloom.planes.strategic.compute.computed import Finding
from planloom.planes.strategic.compute.found import Place, finding
from planloom.planes.strategic.compute.view import PlanView
from planloom.planes.strategic.quality_score import Severity
from planloom.planes.strategic.spine.rows import Option

#: From which expected cost of a risk, as a share of all lines, a response without money matters.
MATERIAL = 0.01

#: The fields that a gate needs: the check and severity without it, what is missing, and what to add.
_GATES: tuple[tuple[str, str, Severity, str, str], ...] = (
    ("conditions", "gates.no_conditions", "medium", "has no condition", "a measure with the value that passes"),
    ("decided_by", "gates.nobody_decides", "low", "names nobody who decides", "the role or party that decides"),
)


def missing_findings(view: PlanView) -> Iterator[Finding]:
    """Yield the findings."""
    checks = (_risks, _decisions, _gates, _demands, _approvals, _undated_sources)
    return chain.from_iterable(check(view) for check in checks)


def _risks(view: PlanView) -> Iterator[Finding]:
    whole = sum(line.amount for line in view.spine.lines)
    covered = {id for drawn in view.drawn if drawn.expected <= drawn.amount for id in drawn.risks}
    for risk in view.spine.risks:
        # without lines there is no money to compare with
        if risk.package or risk.all_lines or not risk.cost or not whole or risk.id in covered:
            continue
        yield finding(
            "money.risk_without_money",
            "medium" if risk.cost * risk.odds > MATERIAL * whole else "low",
            "The response to a risk is no package and no line pays for it.",
            f"Give {risk.id} a package or a line, or name the contingency that it draws on.",
            (risk, f"costs {view.money(risk.cost)} at odds of {risk.odds:.0%}"),
            *view.places(risk.hits, f"is hit by {risk.id}"),
            ("lines", "none pays for it"),
        )


def _decisions(view: PlanView) -> Iterator[Finding]:
    for decision in view.spine.decisions:
        others = [option for option in decision.options if option.key != decision.recommended]
        chosen = next((option for option in decision.options if option.key == decision.recommended), None)
        said = f"{len(decision.options)} option"
        if len(decision.options) >= 2:
            if not chosen or not _costed(chosen) or any(map(_costed, others)):
                continue
            said = f"only option {chosen.key} has cost or days"
        options: list[Place] = [(f"{decision.id} option {o.key}", f"{o.title}: no cost, no days") for o in others[:2]]
        freed = view.places(decision.frees, f"waits for {decision.id}")
        yield finding(
            "decisions.no_alternative_costed",
            "medium",
            "A decision has no costed alternative.",
            "Cost one real alternative as far as the recommended one, doing nothing included.",
            (decision, said),
            *(options or freed or [("decisions", "no other option of it")]),
        )


def _costed(option: Option) -> bool:
    return bool(option.cost or option.days)


def _gates(view: PlanView) -> Iterator[Finding]:
    for gate in view.spine.gates:
        for field, check, severity, said, what in _GATES:
            if not getattr(gate, field):
                freed = view.places(gate.frees, f"waits for {gate.id}")
                places = freed or [("gates", f"nothing waits for {gate.id}")]
                yield finding(check, severity, f"A gate {said}.", f"Give {gate.id} {what}.", (gate, said), *places)


def _demands(view: PlanView) -> Iterator[Finding]:
    for demand in view.spine.demands:
        if not demand.met_by:
            yield finding(
                "demands.met_by_nothing",
                "high" if demand.due else "medium",
                "No package meets a demand.",
                f"Name the package whose end meets {demand.id}, or say that the plan does not meet it.",
                (demand, demand.text[:120]),
                ("packages", f"none is said to meet {demand.id}"),
            )


def _approvals(view: PlanView) -> Iterator[Finding]:
    for approval in view.spine.approvals:
        if lacks := [word for word in ("party", "papers") if not getattr(approval, word)]:
            freed = view.places(approval.frees, "waits for it")
            yield finding(
                "approvals.without_owner",
                "low",
                f"An approval has no {' and no '.join(lacks)}.",
                f"Say who gives {approval.id} and which package makes its papers.",
                (approval, f"no {' and no '.join(lacks)}"),
                *(freed or [("approvals", f"nothing waits for {approval.id}")]),
            )


def _undated_sources(view: PlanView) -> Iterator[Finding]:
    """A source without a day counts from the start: what is computed of cash rests on that."""
    for source in view.spine.sources:
        if source.day is None and not source.after and source.status != "there" and source.amount:
            yield finding(
                "money.source_without_day",
                "low",
                "A source of money has no day.",
                f"Say when {source.id} is on the account.",
                (source, f"{view.money(source.amount)}, {source.status}, no day"),
                ("cash", "counts it from the start"),
            )
