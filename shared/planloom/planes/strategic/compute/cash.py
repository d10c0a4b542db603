"""Money: sums of lines and sources, cash by month, the funding gap, what is committed, what each gate decides over.

Lines of contingency and reserve are not paid: nobody knows when. Lines and sources in kind are no cash. All of them
count in the sums. Days decide: on one day receipts go before payments. What is spread evenly is paid at the end of each
calendar month, upkeep and the variable cost of what is sold on the first day of a month, and sales are receipts
``paid_after`` days after its end.
A line is committed when its order starts or its tender or contract ends, or once that can no longer be cancelled at no
cost; else when its first work starts, and at the latest when it is paid; pay, running costs, operation and lines
without a package as they are paid.
"""

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from itertools import accumulate
from math import isfinite
from typing import get_args

from planloom.planes.strategic.compute.computed import Dated, GateMoney, Month, Sum
from planloom.planes.strategic.compute.schedule import Schedule
from planloom.planes.strategic.spine.rows import KEPT, Line, Package, Source, Stream, Upkeep
from planloom.planes.strategic.spine.spine import Spine

#: How many months the table of cash has at most.
MOST_MONTHS = 120
#: Over how many months a payment is spread at most: a span beyond that is a slip of the pen.
MOST_SPREAD = 600
KINDS: tuple[str, ...] = get_args(Line.model_fields["kind"].annotation)
STATUSES: tuple[str, ...] = get_args(Source.model_fields["status"].annotation)
#: Kinds of lines that are committed as they are paid.
AS_PAID = ("staff", "running")
#: Kinds of packages that bind money: an order when it starts, a tender and a contract when they end.
BINDING = {"order": "start", "tender": "end", "contract": "end"}

_FIRST, _LAST = date.min.toordinal(), date.max.toordinal()


@dataclass(frozen=True, slots=True)
class Flow:
    """Money on one day: negative where it is paid. ``id`` is its line, source, stream or upkeep."""

    day: date
    amount: float
    id: str


@dataclass(frozen=True)
class Cash:
    """All flows within the plan's time, in order of days, payments first; computed once for each schedule."""

    schedule: Schedule
    flows: tuple[Flow, ...]
    #: Lines that orders, tenders and contracts bind, with the day, in order.
    bound: tuple[Flow, ...]
    #: What lines commit, in order of days.
    committed: tuple[Flow, ...]

    @cached_property
    def _balances(self) -> tuple[float, ...]:
        return tuple(accumulate(flow.amount for flow in self.flows))

    @cached_property
    def gap(self) -> tuple[float, date | None]:
        """The deepest balance below zero, as a positive amount, and its day; (0, None) where it never is."""
        if not self.flows:
            return 0.0, None
        deepest, flow = min(zip(self._balances, self.flows, strict=True), key=lambda pair: (pair[0], pair[1].day))
        # a cent is rounding
        return (-deepest, flow.day) if deepest < -0.01 else (0.0, None)

    @cached_property
    def payments(self) -> tuple[Flow, ...]:
        """The payments of lines, as positive amounts, in order."""
        lines = {line.id for line in self.schedule.spine.lines}
        return tuple(Flow(f.day, -f.amount, f.id) for f in self.flows if f.id in lines)

    def paid_by(self, day: date, lines: frozenset[str] | None = None) -> float:
        """Return what is paid by the end of *day*, of *lines* alone where they are given."""
        return sum(f.amount for f in self.payments if f.day <= day and (lines is None or f.id in lines))

    def committed_by(self, day: date) -> float:
        """Return what is committed by the end of *day*, paid or not."""
        return sum(flow.amount for flow in self.committed if flow.day <= day)

    def earned_by(self, day: date) -> float:
        """Return what operation has earned beyond its costs by the end of *day*; 0 where it has cost more."""
        return max(0.0, sum(f.amount for f in self.flows if f.id in self._operating and f.day <= day))

    def owed_by(self, day: date) -> float:
        """Return what is committed and not yet paid at the end of *day*."""
        paid = -sum(flow.amount for flow in self.flows if flow.amount < 0 and flow.day <= day)
        return max(0.0, self.committed_by(day) - paid)

    @property
    def all_spent(self) -> float:
        """The balance after the last payment if all contingency is spent by then."""
        kept = sum(line.amount for line in self.schedule.spine.lines if line.kind == "contingency")
        return _cents((self._balances[-1] if self._balances else 0.0) - kept)

    @cached_property
    def months(self) -> tuple[Month, ...]:
        """The months from the first payment to the last, at most MOST_MONTHS.

        The balance is the lowest after any flow of the month; receipts before the first month are in it.
        """
        paid = [flow.day for flow in self.flows if flow.amount < 0]
        if not paid:
            return ()
        first, last = month_of(paid[0]), month_of(paid[-1])
        return tuple(self._month(number) for number in range(first, min(last, first + MOST_MONTHS - 1) + 1))

    def _month(self, number: int) -> Month:
        first, end = first_of(number), last_of(number)
        days = self._days
        since, until = bisect_right(days, _day(first.toordinal() - 1)), bisect_right(days, end)
        flows = self.flows[since:until]
        before = self._balances[since - 1] if since else 0.0
        operation = [f.amount for f in flows if f.id in self._operating]
        return Month(
            first=first,
            paid=_cents(-sum(f.amount for f in flows if f.amount < 0)),
            received=_cents(sum(f.amount for f in flows if f.amount > 0)),
            balance=_cents(min(self._balances[since:until], default=before)),
            committed=_cents(self.committed_by(end)),
            earned=_cents(sum(amount for amount in operation if amount > 0)),
            running=_cents(-sum(amount for amount in operation if amount < 0)),
        )

    @cached_property
    def _operating(self) -> frozenset[str]:
        spine = self.schedule.spine
        return frozenset(row.id for row in (*spine.streams, *spine.upkeep))

    @cached_property
    def _days(self) -> tuple[date, ...]:
        return tuple(flow.day for flow in self.flows)


