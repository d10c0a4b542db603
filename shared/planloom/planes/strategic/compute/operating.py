"""The years of operation, when they have paid the cost back, the money they tie up, and what moves each result most."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from planloom.planes.strategic.compute.cash import first_of, last_of, month_of, operating_flows, ramp_share, sums_of
from planloom.planes.strategic.compute.computed import Swing, Year
from planloom.planes.strategic.compute.schedule import Schedule
from planloom.planes.strategic.spine.rows import Approval, Package, Stream, Upkeep
from planloom.planes.strategic.spine.spine import Spine

#: How many years of operation are computed.
YEARS = 5
#: Beyond how many months running results no longer count as paying back.
MOST_MONTHS = 360
#: Of how many packages the effect on the end is computed.
PACKAGES = 10

_RESULTS = ("end_days", "cost", "year_result")


@dataclass(frozen=True)
class MonthResult:
    """A month of operation at likely values; ``late`` is sold in it and paid for later, by the days of delay."""

    earned: float
    variable: float
    fixed: float
    carried: float
    late: float
    ramping: bool

    @property
    def result(self) -> float:
        """What is left."""
        return self.earned + self.carried - self.variable - self.fixed


def years(schedule: Schedule) -> tuple[Year, ...]:
    """Return the first years of operation, none where nothing is earned and nothing kept up.

    A year ties up what is sold and not yet paid (volume * price * paid_after / 365), and while streams grow to their
    full volume, what the months below zero eat.
    """
    first = first_month(schedule)
    if first is None:
        return ()
    results = month_results(schedule, first, YEARS * 12)
    return tuple(_year(number, first, results[number * 12 - 12 : number * 12]) for number in range(1, YEARS + 1))


def break_even(schedule: Schedule) -> date | None:
    """Return the month in which running results have paid back all cost but contingency and reserve; None: never.

    It looks MOST_MONTHS ahead, and needs a cost and a stream.
    """
    cost, first = sums_of(schedule.spine)["cost"], first_month(schedule)
    if first is None or not cost or not schedule.spine.streams:
        return None
    left = cost
    for month, result in enumerate(month_results(schedule, first, MOST_MONTHS)):
        left -= result.result
        if left <= 0:
            return first_of(first + month)
    return None


def working_capital(schedule: Schedule) -> tuple[float, date | None]:
    """Return the most that operation has paid and not yet received, within YEARS, with its month; (0, None): nothing.

    Only where something is sold: upkeep without income is no working capital but a cost.
    """
    first = first_month(schedule)
    if first is None or not schedule.spine.streams:
        return 0.0, None
    flows = operating_flows(schedule.spine, schedule.end, until=last_of(first + YEARS * 12))
    balance, deepest, month = 0.0, 0.0, None
    for flow in sorted(flows, key=lambda f: (f.day, f.amount > 0)):
        balance += flow.amount
        if balance < deepest - 0.01:
            deepest, month = balance, first_of(month_of(flow.day))
    return round(-deepest, 2), month


def first_month(schedule: Schedule) -> int | None:
    """Return the number of the first month of operation; None where there are no streams and no upkeep."""
    spine, after = schedule.spine, month_of(min(schedule.end, date.max - timedelta(1)) + timedelta(1))
    rows = spine.streams or spine.upkeep
    return min((month_of(row.first) if row.first else after for row in rows), default=None)


def month_results(schedule: Schedule, first: int, months: int) -> list[MonthResult]:
    """Return the results of *months* months from month *first* on; a month that has begun counts whole."""
    after = month_of(min(schedule.end, date.max - timedelta(1)) + timedelta(1))
    starts = [(stream, month_of(stream.first) if stream.first else after) for stream in schedule.spine.streams]
    upkeep = [(row, month_of(row.first) if row.first else first) for row in schedule.spine.upkeep]
    return [_month_result(number, starts, upkeep) for number in range(first, first + months)]


def swings(schedule: Schedule) -> tuple[Swing, ...]:
    """Return what each input with a range does to a result, the others at likely: differences from the likely result.

    ``end_days`` are calendar days of the end, by the PACKAGES with the least slack and by all approvals; ``cost`` is
    what a risk adds; ``year_result`` that of a year at full volume. Lines of cost have no range. The widest come first
    within each result; inputs that change nothing are left out.
    """
    risks = [Swing(id=k.id, title=k.event, result="cost", low=0, high=k.cost) for k in schedule.spine.risks]
    found = [*_end_swings(schedule), *risks, *_year_swings(schedule.spine)]
    kept = [swing for swing in found if swing.low != swing.high]
    return tuple(sorted(kept, key=lambda s: (_RESULTS.index(s.result), -abs(s.high - s.low), s.id, s.title)))


def _year(number: int, first: int, months: Sequence[MonthResult]) -> Year:
    tied = sum(m.late for m in months) + sum(max(0.0, -m.result) for m in months if m.ramping)
    return Year(
        number=number,
        first=first_of(first + number * 12 - 12),
        earned=round(sum(m.earned for m in months), 2),
        variable=round(sum(m.variable for m in months), 2),
        fixed=round(sum(m.fixed for m in months), 2),
        carried=round(sum(m.carried for m in months), 2),
        result=round(sum(m.result for m in months), 2),
        tied_up=round(tied, 2),
    )


def _month_result(
    number: int, starts: Iterable[tuple[Stream, int]], upkeep: Iterable[tuple[Upkeep, int]]
) -> MonthResult:
    earned = variable = late = 0.0
    ramping = False
    for stream, start in starts:
        if number < start:
            continue
        sold = stream.volume / 12 * ramp_share(stream, number - start)
        earned += sold * stream.price
        variable += sold * stream.unit_cost
        late += sold * stream.price * stream.paid_after / 365
        ramping |= number - start < stream.ramp_months
    running = [row for row, start in upkeep if number >= start]
    fixed = sum(row.likely / 12 for row in running)
    carried = sum(row.likely / 12 for row in running if row.carried)
    return MonthResult(earned, variable, fixed, carried, late, ramping)


def _end_swings(schedule: Schedule) -> Iterator[Swing]:
    dated, base = schedule.packages, schedule.end_if({})
    ranged = [p for p in schedule.spine.packages if p.low < p.high and p.id in dated]
    ranged.sort(key=lambda p: (dated[p.id].slack, p.low - p.high, p.id))
    rows: tuple[Package | Approval, ...] = (*ranged[:PACKAGES], *schedule.spine.approvals)
    for row in rows:
        # what is needed only if something is found is not waited for at its best
        best = {} if isinstance(row, Approval) and row.only_if else {row.id: row.low}
        low, high = ((schedule.end_if(days) - base).days for days in (best, {row.id: row.high}))
        yield Swing(id=row.id, title=row.title, result="end_days", low=low, high=high)


def _year_swings(spine: Spine) -> Iterator[Swing]:
    for stream in spine.streams:
        margin = stream.price - stream.unit_cost
        if stream.volume_high:
            low, high = ((v - stream.volume) * margin for v in (stream.volume_low, stream.volume_high))
            yield Swing(id=stream.id, title=f"{stream.title}: volume", result="year_result", low=low, high=high)
        if stream.price_high:
            low, high = ((p - stream.price) * stream.volume for p in (stream.price_low, stream.price_high))
            yield Swing(id=stream.id, title=f"{stream.title}: price", result="year_result", low=low, high=high)
    for row in spine.upkeep:
        if row.high and not row.carried:
            yield Swing(
                id=row.id, title=row.title, result="year_result", low=row.likely - row.low, high=row.likely - row.high
            )
