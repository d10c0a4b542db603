"""Findings on money before its time: paid before granted, bound before approved, reserves used twice, fallbacks."""

from collections.abc import Iterator
from datetime import date, timedelta

from planloom.compute.cash import KEPT, Flow, granted_day
from planloom.compute.computed import Finding
from planloom.compute.found import finding, named
from planloom.compute.view import PlanView
from planloom.domain.wording import day_text
from planloom.spine.rows import Line, Risk, Source


def order_money_findings(view: PlanView) -> Iterator[Finding]:
    """Yield the findings."""
    yield from _paid_before_granted(view)
    yield from _bound_above_approved(view)
    yield from _reserve_used_twice(view)
    yield from _reserve_spent(view)
    yield from _fallback_too_long(view)


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
        if grants and paid > free + 1:
            # the next one answers whether this was right; those after it depend on it
            yield _unpaid_grant(view, grants[0], waiting[grants[0].id], flow, paid - free)
            return


def _unpaid_grant(view: PlanView, source: Source, granted: date, flow: Flow, beyond: float) -> Finding:
    line, waits = view.rows[flow.id], view.rows[source.after]
    return finding(
        "order.paid_before_granted",
        "high",
        [
            (line, f"paid {day_text(flow.day)}"),
            (source, f"{view.money(source.amount)}, depends on {source.after}"),
            (waits, f"on {day_text(granted)}"),
        ],
        f"On {day_text(flow.day)} {named(line)} is paid; with it payments exceed by {view.money(beyond)} all money "
        f"that is certain by then. {named(source)} waits for {named(waits)} on {day_text(granted)}.",
        f"Pay {line.id} after {day_text(granted)}, have {source.after} answered earlier, or name who lends until then.",
    )


def _bound_above_approved(view: PlanView) -> Iterator[Finding]:
    """An order, tender or contract binds more than is approved or certain on its day; the first such line is named."""
    later = _later_money(view)
    if not later:
        return
    bound_lines = {flow.id for flow in view.cash.bound}
    others = frozenset(line.id for line in view.spine.lines) - bound_lines
    for flow in view.cash.bound:
        spent = view.cash.bound_by(flow.day) + view.cash.paid_by(flow.day, others)
        free = _approved(view, flow.day)
        pending = next(((id, day) for id, day in later if day > flow.day), None)
        if pending and spent > free + 1:
            line, waits = view.rows[flow.id], view.rows[pending[0]]
            yield finding(
                "order.commitment_above_approved",
                "high",
                [
                    (line, f"{view.money(flow.amount)} bound {day_text(flow.day)} by {line.package}"),
                    (waits, f"on {day_text(pending[1])}"),
                ],
                f"On {day_text(flow.day)} {line.package} binds {named(line)}: {view.money(spent)} are bound or paid "
                f"then, {view.money(free)} approved. {named(waits)} follows on {day_text(pending[1])}.",
                f"Let {line.package} wait for {waits.id}, or split the order at what is approved.",
            )
            return


def _later_money(view: PlanView) -> list[tuple[str, date]]:
    """Approvals that release money and answers that sources wait for, with their days, in order."""
    days = {s.after: day for s in view.spine.sources if (day := granted_day(s, view.schedule))}
    for approval in view.spine.approvals:
        if approval.releases and approval.id in view.schedule.approvals:
            days[approval.id] = view.schedule.approvals[approval.id]
    return sorted(days.items(), key=lambda pair: (pair[1], pair[0]))


def _approved(view: PlanView, day: date) -> float:
    """Money that is approved by *day*: sources that depend on nothing later, and releases that no source stands for."""
    free = sum(s.amount for s in view.spine.sources if (granted_day(s, view.schedule) or date.min) <= day)
    sourced = {s.after for s in view.spine.sources}
    return free + sum(
        approval.releases
        for approval in view.spine.approvals
        if approval.id not in sourced and view.schedule.approvals.get(approval.id, date.max) <= day
    )