def cash_of(schedule: Schedule) -> Cash:
    """Return the cash of *schedule*."""
    spine = schedule.spine
    flows = [Flow(f.day, -f.amount, f.id) for line in spine.lines for f in payments_of(line, schedule) if f.amount]
    flows += [Flow(receipt_day(s, schedule), s.amount, s.id) for s in spine.sources if s.amount and not s.in_kind]
    running = operating_flows(spine, schedule.end, until=schedule.end)
    flows += running
    spent = (Flow(f.day, -f.amount, f.id) for f in running if f.amount < 0)
    found = (_bound(schedule), (*_committed(schedule), *spent))
    bound, committed = (sorted(rows, key=lambda f: (f.day, f.id)) for rows in found)
    # on one day receipts come first, as a payer arranges it who waits for a grant
    flows.sort(key=lambda f: (f.day, f.amount < 0, f.id))
    return Cash(schedule, tuple(flows), tuple(bound), tuple(committed))


def gate_money(cash: Cash) -> tuple[GateMoney, ...]:
    """Return what is paid and what is owed on the day of each gate, and what leaving costs beside that."""
    found = []
    for gate in cash.schedule.spine.gates:
        day = cash.schedule.gates.get(gate.id) or gate.day or cash.schedule.start
        sunk, owed = _cents(cash.paid_by(day)), _cents(cash.owed_by(day))
        leaving = gate.leaving_cost if isfinite(gate.leaving_cost) else 0.0
        found.append(GateMoney(id=gate.id, day=day, sunk=sunk, owed=owed, leaving_cost=leaving))
    return tuple(found)


def payments_of(line: Line, schedule: Schedule) -> tuple[Flow, ...]:
    """Return the payments of *line*, as positive amounts: none for what is kept."""
    if line.kind in KEPT or line.in_kind or not line.amount:
        return ()
    if line.paid == "on_days" and line.days:
        return tuple(Flow(day, line.amount * share, line.id) for day, share in sorted(_parts(line)))
    first, last = span_of(line, schedule)
    if line.paid == "even" or _is_pay(line):
        return tuple(Flow(day, amount, line.id) for day, amount in spread(line.amount, first, last))
    before = _parts_before(line)
    parts = [(first if line.paid == "start" else last, 1 - sum(share for _, share in before)), *before]
    return tuple(Flow(day, line.amount * share, line.id) for day, share in sorted(parts))


