"""Findings on rows that lack a part: responses without money, decisions without alternative, gates without tests."""

from collections.abc import Iterator

from planloom.compute.computed import Finding
from planloom.compute.found import finding, named
from planloom.compute.view import PlanView
from planloom.domain.quality import Severity
from planloom.spine.rows import Decision, Gate, Option, Row

Place = tuple[Row | str, str]

#: From which expected cost of a risk, as a share of all lines, a response without money matters.
MATERIAL = 0.01


def missing_findings(view: PlanView) -> Iterator[Finding]:
    """Yield the findings."""
    yield from _risks(view)
    for decision in view.spine.decisions:
        yield from _decision(view, decision)
    for gate in view.spine.gates:
        yield from _gate(view, gate)
    yield from _demands(view)
    yield from _approvals(view)
    yield from _undated_sources(view)


def _risks(view: PlanView) -> Iterator[Finding]:
    whole = sum(line.amount for line in view.spine.lines)
    for risk in view.spine.risks:
        if risk.package or risk.line or not (risk.cost or risk.days or risk.response):
            continue
        material = risk.cost * risk.odds > MATERIAL * whole and risk.cost > 0
        hits: list[Place] = [(view.rows[id], f"is hit by {risk.id}") for id in risk.hits if id in view.rows][:2]
        yield finding(
            "money.risk_without_money",
            "medium" if material else "low",
            [
                (risk, f"costs {view.money(risk.cost)} at odds of {risk.odds:.0%}"),
                *hits,
                ("lines", "none pays for it"),
            ],
            f"The response to {named(risk)} is no package and no line pays for it.",
            f"Give {risk.id} a package or a line, or accept it and say so.",
        )


def _decision(view: PlanView, decision: Decision) -> Iterator[Finding]:
    freed: list[Place] = [(view.rows[id], f"waits for {decision.id}") for id in decision.frees if id in view.rows][:2]
    others = [option for option in decision.options if option.key != decision.recommended]
    chosen = [option for option in decision.options if option.key == decision.recommended]
    if len(decision.options) < 2:
        said = f"{len(decision.options)} option"
        text = f"{named(decision)} has fewer than two options: nothing is decided."
    elif chosen and _costed(chosen[0]) and not any(_costed(option) for option in others):
        said = f"only option {chosen[0].key} has cost or days"
        text = f"{named(decision)} costs option {chosen[0].key} and none of the others."
    else:
        return
    options: list[Place] = [(f"{decision.id} option {o.key}", f"{o.title}: no cost, no days") for o in others[:2]]
    yield finding(
        "decisions.no_alternative_costed",
        "medium",
        [(decision, said), *(options or freed or [("decisions", "no other option of it")])],
        text,
        "Cost one real alternative as far as the recommended one, doing nothing included.",
    )


def _costed(option: Option) -> bool:
    return bool(option.cost or option.days)


def _gate(view: PlanView, gate: Gate) -> Iterator[Finding]:
    lacks = [
        (
            not gate.conditions,
            "gates.no_conditions",
            "medium",
            "has no condition",
            "a measure with the value that passes",
        ),
        (
            not gate.decided_by,
            "gates.nobody_decides",
            "low",
            "names nobody who decides",
            "the role or party that decides",
        ),
    ]
    severity: Severity
    for lacking, check, severity, said, what in lacks:  # type: ignore[assignment]
        if lacking:
            frees: list[Place] = [(view.rows[id], f"waits for {gate.id}") for id in gate.frees if id in view.rows][:2]
            yield finding(
                check,
                severity,
                [(gate, said), *(frees or [("gates", f"nothing waits for {gate.id}")])],
                f"{named(gate)} {said}.",
                f"Give {gate.id} {what}.",
            )


def _demands(view: PlanView) -> Iterator[Finding]:
    for demand in view.spine.demands:
        if not demand.met_by:
            yield finding(
                "demands.met_by_nothing",
                "high" if demand.due else "medium",
                [(demand, demand.text[:120]), ("packages", f"none is said to meet {demand.id}")],
                f"No package meets {named(demand)}.",
                f"Name the package whose end meets {demand.id}, or say that the plan does not meet it.",
            )


def _approvals(view: PlanView) -> Iterator[Finding]:
    for approval in view.spine.approvals:
        lacks = [word for word, there in (("party", approval.party), ("papers", approval.papers)) if not there]
        if lacks:
            frees: list[Place] = [(view.rows[id], "waits for it") for id in approval.frees if id in view.rows][:2]
            yield finding(
                "approvals.without_owner",
                "low",
                [
                    (approval, f"no {' and no '.join(lacks)}"),
                    *(frees or [("approvals", f"nothing waits for {approval.id}")]),
                ],
                f"{named(approval)} has no {' and no '.join(lacks)}.",
                f"Say who gives {approval.id} and which package makes its papers.",
            )


def _undated_sources(view: PlanView) -> Iterator[Finding]:
    """A source without a day counts from the start: what is computed of cash rests on that."""
    for source in view.spine.sources:
        if source.day is None and not source.after and source.status != "there" and source.amount:
            yield finding(
                "money.source_without_day",
                "low",
                [
                    (source, f"{view.money(source.amount)}, {source.status}, no day"),
                    ("cash", "counts it from the start"),
                ],
                f"{named(source)} has no day; the cash counts it from the start.",
                f"Say when {source.id} is on the account.",
            )
