"""All that is computed of one spine, put together."""

from itertools import chain

from planloom.planes.strategic.compute.cash import first_of, gate_money, month_of, sums
from planloom.planes.strategic.compute.computed import Computed
from planloom.planes.strategic.compute.found import ordered
from planloom.planes.strategic.compute.load import loads, without_roles
from planloom.planes.strategic.compute.missing_findings import missing_findings
from planloom.planes.strategic.compute.money_findings import money_findings
from planloom.planes.strategic.compute.odds import odds
from planloom.planes.strategic.compute.operating import break_even, swings, years
from planloom.planes.strategic.compute.order import order_findings
from planloom.planes.strategic.compute.reserve_findings import reserve_findings
from planloom.planes.strategic.compute.role_findings import role_findings
from planloom.planes.strategic.compute.schedule import schedule
from planloom.planes.strategic.compute.time_findings import time_findings
from planloom.planes.strategic.compute.view import PlanView
from planloom.planes.strategic.facts.fact import Closure
from planloom.planes.strategic.spine.spine import Spine

CHECKS = (time_findings, role_findings, order_findings, reserve_findings, money_findings, missing_findings)


def compute(spine: Spine, closures: tuple[Closure, ...] = (), *, runs: int = 1000) -> Computed:
    """Return what is computed of *spine*, which must hold together as the module spine.repair leaves it.

    *closures* are the days that the goal forbids; *runs* is the size of the simulation of odds. The same arguments give
    the same result. Findings are at most 80, at most eight of one check, the severe ones first.
    """
    dated = schedule(spine, closures)
    view = PlanView(dated, odds(dated, max(1, runs)), loads(dated))
    gap, day = view.cash.gap
    return Computed(
        start=dated.start,
        end=dated.end,
        packages=tuple(dated.packages.values()),
        path=tuple(dated.path),
        odds=view.odds,
        answers={**dated.approvals, **dated.decisions},
        gates=gate_money(view.cash),
        months=view.cash.months,
        gap=round(gap, 2),
        gap_month=first_of(month_of(day)) if day else None,
        drawn=view.drawn,
        all_spent=view.cash.all_spent,
        loads=view.loads,
        without=without_roles(dated),
        years=years(dated),
        break_even=break_even(dated),
        swings=swings(dated),
        sums=sums(spine),
        calendar_notes=dated.calendars.notes,
        findings=ordered(chain.from_iterable(check(view) for check in CHECKS)),
    )