def _parts(line: Line) -> list[tuple[date, float]]:
    """Return the days of *line* with the part that is paid on each: all of it together, equal where none are given."""
    whole = sum(line.shares)
    shares = line.shares if len(line.shares) == len(line.days) and whole > 0 else [1.0] * len(line.days)
    return [(day, share / sum(shares)) for day, share in zip(line.days, shares, strict=True)]


def _parts_before(line: Line) -> list[tuple[date, float]]:
    """Return the days and parts of *line* that are paid apart from its start or end: a deposit. Less than all of it."""
    if len(line.shares) != len(line.days) or not 0 < sum(line.shares) < 1:
        return []
    return [*zip(line.days, line.shares, strict=True)]


def span_of(line: Line, schedule: Schedule) -> tuple[date, date]:
    """Return the days that *line* pays for: its own, else those of its packages, its role's packages, or the plan."""
    role = line.role if line.kind == "staff" else ""
    work = line.all_packages or packages_of(schedule.spine, role)
    dated = [schedule.packages[id] for id in work if id in schedule.packages]
    first = min((d.start for d in dated), default=schedule.start)
    last = max((d.end for d in dated), default=schedule.end)
    first = line.first or (min(first, line.last) if line.last else first)
    return first, max(first, line.last or last)


def packages_of(spine: Spine, role: str) -> tuple[str, ...]:
    """Return the ids of the packages in which *role* works, as owner or beside it."""
    if not role:
        return ()
    return tuple(p.id for p in spine.packages if p.owner == role or any(share.role == role for share in p.also))


def receipt_day(source: Source, schedule: Schedule) -> date:
    """Return when *source* is on the account: its day, not before what it depends on; the start where it has none."""
    day = source.day or schedule.start
    waits = granted_day(source, schedule)
    return max(day, waits) if waits else day


def granted_day(source: Source, schedule: Schedule) -> date | None:
    """Return the day of the row that *source* depends on, the end of a package; None where there is none."""
    for days in (schedule.approvals, schedule.decisions, schedule.gates):
        if source.after in days:
            return days[source.after]
    package = schedule.packages.get(source.after)
    return package.end if package else None


def operating_flows(spine: Spine, end: date, *, until: date) -> list[Flow]:
    """Return receipts and costs of running, by month, until *until*: of streams and upkeep that begin before then.

    What a party pays is left out.
    """
    running = _day(end.toordinal() + 1)
    flows: list[Flow] = []
    for stream in spine.streams:
        flows += _stream_flows(stream, stream.first or running, until)
    opening = min((stream.first or running for stream in spine.streams), default=running)
    for upkeep in (row for row in spine.upkeep if not row.of_a_party):
        flows += _upkeep_flows(upkeep, upkeep.first or opening, until)
    return [flow for flow in flows if flow.day <= until and flow.amount]


def ramp_share(stream: Stream, month: int) -> float:
    """Return the share of full volume in *month* of running, from 0: it grows in equal steps over the ramp."""
    return min(1.0, (month + 1) / (stream.ramp_months + 1))


def spread(amount: float, first: date, last: date) -> Iterator[tuple[date, float]]:
    """Yield *amount* in parts by calendar days, each on the last day of its month or on *last*."""
    until = min(month_of(last), month_of(first) + MOST_SPREAD - 1)
    last = min(last, last_of(until))
    whole = (last - first).days + 1
    begin = first
    for number in range(month_of(first), until + 1):
        end = min(last, last_of(number))
        yield end, amount * ((end - begin).days + 1) / whole
        begin = _day(end.toordinal() + 1)


