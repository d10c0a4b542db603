"""Failure stories without a model: computed from schedule, people and success criteria, then those of the field."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from planloom.knowledge.brief import Brief, day_text
from planloom.knowledge.gates import gate_day, open_day
from planloom.knowledge.quoting import clip, lower_first
from planloom.knowledge.tables import Story
from planloom.stages.premortem_answer import Kind, StoryRow
from planloom.stages.project_plan import ProjectPlan
from planloom.stages.schedule_result import Schedule, ScheduledTask
from planloom.stages.wbs import Wbs

#: Stories per kind: one that only this plan can have, the rest from the tables of its field.
PER_KIND = 2
#: Kinds of packages that are matters of engineering: what does not fit or does not work is found there.
MADE = ("build", "test", "procurement", "design")


@dataclass(frozen=True)
class Plot:
    """What stories are computed from."""

    brief: Brief
    plan: ProjectPlan
    wbs: Wbs
    schedule: Schedule


def outline_stories(plot: Plot, kinds: Sequence[Kind]) -> list[StoryRow]:
    """Return the stories of *kinds*: for each the one that only this plan can have, then those of its field."""
    return [story for kind in kinds for story in _of_kind(plot, kind)]


def _of_kind(plot: Plot, kind: Kind) -> Iterator[StoryRow]:
    own = {"process": _late_lead_time, "technology": _wide_estimate, "people": _overloaded, "market": _missed_target}
    computed = own[kind](plot)
    if computed:
        yield StoryRow(kind=kind, **computed)
    rows = [row for row in plot.brief.rows("stories", Story) if row.kind == kind]
    for row in rows[: PER_KIND - bool(computed) + (kind == "process")]:
        yield _from_table(plot, row)


def _late_lead_time(plot: Plot) -> dict[str, Any] | None:
    """A permit or delivery that others decide came as late as its pessimistic estimate."""
    waits = [t for t in plot.schedule.tasks if t.fixed and t.critical] or [t for t in plot.schedule.tasks if t.fixed]
    if not waits:
        return None
    task = max(waits, key=lambda t: (t.pessimistic - t.likely, t.id))
    late = max(round(task.pessimistic - task.likely), 1)
    held = _follower(plot.schedule, task)
    overrun = max(late - task.total_slack, 0)
    ask = open_day(plot.brief, task.start + (task.end - task.start) / 2)
    chain = [
        f"{task.title} was asked for on {day_text(task.start)} with papers that were returned once.",
        f"It came {late} working days after {day_text(task.end)}, as its pessimistic estimate of "
        f"{task.pessimistic:g} days had said it might.",
    ]
    if held:
        chain.append(
            f"{held.title} could not start on {day_text(held.start)}, and who was booked for it went elsewhere."
        )
    chain.append(_ending(plot.schedule, overrun, task.total_slack))
    return {
        "title": f"{task.title} came {late} working days late",
        "chain": chain,
        "warning": f"No complete file confirmed in writing for {lower_first(task.title)} by {day_text(task.start)}",
        "tripwire": f"No dated answer on {day_text(ask)}, half-way through its {task.duration} working days",
        "containment": f"{task.owner} asks for a meeting with whoever decides within 3 working days; "
        + (f"{held.title} is split so that what needs no answer starts on time; " if held else "")
        + f"{task.total_slack} working days of slack are spent and no more.",
        "watcher": task.owner,
        "look": f"weekly from {day_text(task.start)}",
    }


def _wide_estimate(plot: Plot) -> dict[str, Any] | None:
    """The made thing whose estimate is widest did not work at its test."""
    kinds = {package.id: package.kind for package in plot.wbs.packages}
    made = [t for t in plot.schedule.tasks if kinds.get(t.id) in MADE and not t.fixed]
    if not made:
        return None
    task = max(made, key=lambda t: (t.critical, t.pessimistic - t.optimistic, t.id))
    held = _follower(plot.schedule, task)
    early = open_day(plot.brief, task.end - timedelta(days=max(round((task.end - task.start).days / 3), 7)))
    return {
        "title": f"{task.title} failed its test and had to be done again",
        "chain": [
            f"{task.title} began on {day_text(task.start)} before anybody had written how its test would be run.",
            f"On {day_text(task.end)} the test was tried for the first time: “{clip(task.test, 140)}”. It failed.",
            f"The repair took {max(round(task.pessimistic - task.likely), 1)} working days more than the likely estimate "
            f"of {task.likely:g}." + (f" {held.title} waited." if held else ""),
            _ending(plot.schedule, max(round(task.pessimistic - task.likely) - task.total_slack, 0), task.total_slack),
        ],
        "warning": f"A dry run of that test, due by {day_text(early)}, has not taken place or has open faults",
        "tripwire": f"More than a third of the work on {lower_first(task.title)} undone on {day_text(early)}",
        "containment": f"{task.owner} cuts what the test does not need, brings in a second pair of eyes for five "
        "working days, and reports the new date within 2 working days",
        "watcher": task.owner,
        "look": f"weekly until {day_text(task.end)}",
    }


def _overloaded(plot: Plot) -> dict[str, Any] | None:
    """The role that owns most of the critical path was not there."""
    owners = Counter(task.owner for task in plot.schedule.tasks if task.critical)
    if not owners:
        return None
    owner, count = min(owners.items(), key=lambda each: (-each[1], each[0]))
    path = [task for task in plot.schedule.tasks if task.critical and task.owner == owner]
    middle = path[len(path) // 2]
    return {
        "title": f"{owner} dropped out for five weeks with {count} critical packages in one pair of hands",
        "chain": [
            f"From {day_text(path[0].start)} on, {count} of {sum(owners.values())} critical packages were "
            f"{lower_first(owner)}'s own; nobody else had read their files.",
            f"In the weeks before {day_text(middle.start)} hours went up and hand-overs were put off.",
            f"{owner} fell out during {lower_first(middle.title)}; finding somebody took three weeks.",
            _ending(plot.schedule, max(25 - middle.total_slack, 0), middle.total_slack),
        ],
        "warning": f"Two weeks in a row in which {lower_first(owner)} works more than a tenth above the agreed hours",
        "tripwire": f"No named stand-in who has done one of these packages with {lower_first(owner)} by "
        f"{day_text(open_day(plot.brief, middle.start - timedelta(days=28)))}",
        "containment": f"The stand-in takes {lower_first(middle.title)} at once; packages with slack wait; "
        "whoever signs the budget may hire for six weeks from contingency without a meeting",
        "watcher": _other(plot.plan, owner),
        "look": "every second week, from the hours that are written down",
    }


def _missed_target(plot: Plot) -> dict[str, Any] | None:
    """It was finished, and those it was made for did not come: the first measure of success was missed."""
    measures = [c for c in plot.plan.plan.criteria if any(ch.isdigit() for ch in c.threshold)] or list(
        plot.plan.plan.criteria
    )
    if not measures:
        return None
    measure = measures[0]
    launch = gate_day(plot.brief, "launch")
    first = open_day(plot.brief, launch + timedelta(days=28))
    return {
        "title": f"All was there on {day_text(launch)}, and “{clip(measure.text, 90)}” was still missed",
        "chain": [
            f"What was promised ({clip(measure.threshold, 110)}) had never been asked of those it depends on.",
            f"Until {day_text(launch)} all attention went to {lower_first(plot.schedule.tasks[-1].deliverable_title)}; "
            "nobody counted interest.",
            "The first figures were half of what was needed and were explained away as a slow start.",
            "When the second count said the same, the money to change course had been spent.",
        ],
        "warning": f"{clip(measure.measure, 160)}: below half of the threshold in the first count after "
        f"{day_text(launch)}",
        "tripwire": f"Below two thirds of {clip(measure.threshold, 110)} on {day_text(first)}",
        "containment": f"{measure.role} asks ten of those who did not come within a week, stops spending on what they "
        "do not mention, and brings one change with its price to the next meeting",
        "watcher": measure.role,
        "look": f"weekly for twelve weeks from {day_text(launch)}",
    }


def _from_table(plot: Plot, row: Story) -> StoryRow:
    said = plot.brief.called_by(row)
    chain = list(row.chain)
    if said:
        chain[0] = f"{chain[0].rstrip('.')}. The goal had named it: “{clip(said.text, 130)}”"
    return StoryRow(
        kind=row.kind,
        title=row.title,
        chain=chain,
        warning=row.warning,
        tripwire=row.tripwire,
        containment=row.containment,
        watcher=plot.brief.role_title(row.watcher),
        look=f"monthly until {day_text(plot.schedule.end)}",
    )


def _follower(schedule: Schedule, task: ScheduledTask) -> ScheduledTask | None:
    after = [t for t in schedule.tasks if task.id in t.predecessors]
    return min(after, key=lambda t: (not t.critical, t.start, t.id)) if after else None


def _ending(schedule: Schedule, overrun: int, slack: int) -> str:
    end = day_text(schedule.end)
    if not overrun:
        return f"Its {slack} working days of slack were gone, and every later delay moved the end beyond {end}."
    if schedule.deadline and schedule.spare is not None and overrun > max(schedule.spare, 0):
        missed = overrun - max(schedule.spare, 0)
        return (
            f"The end moved by {overrun} working days from {end}, and {day_text(schedule.deadline)} was missed by "
            f"{missed}."
        )
    return f"The end moved by {overrun} working days from {end}."


def _other(plan: ProjectPlan, owner: str) -> str:
    return next((post.title for post in plan.plan.people if post.title != owner), owner)
