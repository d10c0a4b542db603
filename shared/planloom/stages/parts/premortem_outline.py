"""Failure stories without a model: computed from schedule, people and success criteria, then those of the field."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from planloom.domain.wording import day_text
from planloom.facts.quoting import clip, lower_first
from planloom.knowledge.brief import Brief
from planloom.knowledge.gates import open_day
from planloom.knowledge.tables import Story
from planloom.stages.parts.computed_gates import phase_end
from planloom.stages.parts.fitted import fitted
from planloom.stages.parts.goal_clause import quoted
from planloom.stages.parts.premortem_answer import Kind, StoryRow
from planloom.stages.parts.premortem_target import missed_target
from planloom.stages.parts.schedule_result import Schedule, ScheduledTask
from planloom.stages.project_plan import ProjectPlan
from planloom.stages.wbs import Wbs

#: Stories per kind: one that only this plan can have, the rest from the tables of its field.
PER_KIND = 2
#: A story is long, so that two words in common with the goal say little.
SHARED = 3
#: Kinds of packages that are matters of engineering: what does not fit or does not work is found there.
MADE = ("build", "test", "procurement", "design")
#: Working days that pass until somebody new has learnt the work.
ABSENCE = 25
#: The phase at whose end a story of the tables shows first.
SHOWS_IN: dict[Kind, str] = {"process": "prepare", "technology": "design", "people": "build", "market": "launch"}


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
    computed = _own(plot, kind)
    if computed:
        yield fitted(StoryRow, kind=kind, **computed)
    rows = [row for row in plot.brief.rows("stories", Story) if row.kind == kind]
    for row in rows[: PER_KIND - bool(computed) + (kind == "process")]:
        yield _from_table(plot, row)


def _own(plot: Plot, kind: Kind) -> dict[str, Any] | None:
    if kind == "market":
        launch = phase_end(plot.brief, plot.schedule, "launch")
        return missed_target(plot.brief, plot.plan, plot.schedule, launch)
    return {"process": _late_lead_time, "technology": _wide_estimate, "people": _absent}[kind](plot)


def _late_lead_time(plot: Plot) -> dict[str, Any] | None:
    """A permit or delivery that others decide came as late as its pessimistic estimate."""
    waits = [t for t in plot.schedule.tasks if t.fixed and t.critical] or [t for t in plot.schedule.tasks if t.fixed]
    if not waits:
        return None
    task = max(waits, key=lambda t: (t.pessimistic - t.likely, t.id))
    late = max(round(task.pessimistic - task.likely), 1)
    held = _follower(plot.schedule, task)
    ask = open_day(plot.brief, task.start + (task.end - task.start) / 2)
    return {
        "title": f"{clip(task.title, 100)} came {late} working days late",
        "chain": [
            f"{task.title} was asked for on {day_text(task.start)} with papers that were returned once.",
            f"It came {late} working days after {day_text(task.end)}, as its pessimistic estimate of "
            f"{task.pessimistic:g} days had said it might.",
            *_held_up(held),
            ending(plot.schedule, max(late - task.total_slack, 0), task.total_slack),
        ],
        "warning": f"No complete file confirmed in writing for {lower_first(task.title)} by {day_text(task.start)}",
        "tripwire": f"No dated answer on {day_text(ask)}, half-way through its {task.duration} working days",
        "containment": f"{task.owner}: a meeting with whoever decides within 3 working days"
        + (f"; {lower_first(held.title)} is split so that what needs no answer starts on time" if held else "")
        + (f"; {task.total_slack} working days of slack may be spent, no more." if task.total_slack else "."),
        "watcher": task.owner,
        "look": f"weekly from {day_text(task.start)}",
    }


def _held_up(held: ScheduledTask | None) -> Iterator[str]:
    if held:
        yield f"{held.title} could not start on {day_text(held.start)}, and who was booked for it went elsewhere."


def _wide_estimate(plot: Plot) -> dict[str, Any] | None:
    """The made thing whose estimate is widest did not work at its test."""
    kinds = {package.id: package.kind for package in plot.wbs.packages}
    made = [t for t in plot.schedule.tasks if kinds.get(t.id) in MADE and not t.fixed]
    if not made:
        return None
    task = max(made, key=lambda t: (t.critical, t.pessimistic - t.optimistic, t.id))
    held = _follower(plot.schedule, task)
    more = max(round(task.pessimistic - task.likely), 1)
    early = max(open_day(plot.brief, task.end - timedelta(days=max((task.end - task.start).days // 3, 7))), task.start)
    return {
        "title": f"{clip(task.title, 90)} failed its test and had to be done again",
        "chain": [
            f"{task.title} began on {day_text(task.start)} before anybody had written how its test would be run.",
            f"On {day_text(task.end)} the test was tried for the first time: “{clip(task.test, 140)}”. It failed.",
            f"The repair took {more} working days more than the likely {task.likely:g}."
            + (f" {held.title} waited." if held else ""),
            ending(plot.schedule, max(more - task.total_slack, 0), task.total_slack),
        ],
        "warning": f"No dry run of “{clip(task.test, 120)}” by {day_text(early)}, or one that left open faults",
        "tripwire": f"More than a third of the work on {lower_first(task.title)} undone on {day_text(early)}",
        "containment": f"{task.owner}: cut what the test does not need, bring in a second pair of eyes for five "
        "working days, and report the new date within 2 working days",
        "watcher": task.owner,
        "look": f"weekly from {day_text(task.start)} to {day_text(task.end)}",
    }


def _absent(plot: Plot) -> dict[str, Any] | None:
    """The role that owns most of the critical path was not there."""
    path = sorted((t for t in plot.schedule.tasks if t.critical), key=lambda t: (t.start, t.id))
    owners = Counter(task.owner for task in path)
    if not owners:
        return None
    owner, count = min(owners.items(), key=lambda each: (-each[1], each[0]))
    own = [task for task in path if task.owner == owner]
    middle = own[len(own) // 2]
    by = open_day(plot.brief, middle.start - timedelta(days=28))
    who = lower_first(owner)
    return {
        "title": f"Five weeks without {clip(who, 70)}, with {count} critical packages in one pair of hands",
        "chain": [
            f"From {day_text(own[0].start)} on, {count} of {len(path)} critical packages lay with {who}; nobody else "
            "had read their files.",
            f"In the weeks before {day_text(middle.start)} hours went up and hand-overs were put off.",
            f"During {lower_first(middle.title)} nobody was there to do it; finding a replacement took three weeks.",
            ending(plot.schedule, max(ABSENCE - middle.total_slack, 0), middle.total_slack),
        ],
        "warning": f"Two weeks in a row in which {who} worked more than a tenth above the agreed hours",
        "tripwire": f"No stand-in who has done one of {', '.join(t.id for t in own[:4])} with {who} by {day_text(by)}",
        "containment": f"The stand-in takes {lower_first(middle.title)} at once; packages with slack wait; whoever "
        "signs the budget may hire for six weeks from contingency without a meeting",
        "watcher": next((title for title in _watchers(plot) if title != owner), owner),
        "look": f"every second week from {day_text(own[0].start)}, from the hours that are written down",
    }


def _watchers(plot: Plot) -> Iterator[str]:
    yield plot.brief.role_title("lead")
    yield from (post.title for post in plot.plan.plan.people)


def _from_table(plot: Plot, row: Story) -> StoryRow:
    text = f"{row.title}. {' '.join(row.chain)} {row.warning}"
    first = phase_end(plot.brief, plot.schedule, SHOWS_IN[row.kind])
    chain = [f"{row.chain[0].rstrip('.')}.{quoted(plot.brief, text, 'The goal had said', SHARED)}", *row.chain[1:]]
    return fitted(
        StoryRow,
        kind=row.kind,
        title=row.title,
        chain=[f"{step.rstrip('.')}." if n else step for n, step in enumerate(chain)],
        warning=row.warning,
        tripwire=row.tripwire,
        containment=row.containment,
        watcher=plot.brief.role_title(row.watcher),
        look=f"monthly until {day_text(_last_look(plot, first))}, then weekly until it is settled",
    )


def _last_look(plot: Plot, gate: date) -> date:
    """Four weeks before the phase ends in which the story shows: what is seen later comes too late."""
    return open_day(plot.brief, gate - timedelta(days=28))


def _follower(schedule: Schedule, task: ScheduledTask) -> ScheduledTask | None:
    waiting = [t for t in schedule.tasks if task.id in t.predecessors]
    return min(waiting, key=lambda t: (not t.critical, t.start, t.id), default=None)


def ending(schedule: Schedule, overrun: int, slack: int) -> str:
    """Return how a chain ends that costs *overrun* working days beyond its *slack*."""
    end = day_text(schedule.end)
    if not overrun:
        return f"Its {slack} working days of slack were gone, and every later delay moved the end beyond {end}."
    moved = f"The end moved by {overrun} working days from {end}"
    if schedule.deadline is None or schedule.spare is None or overrun <= schedule.spare:
        return f"{moved}."
    missed = overrun - schedule.spare
    return f"{moved}, and {day_text(schedule.deadline)} was missed by {missed}."
