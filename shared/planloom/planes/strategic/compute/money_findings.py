"""Findings on money: limits, sources, the funding gap, contingency, working capital, losses, and single lines."""

import re
from collections.abc import Iterator
from itertools import chain

from planloom.core.wording import day_text
from planloom.planes.strategic.compute.cash import KEPT
from planloom.planes.strategic.compute.computed import Finding
from planloom.planes.strategic.compute.found import Place, content_words, finding, starts
from planloom.planes.strategic.compute.operating import working_capital, years
from planloom.planes.strategic.compute.view import PlanView
from planloom.planes.strategic.spine.rows import Line, Role

#: Below which share of the budget lines are likely to be missing.
LITTLE = 0.6
#: By how much the pay of a role may differ from its rate times its days, and the cost of an option from its lines.
STAFF_SHARE = 0.25
OPTION_SHARE = 0.02
#: Kinds of packages that cost money beyond the pay of who does them.
PAID_KINDS = ("order", "contract", "build", "delivery")

_LINE = re.compile(r"\bL\d{1,5}\b")


def money_findings(view: PlanView) -> Iterator[Finding]:
    """Yield the findings on the money of the whole, of options and of single lines."""
    checks = (
        _budget, _sources, _gap, _no_contingency, _working_capital, _runs_at_a_loss, _upkeep_unpaid, _stale_options,
        _empty_lines, _staff_lines, _packages_without_line,
    )  # fmt: skip
    return chain.from_iterable(check(view) for check in checks)


def _budget(view: PlanView) -> Iterator[Finding]:
    """The lines together exceed the budget of the goal, or are so far below it that some are missing."""
    # hours and goods that are there anyway take nothing of a budget
    given = sum(line.amount for line in view.spine.lines if line.in_kind)
    budget, total = view.spine.frame.budget, view.sums["total"] - given
    if not budget or not total:
        return
    places: list[Place] = [("frame", f"budget {view.money(budget)}"), *_largest(view)]
    if total > budget + 1:
        said = f"All lines together are {view.money(total)}, {view.money(total - budget)} above the budget."
        advice = "Reduce lines, or decide with its cost what is left out."
        yield finding("money.above_budget", "high", said, advice, *places)
    elif total < LITTLE * budget:
        said = f"All lines together are {view.money(total)}, {total / budget:.0%} of the budget."
        advice = "Add the lines that are missing, or say what the rest is for."
        yield finding("money.far_below_budget", "low", said, advice, *places)


def _sources(view: PlanView) -> Iterator[Finding]:
    """The lines exceed the sources, or there are none."""
    given = _given(view)
    cost, total, sources = view.sums["cost"] - given, view.sums["total"] - given, view.sums["sources"]
    earned = view.cash.earned_by(view.schedule.end)
    if total < 1 or sources + earned >= total - 1:
        return
    if not sources:
        yield finding(
            "money.no_sources",
            "medium",
            f"The lines cost {view.money(total)} and no source of money is named.",
            "Name who pays, how much and from which day.",
            ("sources", "none"),
            *_largest(view),
        )
        return
    largest = sorted(view.spine.sources, key=lambda source: (-source.amount, source.id))[:3]
    yield finding(
        "money.above_sources",
        "high" if sources + earned < cost - 1 else "medium",
        f"The lines cost {view.money(total)} with contingency and reserve, {view.money(cost)} without; the sources "
        f"give {view.money(sources)}{f', operation {view.money(earned)}' if earned else ''}.",
        f"Find {view.money(total - sources - earned)} more, or reduce lines.",
        *_largest(view),
        *((source, view.money(source.amount)) for source in largest),
    )


def _given(view: PlanView) -> float:
    """Return the lines in kind that no source in kind carries: they need no money."""
    needed = sum(line.amount for line in view.spine.lines if line.in_kind)
    return max(0.0, needed - sum(source.amount for source in view.spine.sources if source.in_kind))


def _gap(view: PlanView) -> Iterator[Finding]:
    """Payments come before money although the sources would be enough."""
    (gap, day), found = view.cash.gap, view.sums
    if day is None or not found["sources"] or gap <= max(0.0, found["cost"] - found["sources"]) + 1:
        return
    paid = max((f for f in view.cash.flows if f.amount < 0 and f.day <= day), key=lambda f: (f.day, -f.amount))
    coming = [flow for flow in view.cash.flows if flow.amount > 0 and flow.day >= day]
    yield finding(
        "money.funding_gap",
        "high",
        f"Payments exceed all receipts until then by {view.money(gap)}.",
        f"Pay {paid.id} later, get a source earlier, or add a loan of {view.money(gap)} with its cost.",
        (view.rows[paid.id], f"paid {day_text(paid.day)}"),
        *((view.rows[flow.id], f"comes {day_text(flow.day)}") for flow in coming[:1]),
        ("cash", f"{view.money(-gap)} on {day_text(day)}"),
    )


