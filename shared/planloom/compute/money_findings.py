"""Findings on money: limits, sources, the funding gap, contingency, working capital, and losses."""

from collections.abc import Callable, Iterator

from planloom.compute.cash import KEPT
from planloom.compute.computed import Finding
from planloom.compute.found import finding
from planloom.compute.line_findings import line_findings
from planloom.compute.missing_findings import missing_findings
from planloom.compute.operating import working_capital, years
from planloom.compute.sums import by_name, sums
from planloom.compute.view import PlanView
from planloom.domain.wording import day_text
from planloom.spine.rows import Row, Source

#: Below which share of the budget lines are likely to be missing.
LITTLE = 0.6

Place = tuple[Row | str, str]


def money_findings(view: PlanView) -> list[Finding]:
    """Return all findings on money, and on risks, decisions, gates, demands and approvals that lack a part."""
    checks: tuple[Callable[[PlanView], Iterator[Finding]], ...] = (
        _budget,
        _sources,
        _gap,
        _no_contingency,
        _working_capital,
        _runs_at_a_loss,
        line_findings,
        missing_findings,
    )
    return [found for check in checks for found in check(view)]


def _budget(view: PlanView) -> Iterator[Finding]:
    """The lines together exceed the budget of the goal, or are so far below it that some are missing."""
    budget, found = view.spine.frame.budget, by_name(sums(view.spine))
    if not budget or not found["total"]:
        return
    total = found["total"]
    places: list[Place] = [("frame", f"budget {view.money(budget)}"), *_largest(view)]
    if total > budget + 1:
        yield finding(
            "money.above_budget",
            "high",
            places,
            f"All lines together are {view.money(total)}, {view.money(total - budget)} above the budget of "
            f"{view.money(budget)}.",
            "Reduce lines, or decide with its cost what is left out.",
        )
    elif total < LITTLE * budget:
        yield finding(
            "money.far_below_budget",
            "low",
            places,
            f"All lines together are {view.money(total)}, {total / budget:.0%} of the budget of {view.money(budget)}.",
            "Add the lines that are missing, or say what the rest is for.",
        )


def _sources(view: PlanView) -> Iterator[Finding]:
    """The lines exceed the sources, or there are none."""
    found = by_name(sums(view.spine))
    cost, total, sources = found["cost"], found["total"], found["sources"]
    if not total or sources >= total - 1:
        return
    if not sources:
        yield finding(
            "money.no_sources",
            "medium",
            [("sources", "none"), *_largest(view)],
            f"The lines cost {view.money(total)} and no source of money is named.",
            "Name who pays, how much and from which day.",
        )
        return
    rows: list[Place] = [(s, view.money(s.amount)) for s in _by_amount(view)[:3]]
    yield finding(
        "money.above_sources",
        "high" if sources < cost - 1 else "medium",
        [*_largest(view), *rows],
        f"The lines cost {view.money(total)} with contingency and reserve, {view.money(cost)} without; the "
        f"sources give {view.money(sources)}.",
        f"Find {view.money(total - sources)} more, or reduce lines.",
    )


def _gap(view: PlanView) -> Iterator[Finding]:
    """Payments come before money although the sources would be enough."""
    (gap, day), found = view.cash.gap, by_name(sums(view.spine))
    if day is None or not found["sources"] or gap <= max(0.0, found["cost"] - found["sources"]) + 1:
        return
    paid = max((f for f in view.cash.flows if f.amount < 0 and f.day <= day), key=lambda f: (f.day, -f.amount))
    places: list[Place] = [(view.rows[paid.id], f"paid {day_text(paid.day)}")]
    coming = [flow for flow in view.cash.flows if flow.amount > 0 and flow.day >= day]
    places += [(view.rows[flow.id], f"comes {day_text(flow.day)}") for flow in coming[:1]]
    places.append(("cash", f"{view.money(-gap)} on {day_text(day)}"))
    yield finding(
        "money.funding_gap",
        "high",
        places,
        f"On {day_text(day)} payments exceed all receipts until then by {view.money(gap)}.",
        f"Pay {paid.id} later, get a source earlier, or add a loan of {view.money(gap)} with its cost.",
    )


def _no_contingency(view: PlanView) -> Iterator[Finding]:
    lines = view.spine.lines
    if any(line.amount for line in lines) and not any(line.kind in KEPT and line.amount for line in lines):
        yield finding(
            "money.no_contingency",
            "medium",
            [("lines", "none is contingency or reserve"), *_largest(view)],
            "No line is kept for what goes wrong.",
            "Add a line of contingency with the share of cost that the estimate needs.",
        )


def _working_capital(view: PlanView) -> Iterator[Finding]:
    """Operation pays before it earns, and no surplus of sources and no line of running cost or reserve covers it."""
    dip, month = working_capital(view.schedule)
    # what never pays for itself is another finding, and has no working capital
    if all(year.result < 0 for year in years(view.schedule)):
        return
    found = by_name(sums(view.spine))
    kept = sum(line.amount for line in view.spine.lines if line.kind in ("running", "reserve"))
    cover = kept + (max(0.0, found["sources"] - found["total"]))
    late = [stream for stream in view.spine.streams if stream.paid_after or stream.ramp_months]
    if month is None or not late or dip <= cover + 1:
        return
    places: list[Place] = [
        (s, f"paid {s.paid_after} days after sale, {s.ramp_months} months to full") for s in late[:3]
    ]
    upkeep: list[Place] = [(u, f"{view.money(u.likely)} a year") for u in view.spine.upkeep[:2]]
    yield finding(
        "money.working_capital",
        "medium",
        [*places, *upkeep, ("lines and sources", f"cover {view.money(cover)} of it")],
        f"By {month:%B %Y} operation has paid {view.money(dip)} more than it has received; lines and sources cover "
        f"{view.money(cover)}.",
        f"Add a line or a source of {view.money(dip - cover)} for it.",
    )


def _runs_at_a_loss(view: PlanView) -> Iterator[Finding]:
    """No year of operation earns its cost."""
    found = years(view.schedule)
    if not view.spine.streams or not found or any(year.result >= 0 for year in found):
        return
    last = found[-1]
    rows: list[Place] = [(u, f"{view.money(u.likely)} a year") for u in view.spine.upkeep[:2]]
    yield finding(
        "money.runs_at_a_loss",
        "medium",
        [
            (view.spine.streams[0], f"with all others {view.money(last.earned)} in year {last.number}"),
            *(rows or [("variable cost", view.money(last.variable))]),
        ],
        f"Year {last.number} earns {view.money(last.earned)} and costs "
        f"{view.money(last.variable + last.fixed)}; no year before is better than zero.",
        "Name who pays the loss each year, or change volume, price or cost.",
    )


def _largest(view: PlanView) -> list[Place]:
    lines = sorted((line for line in view.spine.lines if line.amount), key=lambda line: (-line.amount, line.id))
    places: list[Place] = [(line, view.money(line.amount)) for line in lines[:3]]
    return places


def _by_amount(view: PlanView) -> list[Source]:
    return sorted(view.spine.sources, key=lambda source: (-source.amount, source.id))
