"""Findings on money before its time: paid before granted, bound before approved, reserves used twice, fallbacks."""

from collections.abc import Iterator
from datetime import date, timedelta

from planloom.planes.strategic.compute.calendars import day_of
from planloom.planes.strategic.compute.cash import granted_day
from planloom.planes.strategic.compute.causes import counted_once, expected_cost, whole_cost
from planloom.planes.strategic.compute.computed import Finding
from planloom.planes.strategic.compute.found import all_of
from planloom.planes.strategic.compute.view import PlanView
from planloom.planes.strategic.quality_score import Severity
from planloom.planes.strategic.spine.rows import KEPT, Demand, Line, Risk


def _paid_before_granted(view: PlanView) -> Iterator[Finding]:
    """Payments exceed all that depends on no later answer, while a source still waits for its approval."""
    waiting = {s.id: day for s in view.spine.sources if (day := granted_day(s, view.schedule))}
    grants = sorted((s for s in view.spine.sources if s.id in waiting), key=lambda s: (waiting[s.id], s.id))
    free = sum(s.amount for s in view.spine.sources if s.id not in waiting)
    paid = 0.0
    for flow in view.cash.payments:
        paid += flow.amount
        while grants and waiting[grants[0].id] <= flow.day:
            free += grants.pop(0).amount
        earned = view.cash.earned_by(flow.day) if grants and paid > free + 1 else 0.0
        if grants and paid > free + earned + 1:
            # the next one answers whether this was right; those after it depend on it
            source = grants[0]
            places = (view.rows[flow.id], source, view.rows[source.after])
            short, granted = paid - free - earned, waiting[source.id]
            yield view.finding("order.paid_before_granted", *places, short=short, day=flow.day, granted=granted)
            return


def _bound_above_approved(view: PlanView) -> Iterator[Finding]:
    """An order, tender or contract binds more than is approved or certain on its day; the first such line is named."""
    later = _later_money(view)
    others = frozenset(line.id for line in view.spine.lines) - {flow.id for flow in view.cash.bound}
    for flow in view.cash.bound if later else ():
        bound = sum(one.amount for one in view.cash.bound if one.day <= flow.day)
        spent, free = bound + view.cash.paid_by(flow.day, others), _approved(view, flow.day)
        pending = next(((view.rows[id], day) for id, day in later if day > flow.day), None)
        if pending and spent > free + 1:
            row, answer = pending
            yield view.finding(
                "order.commitment_above_approved",
                view.rows[flow.id],
                row,
                spent=spent,
                free=free,
                amount=flow.amount,
                day=flow.day,
                answer=answer,
            )
            return


def _later_money(view: PlanView) -> list[tuple[str, date]]:
    """Approvals that release money and answers that sources wait for, with their days, in order."""
    days = {s.after: day for s in view.spine.sources if (day := granted_day(s, view.schedule))}
    days |= {approval.id: answer for approval, answer in view.answers() if approval.releases}
    return sorted(days.items(), key=lambda pair: (pair[1], pair[0]))


def _approved(view: PlanView, day: date) -> float:
    """Money that is there or approved by *day*: what is earned, sources that depend on nothing later, and releases that
    no source represents.
    """
    free = sum(s.amount for s in view.spine.sources if (granted_day(s, view.schedule) or date.min) <= day)
    free += view.cash.earned_by(day)
    sourced = {s.after for s in view.spine.sources}
    return free + sum(a.releases for a, answer in view.answers() if a.id not in sourced and answer <= day)


def _reserve_used_twice(view: PlanView) -> Iterator[Finding]:
    """Risks are to be paid from one line of contingency or reserve, which is too small for all of them.

    Contingency is pooled, since not all risks happen: there it is low as long as the expected cost is covered.
    """
    for drawn in view.drawn:
        line: Line = view.rows[drawn.line]
        risks = [view.rows[id] for id in drawn.risks if line.id in view.rows[id].all_lines]
        whole, expected = whole_cost(risks), expected_cost(risks)
        if whole <= line.amount:
            continue
        check = "order.reserve_used_twice" if len(counted_once(risks)) > 1 else "order.reserve_too_small"
        severity: Severity | None = "low" if line.kind == "contingency" and expected <= line.amount else None
        costs = ((risk, f"costs {view.money(risk.cost)} and is paid from {line.id}") for risk in risks[:6])
        yield view.finding(check, line, *costs, severity=severity, whole=whole, expected=expected)