def _no_contingency(view: PlanView) -> Iterator[Finding]:
    lines = view.spine.lines
    if any(line.amount for line in lines) and not any(line.kind in KEPT and line.amount for line in lines):
        yield finding(
            "money.no_contingency",
            "medium",
            "No line is kept for what goes wrong.",
            "Add a line of contingency with the share of cost that the estimate needs.",
            ("lines", "none is contingency or reserve"),
            *_largest(view),
        )


def _working_capital(view: PlanView) -> Iterator[Finding]:
    """Operation pays before it earns, and no surplus of sources and no line of running cost or reserve covers it."""
    dip, month = working_capital(view.schedule)
    late = [stream for stream in view.spine.streams if stream.paid_after or stream.ramp_months]
    # operation that never pays for itself is another finding, and has no working capital
    if month is None or not late or all(year.result < 0 for year in years(view.schedule)):
        return
    kept = sum(line.amount for line in view.spine.lines if line.kind in ("running", "reserve"))
    cover = kept + max(0.0, view.sums["sources"] - view.sums["total"])
    if dip > cover + 1:
        yield finding(
            "money.working_capital",
            "medium",
            f"By {month:%B %Y} operation has paid {view.money(dip)} more than it has received.",
            f"Add a line or a source of {view.money(dip - cover)} for it.",
            *((s, f"paid {s.paid_after} days after sale, {s.ramp_months} months to full") for s in late[:3]),
            *((u, f"{view.money(u.likely)} a year") for u in view.spine.upkeep[:2]),
            ("lines and sources", f"cover {view.money(cover)} of it"),
        )


def _runs_at_a_loss(view: PlanView) -> Iterator[Finding]:
    """No year of operation earns its cost."""
    found = years(view.schedule)
    if not view.spine.streams or not found or any(year.result >= 0 for year in found):
        return
    last = found[-1]
    costs = last.variable + last.fixed - last.carried
    unpaid = [row for row in view.spine.upkeep if not row.carried]
    upkeep: list[Place] = [(u, f"{view.money(u.likely)} a year") for u in unpaid[:2]]
    yield finding(
        "money.runs_at_a_loss",
        "medium",
        f"Year {last.number} earns {view.money(last.earned)} and costs {view.money(costs)}; no year before is "
        "better than zero.",
        "Name in paid_by who pays for upkeep each year, or change volume, price or cost.",
        (view.spine.streams[0], f"with all others {view.money(last.earned)} in year {last.number}"),
        *(upkeep or [("variable cost", view.money(last.variable))]),
    )


def _upkeep_unpaid(view: PlanView) -> Iterator[Finding]:
    """Nothing is earned, and nobody is named who pays for what it costs by the year."""
    unpaid = [row for row in view.spine.upkeep if row.likely and not row.carried]
    if unpaid and not any(stream.volume * stream.price for stream in view.spine.streams):
        yield finding(
            "money.upkeep_without_payer",
            "medium",
            f"Nobody is named who pays {view.money(sum(row.likely for row in unpaid))} a year.",
            "Name in paid_by the party or source that pays it, or add what it earns.",
            *((row, f"{view.money(row.likely)} a year") for row in unpaid[:4]),
            ("streams", "nothing is earned"),
        )


def _stale_options(view: PlanView) -> Iterator[Finding]:
    """The recommended option names lines, and its cost is neither their sum nor that of the whole."""
    for decision in view.spine.decisions:
        for option in decision.options:
            named = dict.fromkeys(_LINE.findall(f"{option.title} {option.effect}"))
            lines: list[Line] = [view.rows[id] for id in named if id in view.rows]
            sums = (sum(line.amount for line in lines), view.sums["cost"], view.sums["total"])
            fits = any(abs(option.cost - amount) <= OPTION_SHARE * amount for amount in sums)
            if option.key == decision.recommended and option.cost and lines and not fits:
                yield finding(
                    "money.option_cost_stale",
                    "medium",
                    f"The recommended option costs {view.money(option.cost)}; its lines cost {view.money(sums[0])}.",
                    f"Correct the cost of option {option.key} or the lines that it names.",
                    (decision, f"option {option.key} costs {view.money(option.cost)}"),
                    *((line, view.money(line.amount)) for line in lines[:4]),
                )