def sums(spine: Spine) -> tuple[Sum, ...]:
    """Return the sums, in this order; kinds and statuses without a row are left out.

    Each kind of line; ``cost``: all but contingency and reserve; ``total``: all lines; ``contingency_share``: of the
    cost, 0 to 1 and beyond; each status of source; ``sources``: all of them.
    """
    return tuple(Sum(name=name, amount=amount) for name, amount in sums_of(spine).items())


def sums_of(spine: Spine) -> Mapping[str, float]:
    """Return the sums by name."""
    kinds = {kind: _cents(sum(line.amount for line in spine.lines if line.kind == kind)) for kind in KINDS}
    statuses = {status: _cents(sum(s.amount for s in spine.sources if s.status == status)) for status in STATUSES}
    cost = _cents(sum(amount for kind, amount in kinds.items() if kind not in KEPT))
    found = {name: amount for name, amount in kinds.items() if amount}
    found |= {"cost": cost, "total": _cents(sum(kinds.values()))}
    if cost:
        found["contingency_share"] = round(kinds["contingency"] / cost, 4)
    found |= {name: amount for name, amount in statuses.items() if amount}
    return found | {"sources": _cents(sum(statuses.values()))}


def month_of(day: date) -> int:
    """Return the number of the month of *day*: months count from year 0."""
    return day.year * 12 + day.month - 1


def first_of(month: int) -> date:
    """Return the first day of the month of that number, within what dates can say."""
    month = min(max(month, month_of(date.min)), month_of(date.max))
    return date(month // 12, month % 12 + 1, 1)


def last_of(month: int) -> date:
    """Return the last day of the month of that number."""
    return _day(first_of(month + 1).toordinal() - 1) if month < month_of(date.max) else date.max


def _bound(schedule: Schedule) -> Iterator[Flow]:
    bound = {p.id: bound_day(p, schedule.packages[p.id]) for p in schedule.spine.packages if p.id in schedule.packages}
    for line in schedule.spine.lines:
        day = bound.get(line.package)
        if day and line.amount and line.kind not in KEPT:
            yield Flow(day, line.amount, line.id)


def bound_day(package: Package, dated: Dated) -> date | None:
    """Return the day from which *package* binds money, once it can no longer be cancelled for nothing; None: never."""
    which = BINDING.get(package.kind)
    day = dated.start if which == "start" else dated.end
    return max(day, package.free_until or day) if which else None


def _committed(schedule: Schedule) -> Iterator[Flow]:
    bound = {flow.id: flow.day for flow in _bound(schedule)}
    for line in schedule.spine.lines:
        if paid := payments_of(line, schedule):
            if line.kind in AS_PAID or not schedule.packages.keys() & {*line.all_packages}:
                yield from paid
            else:
                yield Flow(min(paid[0].day, bound.get(line.id) or span_of(line, schedule)[0]), line.amount, line.id)


def _is_pay(line: Line) -> bool:
    """Pay of a role is monthly, whatever the default of the line says; a fee for one package is not."""
    return line.kind == "staff" and not line.package and line.paid == "end"


def _stream_flows(stream: Stream, first: date, until: date) -> Iterator[Flow]:
    units = stream.volume / 12
    for month, number in enumerate(range(month_of(first), min(month_of(until), month_of(first) + MOST_SPREAD) + 1)):
        sold = units * ramp_share(stream, month)
        yield Flow(max(first, first_of(number)), -sold * stream.unit_cost, stream.id)
        yield Flow(_day(last_of(number).toordinal() + stream.paid_after), sold * stream.price, stream.id)


def _upkeep_flows(upkeep: Upkeep, first: date, until: date) -> Iterator[Flow]:
    for number in range(month_of(first), min(month_of(until), month_of(first) + MOST_SPREAD) + 1):
        yield Flow(max(first, first_of(number)), -upkeep.likely / 12, upkeep.id)


def _day(ordinal: int) -> date:
    return date.fromordinal(min(max(ordinal, _FIRST), _LAST))


def _cents(amount: float) -> float:
    return round(amount, 2)