def _reserve_spent(view: PlanView) -> Iterator[Finding]:
    """A reserve pays for a package that goes ahead anyway; contingency is spent with its package by its nature."""
    responses = {risk.package for risk in view.spine.risks}
    for line in view.spine.lines:
        package = view.rows.get(line.package)
        if line.kind == "reserve" and package and line.package not in responses:
            yield view.finding("order.reserve_spent", line, package)


def _response_paid_elsewhere(view: PlanView) -> Iterator[Finding]:
    """The response to a risk is paid by a line of other work."""
    for risk in view.spine.risks:
        for line in (view.rows[id] for id in risk.all_lines if id in view.rows):
            other = line.package in view.rows and line.kind not in KEPT
            if other and risk.package and risk.package not in line.all_packages:
                yield view.finding("order.response_paid_elsewhere", risk, line)


def _fallback_too_long(view: PlanView) -> Iterator[Finding]:
    """A response begins at its trigger and ends after what it replaces could slip: a note with the numbers.

    It is severe where, with the response in the place of what is hit, a demand misses its day.
    """
    for risk in view.spine.risks:
        fallback = view.dated(risk.package)
        hits = [dated for id in risk.hits if (dated := view.dated(id))]
        if fallback is None or risk.trigger_by is None or not hits or risk.package in risk.hits:
            continue
        # what others wait for, done before the trigger, is a precaution; what nothing waits for is placed early only
        # because nothing says otherwise
        ready = fallback.end <= risk.trigger_by
        if ready and risk.package in view.before.needed:
            continue
        end = risk.trigger_by + min(date.max - risk.trigger_by, fallback.end - fallback.start)
        last = max(hits, key=lambda dated: (dated.end, dated.id))
        # slack is in working days
        limit = last.end + min(timedelta(days=max(0, last.slack) * 7 // 5), date.max - last.end)
        missed = _missed_with(view, risk, end)
        if end <= limit and not missed:
            continue
        advice = f"No day of a demand is missed: say in {risk.id} by how much the work moves, or leave it."
        if missed:
            advice = f"Move the trigger of {risk.id} earlier, or say what {risk.package} saves when it comes late."
        yield view.finding(
            "order.fallback_too_long", risk, view.rows[risk.package], view.rows[last.id],
            *((demand, f"due {demand.due}, with the response {day}") for demand, day in missed),
            severity=None if not missed else "medium" if ready else "high", advice=advice,
            end=end, days=(fallback.end - fallback.start).days + 1, last=last, limit=limit,
        )  # fmt: skip


def _missed_with(view: PlanView, risk: Risk, end: date) -> list[tuple[Demand, date]]:
    """Return the demands that miss their day if what *risk* hits ends on *end*, and would hold it otherwise."""
    network, lengths, found = view.schedule.network, view.schedule.lengths, []
    late = {network.at[id]: (end - dated.end).days for id in risk.hits if (dated := view.dated(id))}
    _, base = network.forward(lengths, moves=True)
    _, ended = network.forward(lengths, moves=True, least={at: base[at] + max(0, days) for at, days in late.items()})
    for demand in view.spine.demands:
        met = [network.at[id] for id in demand.met_by if id in network.at]
        due = demand.due.toordinal() + 1 if demand.due and not demand.begins else 0
        if due and met and max(base[at] for at in met) <= due < max(ended[at] for at in met):
            found.append((demand, day_of(max(ended[at] for at in met) - 1)))
    return found


reserve_findings = all_of(
    _paid_before_granted, _bound_above_approved, _reserve_used_twice, _reserve_spent, _response_paid_elsewhere,
    _fallback_too_long,
)  # fmt: skip
