"""Annexes that programs make of the spine without a model: assumptions, what to find out, and the packages."""

from collections.abc import Callable, Mapping
from datetime import date

from planloom.planes.strategic.spine.markdown import HEADINGS
from planloom.planes.strategic.spine.rows import Assumption, OpenQuestion, Package
from planloom.planes.strategic.spine.spine import TABLES
from planloom.planes.strategic.stages.computed_plan import ComputedPlan, mark, number, short_day, table
from planloom.planes.strategic.stages.computed_tables import load_table, swings_table, without_table

#: One sentence a line: each is translated by itself.
METHOD = """\
Low is reached in one case of ten, high is kept in nine of ten.
Each task starts as early as what it waits for and its calendar allow.
Where a role has more work than people, the task with less float goes first.
P50 and P80 are the days by which half and four fifths of 1,000 simulated runs end.
The runs draw durations and lead times between low and high.
No chance is stated above what inputs that people judged allow.
The stress column repeats the computation with all durations a quarter longer.
Cash follows the payment days of lines and the days of sources; a gap is the lowest balance below zero.
"""
#: The number of the least certain durations that an outline lists.
MOST_DURATIONS = 8


def annex_table(annex: str, plan: ComputedPlan, *, brief: bool = False) -> str:
    """Return the whole text of *annex* without its heading; empty for one that needs a writer.

    *brief* shows the durations alone that are least known.
    """
    if brief and annex in _BRIEF:
        return _BRIEF[annex](plan)
    return ANNEX_TABLES[annex](plan) if annex in ANNEX_TABLES else ""


def _assumptions(plan: ComputedPlan) -> str:
    rows = ((h.text, h.low, h.likely, h.high, h.breaks, plan.called(h.touches)) for h in plan.spine.assumptions)
    shown = table(("Taken to be true", "Low", "Likely", "High", "If it is false", "Rests on it"), rows)
    moves = _below("What moves the result most", swings_table(plan))
    return f"{shown or 'No assumption is listed yet.'}\n{_judged(plan)}{moves}"


def _below(title: str, shown: str) -> str:
    """Return a table below its heading; empty where it has no rows."""
    return f"\n## {title}\n\n{shown}" if shown.strip() else ""


def _judged(plan: ComputedPlan) -> str:
    """Return in how many rows of which tables values are assumed, or still to be verified."""
    rows = []
    for name in TABLES:
        found = [getattr(row, "basis", "") for row in getattr(plan.spine, name)]
        if counts := [found.count(basis) for basis in ("assumed", "verify")]:
            rows.append((HEADINGS[name], *(count or "" for count in counts)))
    shown = table(("Table", "Assumed values", "To be verified"), [row for row in rows if any(row[1:])])
    return _below("What rests on judgement", shown)


def _data_collection(plan: ComputedPlan) -> str:
    """Return the tests of assumptions and the open questions as what is to be found out, the earliest first."""
    found: list[tuple[Assumption | OpenQuestion, str, str]] = [
        *((row, row.test or f"Find out whether it holds: {row.text}", row.breaks) for row in plan.spine.assumptions),
        *((row, row.text, row.why) for row in plan.spine.questions),
    ]
    found.sort(key=lambda each: (each[0].by or date.max, each[0].id[:1], len(each[0].id), each[0].id))
    shown = table(
        ("By", "What to find out", "Why it decides something", "Who"),
        [(short_day(row.by), what, why, plan.called([row.owner])) for row, what, why in found],
    )
    return f"{shown or 'No question and no test of an assumption is open.'}\n{_below('Parties', _parties(plan))}"


def _parties(plan: ComputedPlan) -> str:
    return table(
        ("Party", "What it decides or wants", "Meets"), ((p.name, p.part, p.meets) for p in plan.spine.parties)
    )


def _wbs(plan: ComputedPlan) -> str:
    """Return the tasks below the deliverable that they make, with what the calendar does not show of them."""
    rows: list[tuple[str, ...]] = []
    known = {deliverable.id: deliverable for deliverable in plan.spine.deliverables}
    for id_ in (*known, ""):
        tasks = [task for task in plan.in_order if (task.deliverable if task.deliverable in known else "") == id_]
        if id_ or (known and tasks):
            title, done = (known[id_].title, known[id_].done_when) if id_ else ("Further tasks", "")
            rows.append(("", f"**{title}**", "", "", f"Done when: {done}" if done else ""))
        rows += [_task(plan, task) for task in tasks]
    shown = table(("No.", "Deliverable, task", "Also work on it (days)", "Paid from", "Before it starts"), rows)
    return f"Owner, days, float and check of each task are in the calendar of all work.\n\n{shown}"


def _task(plan: ComputedPlan, task: Package) -> tuple[str, ...]:
    also = ", ".join(f"{plan.called([each.role])} {number(each.days)}" for each in task.also)
    lines = plan.called(line.id for line in plan.spine.lines if task.id in line.all_packages)
    return task.id, task.title, also, lines, task.before


def _dependencies(plan: ComputedPlan) -> str:
    """Return what follows each task, and what it waited for last; the calendar has all that it waits for."""
    after: dict[str, list[str]] = {}
    for task in plan.spine.packages:
        for need in task.needs:
            after.setdefault(need.id, []).append(task.id)
    rows = [
        (
            task.id,
            task.title,
            plan.called([found.driver]),
            found.held_by_role or "",
            plan.called(after.get(task.id, ())),
        )
        for task in plan.in_order
        if (found := plan.dated.get(task.id))
    ]
    shown = table(("No.", "Task", "Waited last for", "Held by its roles (working days)", "Goes before"), rows)
    return f"What each task waits for is in the calendar of all work.\n\n{shown}"


def _durations(plan: ComputedPlan, *, widest: bool = False) -> str:
    """Return the durations of all tasks, or of those whose durations are least known."""
    tasks = [task for task in plan.in_order if task.id in plan.dated]
    if widest:
        tasks = sorted(tasks, key=lambda task: (task.low - task.high, task.id))[:MOST_DURATIONS]
    rows = [
        (
            task.id,
            task.title,
            " / ".join(map(number, (task.low, task.likely, task.high))),
            "calendar days" if task.every_day else "",
            number(plan.dated[task.id].effort) if plan.dated[task.id].effort else "",
            mark(task.basis),
        )
        for task in tasks
    ]
    days = "Low / likely / high (working days)"
    shown = table(("No.", "Task", days, "Counted in", "Effort (person-days)", "Mark"), rows)
    if widest:
        return f"The least certain durations; all are in 026-3-schedule.csv.\n\n{shown}"
    notes = "\n".join(plan.computed.calendar_notes)
    people = _below("Heaviest months", load_table(plan)) + _below("Without one role", without_table(plan))
    return f"{METHOD}Durations without a mark are assumed.\n{notes}\n\n{shown}{people}"


def _widest(plan: ComputedPlan) -> str:
    return _durations(plan, widest=True)


ANNEX_TABLES: Mapping[str, Callable[[ComputedPlan], str]] = {
    "assumptions": _assumptions,
    "data_collection": _data_collection,
    "wbs": _wbs,
    "task_dependencies": _dependencies,
    "task_durations": _durations,
}
_BRIEF: Mapping[str, Callable[[ComputedPlan], str]] = {"task_durations": _widest}
