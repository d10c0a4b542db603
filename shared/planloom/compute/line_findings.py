"""Findings on lines of cost: without an amount, for other days than the packages have, and missing."""

from collections.abc import Iterator

from planloom.compute.computed import Finding
from planloom.compute.found import finding, named
from planloom.compute.view import PlanView
from planloom.compute.words import content_words
from planloom.domain.wording import day_text
from planloom.spine.rows import Line, Role, Row

#: By how much the pay of a role may differ from its rate times its days.
STAFF_SHARE = 0.25
#: Kinds of packages that cost money beyond the pay of who does them.
PAID_KINDS = ("order", "contract", "build", "delivery")

Place = tuple[Row | str, str]


def line_findings(view: PlanView) -> Iterator[Finding]:
    """Yield the findings."""
    yield from _empty_lines(view)
    yield from _staff_lines(view)
    yield from _packages_without_line(view)


def _empty_lines(view: PlanView) -> Iterator[Finding]:
    for line in view.spine.lines:
        if line.amount:
            continue
        package = view.rows.get(line.package) or view.rows.get(line.role)
        what = "rate" if not line.rate else "quantity"
        yield finding(
            "money.line_without_amount",
            "medium",
            [(line, f"{what} 0"), (package or "lines", "relies on it" if package else "their sum lacks it")],
            f"{named(line)} has the {what} 0.",
            f"Give {line.id} a {what}, marked to verify where it is a guess.",
        )


def _staff_lines(view: PlanView) -> Iterator[Finding]:
    """The pay of a role differs from its rate times its days, or there is none."""
    paid = {line.package for line in view.spine.lines if line.amount}
    for role in view.spine.roles:
        expected = role.day_rate * view.effort(role.id)
        if not expected:
            continue
        own = [line for line in view.spine.lines if line.role == role.id or _pays(line, role)]
        lines = [line for line in own if line.kind == "staff"]
        # a line of the package may be the price of this work
        work: list[Place] = [(p, f"work of {role.id}") for p, _ in view.work(role.id) if p.id not in paid]
        if lines:
            yield from _staff_line(view, role, lines, expected)
        elif work and not own:
            days = view.effort(role.id)
            yield finding(
                "money.work_without_pay",
                "medium",
                [(role, f"{view.money(role.day_rate)} a day, no line pays it"), *work[:2]],
                f"{named(role)} works {days:,.0f} days at {view.money(role.day_rate)} and no line pays it.",
                f"Add a staff line of {view.money(expected)} for {role.id}, or set its rate to 0.",
            )


def _pays(line: Line, role: Role) -> bool:
    """Return whether *line* is named for *role*: the fees of an architect are the pay of the architect."""
    return not content_words(role.title).isdisjoint(content_words(line.title))


def _staff_line(view: PlanView, role: Role, lines: list[Line], expected: float) -> Iterator[Finding]:
    paid = sum(line.amount for line in lines)
    if not paid or abs(paid - expected) <= STAFF_SHARE * expected:
        return
    days = view.effort(role.id)
    yield finding(
        "money.staff_line_disagrees",
        # a post is paid for all its days, and packages need not fill them: pay that is too low is what fails
        "medium" if paid < expected else "low",
        [
            *((line, view.money(line.amount)) for line in lines[:3]),
            (role, f"{view.money(role.day_rate)} a day, {days:,.0f} days in packages"),
        ],
        f"The lines of {named(role)} pay {view.money(paid)}; its {days:,.0f} days in packages cost "
        f"{view.money(expected)}.",
        f"Say what {role.id} is paid for beside its packages; its pay is not cut for this."
        if paid > expected
        else f"Raise the line, or lower the days of {role.id} in its packages.",
    )


def _packages_without_line(view: PlanView) -> Iterator[Finding]:
    """An order, contract, build or delivery without a line, in a deliverable without any."""
    paid = {line.package for line in view.spine.lines}
    one_off = [line for line in view.spine.lines if line.kind == "one_off"]
    # where lines name no packages, nothing can be said about single ones
    if not one_off or sum(line.package in view.schedule.packages for line in one_off) < len(one_off) / 2:
        return
    covered = {p.deliverable for p, _ in view.packages() if p.id in paid and p.deliverable}
    for package, dated in view.packages(*PAID_KINDS):
        near = view.before.of(package.id) | {p.id for p, _ in view.packages() if package.id in view.before.of(p.id)}
        same_kind = {p.id for p, _ in view.packages(*PAID_KINDS) if p.deliverable == package.deliverable}
        if package.id in paid or package.deliverable in covered or near & same_kind & paid:
            continue
        yield finding(
            "money.package_without_line",
            "medium",
            [(package, f"{package.kind} from {day_text(dated.start)}"), ("lines", f"none pays for {package.id}")],
            f"{named(package)} is a package of kind {package.kind} and no line pays for it or its deliverable.",
            f"Add a line for {package.id}, or say which line holds its cost.",
        )