def _empty_lines(view: PlanView) -> Iterator[Finding]:
    for line in view.spine.lines:
        if not line.amount and not line.in_kind:
            used = view.places((line.package, line.role), "relies on it")
            what = "rate" if not line.rate else "quantity"
            yield finding(
                "money.line_without_amount",
                "medium",
                "A line has no amount.",
                f"Give {line.id} a {what}, marked to verify where it is a guess.",
                (line, f"{what} 0"),
                *(used[:1] or [("lines", "their sum lacks it")]),
            )


def _staff_lines(view: PlanView) -> Iterator[Finding]:
    """The pay of a role is less than its rate times its days, or there is none."""
    paid = {id for line in view.spine.lines if line.amount for id in line.all_packages}
    # prices by the square metre hold the work of builders in all packages of what they build
    built = {view.rows[id].deliverable for line in view.spine.lines if line.kind == "one_off" and line.amount
             for id in line.all_packages if id in view.schedule.packages}  # fmt: skip
    for role in view.spine.roles:
        days = view.effort(role.id)
        expected = role.day_rate * days
        if not expected:
            continue
        own = [line for line in view.spine.lines if line.role == role.id or _pays(line, role)]
        lines = [line for line in own if line.kind == "staff" and line.role in (role.id, "")]
        pay = sum(line.amount for line in lines)
        said: Place = (role, f"{view.money(role.day_rate)} a day, {days:,.0f} days in packages")
        # a line of the package may be the price of this work
        unpaid = (
            p for p, _ in view.work(role.id) if p.id not in paid and (p.kind != "build" or p.deliverable not in built)
        )
        work: list[Place] = [(p, f"work of {role.id}") for p in unpaid]
        # a position is paid for all its days, which packages need not fill: only pay that is too low is a finding
        if pay and pay < (1 - STAFF_SHARE) * expected:
            yield finding(
                "money.staff_line_disagrees",
                "medium",
                f"The lines of a role pay {view.money(pay)}; its days in packages cost {view.money(expected)}.",
                f"Raise the line, or lower the days of {role.id} in its packages.",
                *((line, view.money(line.amount)) for line in lines[:3]),
                said,
            )
        elif work and not own:
            yield finding(
                "money.work_without_pay",
                "medium",
                "No line pays the work of a role.",
                f"Add a staff line of {view.money(expected)} for {role.id}, or set its rate to 0.",
                said,
                *work[:2],
            )


def _pays(line: Line, role: Role) -> bool:
    """Return whether *line* is named for *role*: the fees of an architect are the pay of the architect."""
    return not content_words(role.title).isdisjoint(content_words(line.title))


def _packages_without_line(view: PlanView) -> Iterator[Finding]:
    """An order, contract, build or delivery without a line, in a deliverable without any."""
    paid = {id for line in view.spine.lines for id in line.all_packages}
    one_off = [line for line in view.spine.lines if line.kind == "one_off"]
    # where lines name no packages, nothing can be said about single ones
    if not one_off or sum(line.package in view.schedule.packages for line in one_off) < len(one_off) / 2:
        return
    covered = {p.deliverable for p, _ in view.packages() if p.id in paid and p.deliverable}
    for package, dated in view.packages(*PAID_KINDS):
        near = view.before.of(package.id) | {p.id for p, _ in view.packages() if package.id in view.before.of(p.id)}
        same_kind = {p.id for p, _ in view.packages(*PAID_KINDS) if p.deliverable == package.deliverable}
        if package.id not in paid and package.deliverable not in covered and not near & same_kind & paid:
            yield finding(
                "money.package_without_line",
                "medium",
                f"No line pays for a package of kind {package.kind} or for its deliverable.",
                f"Add a line for {package.id}, or say which line holds its cost.",
                (package, f"{package.kind}, {starts(dated)}"),
                ("lines", f"none pays for {package.id}"),
            )


def _largest(view: PlanView) -> list[Place]:
    lines = sorted((line for line in view.spine.lines if line.amount), key=lambda line: (-line.amount, line.id))
    return [(line, view.money(line.amount)) for line in lines[:3]]
