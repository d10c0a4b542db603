"""How fast the work must go: planning values scaled top-down to the days that the prompt sets."""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from planloom.domain.confidence import holds
from planloom.domain.critical_path import Network
from planloom.domain.pert import ThreePoint, ordered
from planloom.knowledge.brief import Brief
from planloom.knowledge.observations import ready_by, windows, within
from planloom.knowledge.sequence import Order
from planloom.knowledge.targets import Step, Target, fixed_day, goals, takes_place, targets, upstream
from planloom.knowledge.work_breakdown import Work
from planloom.knowledge.work_calendars import work_calendars
from planloom.knowledge.work_network import network_tasks, on_the_day, step_of

#: Below that, a plan would promise what typical work of its kind does not do; above, it would fill time.
FASTEST, SLOWEST = 60, 125

_STEP = 5

#: The source of a target that the prompt does not set.
ASSUMED = "to verify"

#: Enough to choose between paces; the schedule itself is simulated with more.
_RUNS = 200


@dataclass(frozen=True)
class Pace:
    """Estimates by id; for each stretch of the work its factor (percent), and whether its day can be held so."""

    estimates: Mapping[str, ThreePoint]
    factors: Mapping[str, int]
    stretches: tuple["Stretch", ...]


@dataclass(frozen=True)
class Stretch:
    """All packages that lead to *target* and to no earlier one are scaled by *factor* percent."""

    target: Target
    factor: int
    holds: bool


def pace(brief: Brief, works: Sequence[Work], orders: Sequence[Order]) -> Pace:
    """Return the estimates of *works* with one factor for each stretch: as slow as its day allows in four runs of five.

    Lead times set by others keep their values. Factors lie between FASTEST and SLOWEST percent: where even the
    fastest is too late, it is taken, and the stretch does not hold.
    """
    steps = [step_of(work) for work in works]
    calendars = work_calendars(brief)
    on_day = fixed_day(brief)
    held = windows(brief, steps)
    plain = within(on_the_day({work.id: ordered(work.row.days) for work in works}, steps, on_day), held)
    network = Network(network_tasks(steps, orders, calendars, plain, on_day, held), brief.start)
    factors = {work.id: 100 for work in works}
    stretches = []
    free = {step.id for step in steps if not (step.fixed or step.id in held or (on_day and takes_place(step)))}
    wanted = targets(brief, steps, orders) or (_assumed_end(brief, steps, orders),)
    for target in sorted((*ready_by(held, steps, orders), *wanted), key=lambda t: (t.final, t.day, t.title)):
        mine = free & upstream(orders, target.tasks)
        stretch = _stretch(network, plain, factors, mine, target)
        factors |= dict.fromkeys(mine, stretch.factor)
        free -= mine
        stretches.append(stretch)
    factors |= dict.fromkeys(free, min(100, stretches[-1].factor))
    return Pace(_scaled(plain, factors), factors, tuple(stretches))


def _stretch(
    network: Network,
    plain: Mapping[str, ThreePoint],
    factors: Mapping[str, int],
    mine: Iterable[str],
    target: Target,
) -> Stretch:
    """Return the slowest pace at which four of five simulated runs reach *target* in time, else the fastest."""
    leading = tuple(mine)

    def misses(factor: int) -> bool:
        estimates = _scaled(plain, {**factors, **dict.fromkeys(leading, factor)})
        return not holds(network, estimates, target.day, target.tasks, _RUNS)

    # a time frame that is only usual says nothing about the size of this work
    paces = range(FASTEST, (100 if target.source == ASSUMED else SLOWEST) + 1, _STEP)
    # a slower pace never ends earlier, so that the slowest one that holds is found by halving
    held = bisect_left(paces, True, key=misses)
    return Stretch(target, paces[max(held - 1, 0)], held > 0)


def _scaled(plain: Mapping[str, ThreePoint], factors: Mapping[str, int]) -> dict[str, ThreePoint]:
    return {name: value if factors[name] == 100 else value.scaled(factors[name] / 100) for name, value in plain.items()}


def _assumed_end(brief: Brief, steps: Sequence[Step], orders: Sequence[Order]) -> Target:
    day: date = brief.end_assumed
    return Target("Usual time frame of its kind", day, goals(brief, steps, orders), ASSUMED, final=True)
