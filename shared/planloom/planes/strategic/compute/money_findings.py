"""Findings on money: limits, sources, the funding gap, contingency, working capital, losses, and single lines."""

import re
from collections.abc import Iterator
from dataclasses import replace

from planloom.core.wording import day_text
from planloom.planes.strategic.compute.computed import Finding
from planloom.planes.strategic.compute.found import Place, all_of, content_words
from planloom.planes.strategic.compute.operating import working_capital, years
from planloom.planes.strategic.compute.view import PlanView
from planloom.planes.strategic.spine.rows import KEPT, Line, Role, Row

#: Below which share of the budget lines are likely to be missing.
LITTLE = 0.6
#: By how much the pay of a role may differ from its rate times its days, and the cost of an option from its lines.
STAFF_SHARE = 0.25
OPTION_SHARE = 0.02
#: Kinds of packages that cost money beyond the pay of who does them.
PAID_KINDS = ("order", "contract", "build", "delivery")

_LINE = re.compile(r"\bL\d{1,5}\b")


def _budget(view: PlanView) -> Iterator[Finding]:
    """The lines together exceed the budget of the goal, or are so far below it that some are missing."""
    # hours and goods that are there anyway take nothing of a budget
    given = sum(line.amount for line in view.spine.lines if line.in_kind)
    budget, total = view.spine.frame.budget, view.sums["total"] - given
    if not budget or not total:
        return
    places: list[Place | str] = ["frame", *_largest(view)]
    if total > budget + 1:
        yield view.finding("money.above_budget", *places, budget=budget, total=total, above=total - budget)
    elif total < LITTLE * budget:
        yield view.finding("money.far_below_budget", *places, budget=budget, total=total, share=total / budget)


def _sources(view: PlanView) -> Iterator[Finding]:
    """The lines exceed the sources, or there are none."""
    given = _given(view)
    cost, total, sources = view.sums["cost"] - given, view.sums["total"] - given, view.sums["sources"]
    earned = view.cash.earned_by(view.schedule.end)
    if total < 1 or sources + earned >= total - 1:
        return
    if not sources:
        yield view.finding("money.no_sources", "sources", *_largest(view), total=total)
        return
    largest = sorted(view.spine.sources, key=lambda source: (-source.amount, source.id))[:3]
    yield view.finding(
        "money.above_sources",
        *_largest(view),
        *((source, view.money(source.amount)) for source in largest),
        severity="high" if sources + earned < cost - 1 else None,
        given=view.money(sources) + (f", operation {view.money(earned)}" if earned else ""),
        total=total,
        cost=cost,
        short=total - sources - earned,
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
    comes = ((view.rows[flow.id], f"comes {day_text(flow.day)}") for flow in coming[:1])
    cash = ("cash", f"{view.money(-gap)} on {day_text(day)}")
    yield view.finding("money.funding_gap", view.rows[paid.id], *comes, cash, gap=gap, paid=paid.day)


def _tied(view: PlanView) -> Iterator[Finding]:
    """The lines to which a giver's money is tied cost more than it gives, or the others more than all others give."""
    lines = [line for line in view.spine.lines if not line.in_kind]
    sources = [source for source in view.spine.sources if not source.in_kind]
    tied = sorted({line.paid_by for line in lines if line.paid_by})
    for giver in (*tied, "") if tied else ():
        own = [line for line in lines if line.paid_by == giver]
        from_ = [s for s in sources if (s.given_by == giver if giver else s.given_by not in tied)]
        cost, given = sum(line.amount for line in own), sum(source.amount for source in from_)
        row: Row | str = view.rows[giver] if giver else "money that is tied to nothing"
        largest = sorted(own, key=lambda line: (-line.amount, line.id))[:3]
        costs = [(line, view.money(line.amount)) for line in largest]
        ids = {each.id for each in (*own, *from_)}
        gap, day = replace(view.cash, flows=tuple(f for f in view.cash.flows if f.id in ids)).gap
        if cost > given + 1:
            yield view.finding("money.giver_short", (row, view.money(given)), *costs, cost=cost, short=cost - given)
        elif day:
            yield view.finding("money.giver_late", (row, f"{view.money(-gap)} then"), *costs, gap=gap, day=day)


def _no_contingency(view: PlanView) -> Iterator[Finding]:
    lines = view.spine.lines
    if any(line.amount for line in lines) and not any(line.kind in KEPT and line.amount for line in lines):
        yield view.finding("money.no_contingency", "lines", *_largest(view))


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
        yield view.finding(
            "money.working_capital",
            *((s, f"paid {s.paid_after} days after sale, {s.ramp_months} months to full") for s in late[:3]),
            *((u, f"{view.money(u.likely)} a year") for u in view.spine.upkeep[:2]),
            ("lines and sources", f"cover {view.money(cover)} of it"),
            month=month,
            dip=dip,
            short=dip - cover,
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
    places = upkeep or [("variable cost", view.money(last.variable))]
    yield view.finding("money.runs_at_a_loss", view.spine.streams[0], *places, last=last, costs=costs)


def _upkeep_unpaid(view: PlanView) -> Iterator[Finding]:
    """Nothing is earned, and nobody is named who pays for what it costs by the year."""
    unpaid = [row for row in view.spine.upkeep if row.likely and not row.carried]
    if unpaid and not any(stream.volume * stream.price for stream in view.spine.streams):
        rows = ((row, f"{view.money(row.likely)} a year") for row in unpaid[:4])
        yearly = sum(row.likely for row in unpaid)
        yield view.finding("money.upkeep_without_payer", *rows, ("streams", "nothing is earned"), yearly=yearly)


def _stale_options(view: PlanView) -> Iterator[Finding]:
    """The recommended option names lines, and its cost is neither their sum nor that of the whole."""
    for decision in view.spine.decisions:
        if not (option := decision.chosen) or not option.cost:
            continue
        named = dict.fromkeys(_LINE.findall(f"{option.title} {option.effect}"))
        lines: list[Line] = [view.rows[id] for id in named if id in view.rows]
        sums = (sum(line.amount for line in lines), view.sums["cost"], view.sums["total"])
        if lines and not any(abs(option.cost - amount) <= OPTION_SHARE * amount for amount in sums):
            costs = ((line, view.money(line.amount)) for line in lines[:4])
            yield view.finding("money.option_cost_stale", decision, *costs, option=option, lines=sums[0])


def _empty_lines(view: PlanView) -> Iterator[Finding]:
    for line in view.spine.lines:
        if not line.amount and not line.in_kind:
            used = view.places((line.package, line.role), "relies on it")
            places = used[:1] or [("lines", "their sum lacks it")]
            lacks = "rate" if not line.rate else "quantity"
            yield view.finding("money.line_without_amount", line, *places, lacks=lacks)


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
            paying = ((line, view.money(line.amount)) for line in lines[:3])
            yield view.finding("money.staff_line_disagrees", *paying, said, role=role, pay=pay, expected=expected)
        elif work and not own:
            yield view.finding("money.work_without_pay", said, *work[:2], expected=expected)


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
            yield view.finding("money.package_without_line", package, "lines", start=dated.start)


def _largest(view: PlanView) -> list[Place]:
    lines = sorted((line for line in view.spine.lines if line.amount), key=lambda line: (-line.amount, line.id))
    return [(line, view.money(line.amount)) for line in lines[:3]]


money_findings = all_of(
    _budget, _sources, _gap, _tied, _no_contingency, _working_capital, _runs_at_a_loss, _upkeep_unpaid, _stale_options,
    _empty_lines, _staff_lines, _packages_without_line,
)  # fmt: skip