def _reserve_used_twice(view: PlanView) -> Iterator[Finding]:
    """Two risks are to be paid from one line of contingency or reserve, which is too small for both.

    Contingency is pooled, since not all risks happen: there it is low as long as the expected cost is covered.
    """
    for line in view.spine.lines:
        risks = [risk for risk in view.spine.risks if risk.line == line.id and risk.cost]
        whole = sum(risk.cost for risk in risks)
        if line.kind not in KEPT or len(risks) < 2 or whole <= line.amount:
            continue
        expected = sum(risk.cost * risk.odds for risk in risks)
        pooled = line.kind == "contingency" and expected <= line.amount
        yield finding(
            "order.reserve_used_twice",
            "low" if pooled else "medium",
            [(line, f"{view.money(line.amount)}, {line.kind}"), *_claims(view, risks)],
            f"{named(line)} has {view.money(line.amount)}; {', '.join(risk.id for risk in risks)} rely on it and "
            f"cost {view.money(whole)} together, {view.money(expected)} by their odds.",
            "Give each response a line of its own, or say which risk goes without.",
        )


def _claims(view: PlanView, risks: list[Risk]) -> list[tuple[Risk, str]]:
    return [(risk, f"costs {view.money(risk.cost)} and is paid from {risk.line}") for risk in risks[:6]]


def _reserve_spent(view: PlanView) -> Iterator[Finding]:
    """A reserve pays for a package that goes ahead anyway, or a response is paid by a line of other work."""
    responses = {risk.package for risk in view.spine.risks}
    for line in view.spine.lines:
        package = view.rows.get(line.package)
        # contingency is spent with its package by its nature, a reserve is not
        if line.kind == "reserve" and package and line.package not in responses:
            yield finding(
                "order.reserve_spent",
                "medium",
                [(line, f"{line.kind} of {view.money(line.amount)}"), (package, f"is paid by {line.id}")],
                f"{named(line)} is kept as {line.kind} and at once pays for {named(package)}.",
                f"Give {package.id} a line of its own, or call {line.id} what it is.",
            )
    for risk in view.spine.risks:
        paid_by: Line | None = view.rows.get(risk.line)
        other = view.rows.get(paid_by.package) if paid_by and paid_by.kind not in KEPT else None
        if paid_by and other and risk.package and paid_by.package != risk.package:
            yield finding(
                "order.response_paid_elsewhere",
                "medium",
                [(risk, f"its response {risk.package} is paid from {paid_by.id}"), (paid_by, f"pays for {other.id}")],
                f"The response to {named(risk)} is paid from {named(paid_by)}, which pays for {named(other)}.",
                f"Give {risk.package} a line of its own.",
            )


def _fallback_too_long(view: PlanView) -> Iterator[Finding]:
    """A response begins at its trigger and ends after the day that the package which it replaces must hold."""
    for risk in view.spine.risks:
        fallback = view.dated(risk.package)
        if fallback is None or risk.trigger_by is None:
            continue
        # what others wait for, done before the trigger, is a precaution; what nothing waits for is placed early only
        # because nothing says otherwise
        if fallback.end <= risk.trigger_by and risk.package in view.before.needed:
            continue
        limit = _limit(view, risk)
        if limit is None or risk.package in risk.hits:
            continue
        last = date.max - risk.trigger_by
        ends = risk.trigger_by + min(last, fallback.end - fallback.start)
        if ends > limit[1]:
            row = view.rows[risk.package]
            yield finding(
                "order.fallback_too_long",
                # placed before its trigger it may be a precaution that nothing waits for
                "medium" if fallback.end <= risk.trigger_by else "high",
                [
                    (risk, f"trigger by {day_text(risk.trigger_by)}"),
                    (row, f"takes {(fallback.end - fallback.start).days + 1} calendar days"),
                    (view.rows[limit[0]], f"must hold {day_text(limit[1])}"),
                ],
                f"If {named(risk)} is seen on {day_text(risk.trigger_by)}, {named(row)} ends {day_text(ends)}, after "
                f"{named(view.rows[limit[0]])} must hold on {day_text(limit[1])}.",
                f"Set the trigger earlier by {(ends - limit[1]).days} days, or prepare {row.id} before it.",
            )


def _limit(view: PlanView, risk: Risk) -> tuple[str, date] | None:
    """The first day due of a demand that the hit packages meet, else the last end of them with its slack."""
    dues = [(d.due, d.id) for d in view.spine.demands if d.due and set(d.met_by) & set(risk.hits)]
    if dues:
        due, id = min(dues)
        return id, due
    hits = [dated for id in risk.hits if (dated := view.dated(id))]
    if not hits:
        return None
    last = max(hits, key=lambda dated: (dated.end, dated.id))
    # slack is in working days
    slack = timedelta(days=max(0, last.slack) * 7 // 5)
    return last.id, last.end + min(slack, date.max - last.end)
