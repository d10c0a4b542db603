"""All that is computed of one spine, put together."""

from itertools import chain

from planloom.compute.cash import first_of, gate_money, month_of, sums
from planloom.compute.computed import Computed
from planloom.compute.found import ordered
from planloom.compute.load import loads, without_roles
from planloom.compute.missing_findings import missing_findings
from planloom.compute.money_findings import money_findings
from planloom.compute.odds import odds
from planloom.compute.operating import break_even, swings, years
from planloom.compute.order import order_findings
from planloom.compute.reserve_findings import reserve_findings
from planloom.compute.role_findings import role_findings
from planloom.compute.schedule import schedule
from planloom.compute.time_findings import time_findings
from planloom.compute.view import PlanView
from planloom.domain.facts import Closure
from planloom.spine.spine import Spine

CHECKS = (time_findings, role_findings, order_findings, reserve_findings, money_findings, missing_findings)


def compute(spine: Spine, closures: tuple[Closure, ...] = (), *, runs: int = 1000) -> Computed:
    """Return what is computed of *spine*, which must hold together as :mod:`planloom.spine.repair` leaves it.

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
