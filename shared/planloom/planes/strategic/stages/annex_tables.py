"""Annexes that programs make of the spine without a model: assumptions, what to find out, and the packages."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date

from planloom.planes.strategic.spine.markdown import HEADINGS
from planloom.planes.strategic.spine.rows import Approval, Assumption, Decision, Gate, OpenQuestion, Package
from planloom.planes.strategic.spine.spine import TABLES
from planloom.planes.strategic.stages.computed_plan import Column, ComputedPlan, day, ids, number, rows_table, table
from planloom.planes.strategic.stages.computed_tables import load_table, needs, swings_table, without_table
from planloom.planes.strategic.stages.text import bullets

METHOD = """\
Each package starts as early as its needs, approvals, gates, decisions and calendar allow; where a role has more work
than people, the package with less float goes first. P50 and P80 are the days by which half and four fifths of 1,000
simulated runs end, with durations and lead times drawn between low and high. No chance is stated above what inputs
that people judged allow. The stress column repeats the computation with all durations a quarter longer. Cash follows
the payment days of lines and the days of sources; a gap is the lowest balance below zero.
"""
#: The number of the least certain durations that an outline lists.
MOST_DURATIONS = 8


def annex_table(annex: str, plan: ComputedPlan, *, brief: bool = False) -> str:
    """Return the whole text of *annex* without its heading; empty for one that needs a writer.

    *brief* shows of dependencies and durations what other tables do not.
    """
    if brief and annex in _BRIEF:
        return _BRIEF[annex](plan)
    return ANNEX_TABLES[annex](plan) if annex in ANNEX_TABLES else ""


def _assumptions(plan: ComputedPlan) -> str:
    heads = {"Id": "id", "Taken to be true": "text", "Low": "low", "Likely": "likely", "High": "high"}
    shown = rows_table(plan, plan.spine.assumptions, heads | {"If it is false": "breaks", "Rests on it": "touches"})
    moves = _below("What moves the result most", swings_table(plan))
    return f"{shown or 'No assumption is listed yet.'}\n{_judged(plan)}{moves}"


def _below(title: str, shown: str) -> str:
    """Return a table below its heading; empty where it has no rows."""
    return f"\n## {title}\n\n{shown}" if shown.strip() else ""


def _judged(plan: ComputedPlan) -> str:
    """Say in how many rows of which tables values are assumed, or still to be verified."""
    said = ""
    for basis, words in (
        ("assumed", "Assumed values, by table"),
        ("verify", "To be verified with their source, by table"),
    ):
        counts = {name: sum(getattr(row, "basis", "") == basis for row in getattr(plan.spine, name)) for name in TABLES}
        if found := ", ".join(f"{HEADINGS[name].lower()} {count}" for name, count in counts.items() if count):
            said += f"\n{words}: {found}.\n"
    return said


def _data_collection(plan: ComputedPlan) -> str:
    """Return the tests of assumptions and the open questions as what is to be found out, the earliest first."""
    found: list[tuple[Assumption | OpenQuestion, str, str]] = [
        *((row, row.test or f"Find out whether it holds: {row.text}", row.breaks) for row in plan.spine.assumptions),
        *((row, row.text, row.why) for row in plan.spine.questions),
    ]
    found.sort(key=lambda each: (each[0].by or date.max, each[0].id[:1], len(each[0].id), each[0].id))
    shown = table(
        ["By", "Id", "What to find out", "Why it decides something", "Who"],
        [(day(row.by) or "no day yet", row.id, what, why, plan.title(row.owner)) for row, what, why in found],
    )
    return f"{shown or 'No question and no test of an assumption is open.'}\n{_below('Parties', _parties(plan))}"


def _parties(plan: ComputedPlan) -> str:
    rows = ((p.id, p.name, p.part, p.meets) for p in plan.spine.parties)
    return table(("Id", "Party", "What it decides or wants", "Meets"), rows)


def _wbs(plan: ComputedPlan) -> str:
    blocks = []
    for deliverable in plan.spine.deliverables:
        made = [package for package in plan.in_order if package.deliverable == deliverable.id]
        blocks.append(f"## {plan.named(deliverable.id)}\n\n{_done(deliverable.done_when)}{_packages(plan, made)}")
    known = {deliverable.id for deliverable in plan.spine.deliverables}
    if loose := [package for package in plan.in_order if package.deliverable not in known]:
        blocks.append(f"## Further packages\n\n{_packages(plan, loose)}")
    return "\n".join(["Days and float of each package are in the calendar of all work.\n", *blocks])


def _done(text: str) -> str:
    return f"Done when: {text.rstrip('.')}.\n\n" if text else ""


def _packages(plan: ComputedPlan, packages: list[Package]) -> str:
    columns: Mapping[str, Column] = {
        "Id": "id",
        "Package": "title",
        "Owner": "owner",
        "Also": lambda package: ", ".join(f"{plan.title(o.role)} {number(o.days)} d" for o in package.also),
        "Needs": needs,
        "Lines": lambda package: ids(line.id for line in plan.spine.lines if package.id in line.all_packages),
        "Before it": "before",
        "Done when": "done_when",
    }
    return rows_table(plan, _dated(plan, packages), columns)


def _dependencies(plan: ComputedPlan, packages: Sequence[Package] | None = None) -> str:
    after: dict[str, list[str]] = {}
    for package in plan.spine.packages:
        for need in package.needs:
            after.setdefault(need.id, []).append(package.id)
    waits = _waits(plan)
    columns: Mapping[str, Column] = {
        "Id": "id",
        "Package": "title",
        "Needs": needs,
        "Also waits for": lambda package: ids(waits.get(package.id, ())),
        "Not before": "not_before",
        "Goes before": lambda package: ids(after.get(package.id, ())),
    }
    shown = rows_table(plan, plan.in_order if packages is None else packages, columns)
    return f"A need is finish to start unless it says otherwise; a lag counts working days.\n\n{shown}"


def _waits(plan: ComputedPlan) -> dict[str, list[str]]:
    """Return the approvals, gates and decisions that free each package."""
    rows: tuple[Approval | Gate | Decision, ...] = (*plan.spine.approvals, *plan.spine.gates, *plan.spine.decisions)
    found: dict[str, list[str]] = {}
    for row in rows:
        for package in row.frees:
            found.setdefault(package, []).append(row.id)
    return found


def _bound(plan: ComputedPlan) -> str:
    """Return the packages that wait for more than other packages, which the work breakdown shows."""
    waits = _waits(plan)
    bound = [package for package in plan.in_order if package.not_before or package.id in waits]
    return f"What each package needs is in the work breakdown.\n\n{_dependencies(plan, bound)}"


def _widest(plan: ComputedPlan) -> str:
    """Return the packages whose durations are least known."""
    widest = sorted(plan.in_order, key=lambda package: (package.low - package.high, package.id))[:MOST_DURATIONS]
    return f"The least certain durations; all are in 026-3-schedule.csv.\n\n{_durations(plan, widest)}"


def _durations(plan: ComputedPlan, packages: Sequence[Package] | None = None) -> str:
    columns: Mapping[str, Column] = {
        "Id": "id",
        "Package": "title",
        "Low": lambda package: number(package.low),
        "Likely": lambda package: number(package.likely),
        "High": lambda package: number(package.high),
        "Days count": lambda package: "calendar" if package.every_day else "working",
        "Effort (person-days)": lambda package: number(plan.dated[package.id].effort),
        "Held by its roles (days)": lambda package: plan.dated[package.id].held_by_role or "",
        "From": "basis",
    }
    shown = rows_table(plan, _dated(plan, packages), columns)
    notes = bullets(plan.computed.calendar_notes)
    people = _below("Heaviest months", load_table(plan)) + _below("Without one role", without_table(plan))
    return f"Low is reached in one case of ten, high is kept in nine of ten. {METHOD}\n{notes}\n{shown}{people}"


def _dated(plan: ComputedPlan, packages: Sequence[Package] | None) -> list[Package]:
    return [package for package in (plan.in_order if packages is None else packages) if package.id in plan.dated]


ANNEX_TABLES: Mapping[str, Callable[[ComputedPlan], str]] = {
    "assumptions": _assumptions,
    "data_collection": _data_collection,
    "wbs": _wbs,
    "task_dependencies": _dependencies,
    "task_durations": _durations,
}
_BRIEF: Mapping[str, Callable[[ComputedPlan], str]] = {"task_dependencies": _bound, "task_durations": _widest}
