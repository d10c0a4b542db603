"""The figures that texts may name, by name, as readers read them: ``{P12.end}`` becomes ``14 May 2027``."""

from collections.abc import Iterable, Iterator
from datetime import date
from math import isfinite
from typing import Any

from planloom.core.wording import amount_text, day_text
from planloom.planes.strategic.compute.computed import Computed, Load
from planloom.planes.strategic.compute.found import chance_text
from planloom.planes.strategic.spine.spine import Spine

Named = Iterator[tuple[str, str]]

#: Sums under the names that texts use; kinds of lines get ``cost_`` before them.
_SUMS = {name: name for name in ("cost", "contingency", "contingency_share", "reserve")} | {
    "total": "total_cost",
    "sources": "sources_total",
    **{status: f"sources_{status}" for status in ("there", "promised", "applied_for", "assumed")},
}
#: What becomes a figure of each row: its fields, each a day, an amount, or a share that is known.
_ROWS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("approvals", ("meeting", "releases")),
    ("decisions", ("by",)),
    ("lines", ("amount",)),
    ("sources", ("amount", "day")),
    ("risks", ("cost",)),
)
_ODDS = ("due", "computed", "p50", "p80", "stressed")
_YEAR = ("earned", "variable", "fixed", "carried", "result", "tied_up")
#: Amounts that are left out where they are 0: nothing is known of them.
_UNKNOWN_AT_ZERO = ("releases", "carried")


def computed_values(spine: Spine, computed: Computed) -> dict[str, str]:
    """Return every figure of *spine* and *computed* by its name.

    Ids with a dot and a part (``P12.start .end .days .slack .effort``, ``N3.due .computed .p50 .p80 .chance``,
    ``G2.day .sunk .owed .leaving_cost``, ``A2.answer``, ``R3.load_peak .days_later``, ``L4.amount``, ``D1.A.cost``),
    ``end.`` and ``yearN.`` likewise, and single names (``start``, ``gap``, ``total_cost``, ``break_even``).
    A figure that is not known has no name.
    """
    currency = spine.frame.currency
    parts = (
        _whole(spine, computed),
        _time(spine, computed),
        _roles(computed),
        _money(computed, currency),
        _rows(spine),
    )
    return {name: text for part in parts for name, text in part}


def month_text(day: date) -> str:
    """Return the month of *day*: ``May 2027``."""
    return f"{day:%B} {day.year}"


def _whole(spine: Spine, computed: Computed) -> Named:
    frame, currency = spine.frame, spine.frame.currency
    yield from _fields("", computed, ("start", "end"), currency)
    if frame.end:
        yield "end.due", day_text(frame.end)
    if frame.budget:
        yield "budget", amount_text(frame.budget, currency)
    yield "gap", amount_text(computed.gap, currency) if computed.gap else "none"
    for name in ("gap_month", "break_even"):
        if month := getattr(computed, name):
            yield name, month_text(month)
    if not computed.break_even and spine.streams and computed.years and any(line.amount for line in spine.lines):
        yield "break_even", "not within 30 years"


def _time(spine: Spine, computed: Computed) -> Named:
    calendar_days = {p.id for p in spine.packages if p.every_day}
    for row in computed.packages:
        yield from _fields(f"{row.id}.", row, ("start", "end"), "")
        yield f"{row.id}.days", _days(row.days, "calendar" if row.id in calendar_days else "working")
        yield f"{row.id}.slack", _days(row.slack, "working")
        yield f"{row.id}.effort", f"{row.effort:,.0f} person-days"
    for odds in computed.odds:
        yield from _fields(f"{odds.what}.", odds, _ODDS, "")
        if odds.chance is not None:
            yield f"{odds.what}.chance", chance_text(odds.chance)
    for id, day in computed.answers.items():
        yield f"{id}.answer", day_text(day)


def _roles(computed: Computed) -> Named:
    peaks: dict[str, Load] = {}
    for load in computed.loads:
        best = peaks.setdefault(load.role, load)
        if load.needed - load.there > best.needed - best.there:
            peaks[load.role] = load
    for role, load in peaks.items():
        yield f"{role}.load_peak", f"{load.needed:,.0f} of {load.there:,.0f} days in {month_text(load.first)}"
    for without in computed.without:
        yield f"{without.role}.days_later", _days(without.days_later, "calendar")


def _money(computed: Computed, currency: str) -> Named:
    for gate in computed.gates:
        yield from _fields(f"{gate.id}.", gate, ("day", "sunk", "owed", "leaving_cost"), currency)
    for row in computed.sums:
        share = row.name == "contingency_share"
        text = f"{row.amount:.0%}" if share else amount_text(row.amount, currency)
        yield _SUMS.get(row.name, f"cost_{row.name}"), text
    for drawn in computed.drawn:
        yield f"{drawn.line}.drawn", amount_text(drawn.expected, currency)
    for year in computed.years:
        yield from _fields(f"year{year.number}.", year, _YEAR, currency)
    if computed.years:
        yield "tied_up", amount_text(max(year.tied_up for year in computed.years), currency)


def _rows(spine: Spine) -> Named:
    currency = spine.frame.currency
    for table, fields in _ROWS:
        for row in getattr(spine, table):
            yield from _fields(f"{row.id}.", row, fields, currency)
    for upkeep in spine.upkeep:
        yield f"{upkeep.id}.amount", amount_text(upkeep.likely, currency)
    for risk in spine.risks:
        yield f"{risk.id}.odds", f"{risk.odds:.0%}"
        yield f"{risk.id}.residual", f"{risk.residual:.0%}"
    for decision in spine.decisions:
        for option in decision.options:
            name = f"{decision.id}.{option.key}."
            yield from _fields(name, option, ("cost", "undo_by"), currency)
            yield f"{name}days", _days(option.days, "calendar")


def _fields(name: str, row: Any, fields: Iterable[str], currency: str) -> Named:
    """Yield the days and the finite amounts in *fields* of *row*."""
    for field in fields:
        value = getattr(row, field)
        if isinstance(value, date):
            yield f"{name}{field}", day_text(value)
        elif value is not None and isfinite(value) and (value or field not in _UNKNOWN_AT_ZERO):
            yield f"{name}{field}", amount_text(value, currency)


def _days(count: int, kind: str) -> str:
    return f"{count} {kind} day{'' if abs(count) == 1 else 's'}"
