"""Findings on the form of packages: estimates without range, too long, without owner, needed by nothing."""

from collections.abc import Iterator

from planloom.compute.computed import Finding
from planloom.compute.effort import BESIDE
from planloom.compute.found import finding, named
from planloom.compute.schedule import Schedule
from planloom.domain.wording import day_text
from planloom.spine.rows import Package
from planloom.spine.spine import Spine

#: Working days beyond which nobody can say how far a package is.
LONG_DAYS = 60

#: The share of estimates that may be without a range.
NO_RANGE = 1 / 3

#: What is done for other work only: that nothing waits for it is a slip.
SERVING = frozenset({"research", "design", "application", "tender", "contract", "order", "hiring"})


def plan_findings(schedule: Schedule) -> Iterator[Finding]:
    """Yield the findings."""
    yield from _without_range(schedule)
    for package in schedule.spine.packages:
        yield from _long(package, schedule)
        yield from _without_owner(package, schedule)
    yield from _dangling(schedule)


def _without_range(schedule: Schedule) -> Iterator[Finding]:
    """More than NO_RANGE of the judged estimates have the same low and high."""
    estimated = [p for p in schedule.spine.packages if not p.fixed and not p.every_day and p.high > 1]
    without = [p for p in estimated if p.low == p.high]
    if len(without) >= 3 and len(without) > NO_RANGE * len(estimated):
        yield finding(
            "time.no_range",
            "medium",
            [(p, f"{p.low:g} to {p.high:g} days") for p in without[:8]],
            f"{len(without)} of {len(estimated)} estimates have the same low and high: their odds say nothing.",
            "Give each the days that it takes if all goes well, and if much goes wrong.",
        )


def _long(package: Package, schedule: Schedule) -> Iterator[Finding]:
    dated = schedule.packages[package.id]
    if dated.days > LONG_DAYS and not package.every_day and package.kind not in BESIDE:
        yield finding(
            "time.long_package",
            "low",
            [
                (package, f"takes {dated.days} working days"),
                ("days", f"{day_text(dated.start)} to {day_text(dated.end)}, without a result between"),
            ],
            f"{named(package)} takes {dated.days} working days: more than {LONG_DAYS}, so nobody sees in time that it "
            "is late.",
            f"Divide {package.id} at a result that can be checked.",
        )


def _without_owner(package: Package, schedule: Schedule) -> Iterator[Finding]:
    spine = schedule.spine
    if package.owner in {row.id for row in (*spine.roles, *spine.parties)}:
        return
    yield finding(
        "time.no_owner",
        "medium",
        [(package, f"owner: {package.owner or 'none'}"), ("roles", f"{len(spine.roles)} roles, none of them owns it")],
        f"{named(package)} has no owner among the roles.",
        f"Name the role that answers for {package.id}.",
    )


def _dangling(schedule: Schedule) -> Iterator[Finding]:
    """Nothing needs a package of a kind that serves other work, and it meets nothing."""
    used = _used(schedule.spine)
    for package in schedule.spine.packages:
        if package.kind in SERVING and package.id not in used:
            yield finding(
                "time.needed_by_nothing",
                "low",
                [
                    (package, f"{package.kind}, ends {day_text(schedule.packages[package.id].end)}"),
                    ("needs", f"no package, gate, approval or demand names {package.id}"),
                ],
                f"Nothing waits for {named(package)} ({package.kind}), and it meets no demand.",
                f"Say what waits for {package.id}, or leave it out.",
            )


def _used(spine: Spine) -> frozenset[str]:
    """Return the ids that something needs or that meet something."""
    return frozenset(
        [
            *(need.id for package in spine.packages for need in package.needs),
            *(name for gate in spine.gates for name in gate.needs),
            *(name for approval in spine.approvals for name in approval.papers),
            *(name for demand in spine.demands for name in demand.met_by),
            *(name for constraint in spine.constraints for name in constraint.kept_by),
            *(risk.package for risk in spine.risks),
            *(name for assumption in spine.assumptions for name in assumption.touches),
        ]
    )
