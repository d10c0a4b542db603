"""The figures that texts may name, by name, as readers read them: ``{P12.end}`` becomes ``14 May 2027``."""

from collections.abc import Iterable, Iterator
from datetime import date
from math import isfinite

from planloom.compute.computed import Computed, Load, Odds
from planloom.compute.found import chance_text
from planloom.domain.wording import amount_text, day_text
from planloom.spine.rows import Decision
from planloom.spine.spine import Spine

Named = Iterator[tuple[str, str]]

#: Sums under the names that texts use; kinds of lines get ``cost_`` before them.
_SUMS = {
    "cost": "cost",
    "total": "total_cost",
    "contingency": "contingency",
    "reserve": "reserve",
    "sources": "sources_total",
    "there": "sources_there",
    "promised": "sources_promised",
    "applied_for": "sources_applied_for",
    "assumed": "sources_assumed",
}


def computed_values(spine: Spine, computed: Computed) -> dict[str, str]:
    """Return every figure of *spine* and *computed* by its name.

    Ids with a dot and a part (``P12.start .end .days .slack .effort``, ``N3.due .computed .p50 .p80 .chance``,
    ``G2.day .sunk .owed .leaving_cost``, ``A2.answer``, ``R3.load_peak .days_later``, ``L4.amount``, ``D1.A.cost``),
    ``end.`` and ``yearN.`` likewise, and single names (``start``, ``gap``, ``total_cost``, ``break_even``).
    A figure that is not known has no name.
    """
    currency = spine.frame.currency
    found = dict(_whole(spine, computed))
    for part in (
        _packages(spine, computed),
        _odds(computed.odds),
        _gates(computed, currency),
        _answers(spine, computed),
        _roles(computed),
        _sums(computed, currency),
        _years(computed, currency),
        _rows(spine),
    ):
        found.update(part)
    return found


def month_text(day: date) -> str:
    """Return the month of *day*: ``May 2027``."""
    return f"{day:%B} {day.year}"


def _whole(spine: Spine, computed: Computed) -> Named:
    currency = spine.frame.currency
    yield "start", day_text(computed.start)
    yield "end", day_text(computed.end)
    if spine.frame.end:
        yield "end.due", day_text(spine.frame.end)
    if spine.frame.budget:
        yield "budget", amount_text(spine.frame.budget, currency)
    yield "gap", amount_text(computed.gap, currency) if computed.gap else "none"
    if computed.gap_month:
        yield "gap_month", month_text(computed.gap_month)
    if computed.break_even:
        yield "break_even", month_text(computed.break_even)
    elif spine.streams and computed.years and any(line.amount for line in spine.lines):
        yield "break_even", "not within 30 years"


def _packages(spine: Spine, computed: Computed) -> Named:
    calendar_days = {p.id for p in spine.packages if p.every_day}
    for row in computed.packages:
        yield f"{row.id}.start", day_text(row.start)
        yield f"{row.id}.end", day_text(row.end)
        yield f"{row.id}.days", _days(row.days, "calendar" if row.id in calendar_days else "working")
        yield f"{row.id}.slack", _days(row.slack, "working")
        yield f"{row.id}.effort", f"{row.effort:,.0f} person-days"


def _odds(rows: Iterable[Odds]) -> Named:
    for row in rows:
        days = {"due": row.due, "computed": row.computed, "p50": row.p50, "p80": row.p80, "stressed": row.stressed}
        for name, day in days.items():
            if day:
                yield f"{row.what}.{name}", day_text(day)
        if row.chance is not None:
            yield f"{row.what}.chance", chance_text(row.chance)


def _gates(computed: Computed, currency: str) -> Named:
    for row in computed.gates:
        yield f"{row.id}.day", day_text(row.day)
        yield f"{row.id}.sunk", amount_text(row.sunk, currency)
        yield f"{row.id}.owed", amount_text(row.owed, currency)
        yield f"{row.id}.leaving_cost", amount_text(row.leaving_cost, currency)


def _answers(spine: Spine, computed: Computed) -> Named:
    for id, day in computed.answers.items():
        yield f"{id}.answer", day_text(day)
    for approval in spine.approvals:
        if approval.meeting:
            yield f"{approval.id}.meeting", day_text(approval.meeting)
        if approval.releases and isfinite(approval.releases):
            yield f"{approval.id}.releases", amount_text(approval.releases, spine.frame.currency)
    for decision in spine.decisions:
        if decision.by:
            yield f"{decision.id}.by", day_text(decision.by)
        yield from _options(decision, spine.frame.currency)


def _options(decision: Decision, currency: str) -> Named:
    for option in decision.options:
        name = f"{decision.id}.{option.key}"
        if isfinite(option.cost):
            yield f"{name}.cost", amount_text(option.cost, currency)
        yield f"{name}.days", _days(option.days, "calendar")
        if option.undo_by:
            yield f"{name}.undo_by", day_text(option.undo_by)


def _roles(computed: Computed) -> Named:
    peaks: dict[str, Load] = {}
    for load in computed.loads:
        best = peaks.get(load.role)
        if best is None or load.needed - load.there > best.needed - best.there:
            peaks[load.role] = load
    for role, load in peaks.items():
        yield f"{role}.load_peak", f"{load.needed:,.0f} of {load.there:,.0f} days in {month_text(load.first)}"
    for without in computed.without:
        yield f"{without.role}.days_later", _days(without.days_later, "calendar")


def _sums(computed: Computed, currency: str) -> Named:
    for row in computed.sums:
        if row.name == "contingency_share":
            yield row.name, f"{row.amount:.0%}"
        else:
            yield _SUMS.get(row.name, f"cost_{row.name}"), amount_text(row.amount, currency)


def _years(computed: Computed, currency: str) -> Named:
    for year in computed.years:
        for name in ("earned", "variable", "fixed", "result", "tied_up"):
            yield f"year{year.number}.{name}", amount_text(getattr(year, name), currency)
    if computed.years:
        yield "tied_up", amount_text(max(year.tied_up for year in computed.years), currency)


def _rows(spine: Spine) -> Named:
    currency = spine.frame.currency
    for line in spine.lines:
        yield f"{line.id}.amount", amount_text(line.amount, currency)
    for source in spine.sources:
        yield f"{source.id}.amount", amount_text(source.amount, currency)
        if source.day:
            yield f"{source.id}.day", day_text(source.day)
    for upkeep in spine.upkeep:
        yield f"{upkeep.id}.amount", amount_text(upkeep.likely, currency)
    for risk in spine.risks:
        yield f"{risk.id}.cost", amount_text(risk.cost, currency)
        yield f"{risk.id}.odds", f"{risk.odds:.0%}"
        yield f"{risk.id}.residual", f"{risk.residual:.0%}"


def _days(count: int, kind: str) -> str:
    return f"{count} {kind} day{'' if abs(count) == 1 else 's'}"
