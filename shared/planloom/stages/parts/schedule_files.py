"""The schedule as files that other programs read: CSV for spreadsheets and planners, Mermaid for a Gantt chart."""

import csv
import io
import re

from planloom.stages.parts.schedule_result import Schedule, ScheduledTask

_HEAD = (
    "level", "id", "title", "deliverable", "phase", "owner", "start", "end", "working_days", "optimistic", "likely",
    "pessimistic", "predecessors", "total_slack", "free_slack", "critical", "outdoor", "time_set_by_others",
    "done_when",
)  # fmt: skip


def csv_text(schedule: Schedule) -> str:
    """Return packages and their tasks, one to a row, in order of id; milestones last. Dates are ISO 8601."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(_HEAD)
    for task in schedule.tasks:
        writer.writerow([_cell(value) for value in _row(task)])
        for leaf in (leaf for leaf in schedule.leaves if leaf.task == task.id):
            row = [3, leaf.id, leaf.title, task.deliverable_title, task.phase, leaf.owner, leaf.start, leaf.end]
            writer.writerow([_cell(v) for v in (*row, *[""] * (len(_HEAD) - len(row) - 1), leaf.test)])
    for milestone in schedule.milestones:
        row = ["milestone", milestone.id, milestone.title, "", "", "", milestone.day, milestone.day]
        writer.writerow([_cell(v) for v in (*row, *[""] * (len(_HEAD) - len(row)))])
    return out.getvalue()


def mermaid_text(schedule: Schedule) -> str:
    """Return a Mermaid Gantt chart: a section for each deliverable, crit on the packages without slack."""
    lines = ["gantt", "    dateFormat YYYY-MM-DD", "    axisFormat %d %b %Y", "    inclusiveEndDates"]
    section = ""
    for task in schedule.tasks:
        if task.deliverable_title != section:
            section = task.deliverable_title
            lines.append(f"    section {_plain(section)}")
        marks = "crit, " if task.critical else ""
        lines.append(f"    {_plain(task.title)} :{marks}{_name(task.id)}, {task.start}, {task.end}")
    lines.append("    section Milestones")
    for milestone in schedule.milestones:
        marks = "crit, milestone" if milestone.spare is not None and milestone.spare < 0 else "milestone"
        lines.append(f"    {_plain(milestone.title)} :{marks}, {milestone.id}, {milestone.day}, 0d")
    return "\n".join(lines) + "\n"


def _row(task: ScheduledTask) -> tuple[object, ...]:
    return (
        2, task.id, task.title, task.deliverable_title, task.phase, task.owner, task.start, task.end, task.duration,
        f"{task.optimistic:g}", f"{task.likely:g}", f"{task.pessimistic:g}", " ".join(task.predecessors),
        task.total_slack, task.free_slack, _yes(task.critical), _yes(task.outdoor), _yes(task.fixed), task.test,
    )  # fmt: skip


def _yes(value: bool) -> str:
    return "yes" if value else "no"


def _cell(value: object) -> str:
    text = str(value)
    # a spreadsheet runs a cell that begins so as a formula
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


def _plain(text: str) -> str:
    """Return *text* without the characters by which Mermaid parts its fields."""
    return re.sub(r"\s+", " ", re.sub(r"[:;,#%{}\n]", " ", text)).strip() or "Package"


def _name(task_id: str) -> str:
    return f"t{task_id.replace('.', '_')}"
