"""The schedule as files that other programs read: CSV for spreadsheets and planners, Mermaid for a Gantt chart."""

import csv
import io
import re
from collections.abc import Iterable, Sequence

from planloom.planes.strategic.spine.rows import Need
from planloom.planes.strategic.stages.computed_plan import ComputedPlan
from planloom.planes.strategic.stages.results import Schedule

_PACKAGE_COLUMNS = (
    "id", "title", "deliverable", "kind", "owner", "start", "end", "days", "day_kind", "low", "likely", "high",
    "effort", "needs", "slack", "critical", "waited_last_for", "held_by_role", "outdoor", "basis", "done_when",
)  # fmt: skip


def schedule_csv(schedule: Schedule) -> str:
    """Return the packages, one to a row, in order of their start. Dates are ISO 8601; ``needs`` parts by spaces.

    A need is written as ``P3``, ``P3:ss`` for start-start, with a lag as ``P3:fs+5``.
    """
    plan = ComputedPlan(schedule.spine, schedule.computed)
    rows = []
    for package in plan.in_order:
        if dated := plan.dated.get(package.id):
            rows.append((
                package.id, package.title, plan.title(package.deliverable), package.kind, plan.title(package.owner),
                dated.start, dated.end, dated.days, "calendar" if package.every_day else "working", package.low,
                package.likely, package.high, dated.effort, " ".join(map(_need, package.needs)), dated.slack,
                dated.critical, dated.driver, dated.held_by_role, package.outdoor, package.basis, package.done_when,
            ))  # fmt: skip
    return _csv(_PACKAGE_COLUMNS, rows)


def cash_csv(schedule: Schedule) -> str:
    """Return received, paid, lowest balance and commitments by month, in the currency of the frame."""
    months = schedule.computed.months
    head = ("month", "received", "paid", "lowest_balance", "committed", "currency")
    currency = schedule.spine.frame.currency
    return _csv(head, [(f"{m.first:%Y-%m}", m.received, m.paid, m.balance, m.committed, currency) for m in months])


def load_csv(schedule: Schedule) -> str:
    """Return the person-days of each role by month, needed and there."""
    plan = ComputedPlan(schedule.spine, schedule.computed)
    loads = sorted(schedule.computed.loads, key=lambda load: (load.role, load.first))
    head = ("role", "title", "month", "needed", "there")
    return _csv(head, [(n.role, plan.title(n.role), f"{n.first:%Y-%m}", n.needed, n.there) for n in loads])


def mermaid_text(schedule: Schedule) -> str:
    """Return a Mermaid Gantt chart: a section for each deliverable, crit on the packages without slack."""
    plan = ComputedPlan(schedule.spine, schedule.computed)
    lines = ["gantt", "    dateFormat YYYY-MM-DD", "    axisFormat %d %b %Y", "    inclusiveEndDates"]
    names = dict.fromkeys(package.deliverable for package in plan.in_order)
    for name in names:
        lines.append(f"    section {_plain(plan.title(name) or 'Packages')}")
        for package in plan.in_order:
            if package.deliverable == name and (dated := plan.dated.get(package.id)):
                marks = "crit, " if dated.critical else ""
                lines.append(f"    {_plain(package.title)} :{marks}{package.id.lower()}, {dated.start}, {dated.end}")
    if schedule.computed.gates:
        lines.append("    section Gates")
        for gate in schedule.computed.gates:
            lines.append(f"    {_plain(plan.title(gate.id))} :milestone, {gate.id.lower()}, {gate.day}, 0d")
    return "\n".join(lines) + "\n"


def _need(need: Need) -> str:
    if need.kind == "finish_start" and not need.lag:
        return need.id
    return f"{need.id}:{'ss' if need.kind == 'start_start' else 'fs'}{f'{need.lag:+d}' if need.lag else ''}"


def _csv(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(head)
    writer.writerows([_cell(value) for value in row] for row in rows)
    return out.getvalue()


def _cell(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return f"{value:.12g}"
    text = str(value)
    # a spreadsheet runs a cell with such a first character as a formula
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


def _plain(text: str) -> str:
    """Return *text* without the characters by which Mermaid separates its fields."""
    return re.sub(r"\s+", " ", re.sub(r"[:;,#%{}\n]", " ", text)).strip() or "Package"
