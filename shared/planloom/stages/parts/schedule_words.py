"""Say what the dates mean: does the deadline hold, what drives the end, and who does what about it."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Literal

from planloom.domain.wording import day_text
from planloom.knowledge.brief import Brief
from planloom.knowledge.work_breakdown import owner_of
from planloom.stages.parts.schedule_result import ScheduledTask

Verdict = Literal["holds", "tight", "late", "open"]

#: A task with less slack than that becomes critical when one decision takes a fortnight.
_NEARLY = 10
#: One role that answers for so many packages at once is a bottleneck that the dates do not show.
_CROWDED = 4


def verdict_of(deadline: date | None, end: date, p80: date) -> Verdict:
    """Return whether the deadline holds: holds, tight (only if nothing slips), late, or open without one."""
    if deadline is None:
        return "open"
    if end > deadline:
        return "late"
    return "holds" if p80 <= deadline else "tight"


def verdict_text(
    deadline: date | None,
    end: date,
    p50: date,
    p80: date,
    chance: float | None,
    spare: int | None,
    *,
    on_day: bool = False,
) -> str:
    """Say the verdict plainly, with the dates and the share of simulated runs that hold the deadline."""
    sure = f"half of the simulated runs end by {day_text(p50)}, four of five by {day_text(p80)}"
    if deadline is None or spare is None or chance is None:
        return f"No deadline was found in the goal. The computed end is {day_text(end)}; {sure}."
    wanted, reached = day_text(deadline), f"the computed end is {day_text(end)}"
    days = f"{abs(spare)} working day{'' if abs(spare) == 1 else 's'}"
    held = f"{chance:.0%} of the simulated runs hold it; {sure}"
    if end > deadline:
        return f"Cannot hold {wanted}: {reached}, late by {days}. {held}."
    if on_day:
        ready = f"{chance:.0%} of the simulated runs are ready in time"
        return f"Takes place on {wanted}: what leads to it has {days} of slack. {ready}."
    if p80 <= deadline:
        return f"Holds {wanted} with {days} to spare: {reached}. {held}."
    return f"Holds {wanted} only if little slips: {reached}, {days} before it. {held}."


def advice(
    brief: Brief, tasks: Sequence[ScheduledTask], path: Sequence[str], verdict: Verdict, p80: date
) -> tuple[str, ...]:
    """Return what to do, in order of effect: on the path first, then near it, then whoever is crowded."""
    by_id = {task.id: task for task in tasks}
    chain = [by_id[name] for name in path]
    found = [*_shorten(chain), *_decide(brief, chain, verdict, p80)] if verdict in ("late", "tight") else []
    return tuple([*found, *_season(by_id, chain), *_watch(tasks, chain), *_crowded(tasks)][:9])


def _shorten(chain: Sequence[ScheduledTask]) -> Iterator[str]:
    others = sorted((t for t in chain if t.fixed), key=lambda t: -t.duration)[:2]
    own = sorted((t for t in chain if not t.fixed), key=lambda t: -t.duration)[:2]
    for task in others:
        yield (
            f"{task.id} {task.title} takes {task.duration} working days that others set. {task.owner} to ask them "
            f"before {day_text(task.start)} which papers shorten it, and to file in parts if they allow it. "
            "Seen by: their written answer with a date."
        )
    for task in own:
        yield (
            f"{task.id} {task.title} is among the longest own work on the path ({task.duration} working days): "
            f"{task.owner} to split it or double the hands by {day_text(task.start)}. "
            f"Seen by: an estimate below {task.likely:g} days, with a role for each part."
        )


def _decide(brief: Brief, chain: Sequence[ScheduledTask], verdict: Verdict, p80: date) -> Iterator[str]:
    gate = chain[len(chain) // 3]
    lead = owner_of(brief, "lead")
    then = "move the deadline to" if verdict == "late" else "agree in writing what gives way first, or on"
    yield (
        f"If {gate.id} {gate.title} is not done by {day_text(gate.end)}, {lead} to {then} {day_text(p80)}, or to cut "
        "what the deadline asks for. Seen by: a dated decision."
    )


def _season(by_id: Mapping[str, ScheduledTask], chain: Sequence[ScheduledTask]) -> Iterator[str]:
    """Where the path begins with a wait for open days, what leads to them has slack until then, and none after."""
    first = chain[0]
    before = [by_id[name] for name in first.predecessors]
    if first.waits_for_season and before:
        last = min(before, key=lambda task: task.total_slack)
        yield (
            f"{first.id} {first.title} waits for {day_text(first.start)}, its first open day. What leads "
            f"to it has {last.total_slack} working days of slack ({last.id} {last.title}, {last.owner}); once they are "
            "used, each day lost is one of the open season. Seen by: the slack that is left, reported monthly."
        )


def _watch(tasks: Sequence[ScheduledTask], chain: Sequence[ScheduledTask]) -> Iterator[str]:
    first, last = chain[0], chain[-1]
    slack = "no slack" if first.critical and not first.total_slack else f"{first.total_slack} working days of slack"
    yield (
        f"The path from {first.id} to {last.id} has {slack}: each owner on it, {first.owner} first, to report the "
        "end of a package on the day, late or not. Seen by: a dated line for each."
    )
    near = [t for t in tasks if not t.held_back and t.start <= last.end and 0 < t.total_slack <= _NEARLY][:4]
    for task in near:
        days = f"{task.total_slack} working day{'' if task.total_slack == 1 else 's'}"
        yield f"{task.id} {task.title} is next to it with {days} of slack: {task.owner} to report weekly what is left."


def _crowded(tasks: Sequence[ScheduledTask]) -> Iterator[str]:
    """Name the role that answers for the most packages at once, and when: the dates assume that it can."""
    worst: tuple[int, date, str] | None = None
    for owner in dict.fromkeys(task.owner for task in tasks):
        mine = [task for task in tasks if task.owner == owner and not task.fixed]
        for task in mine:
            at_once = sum(t.start <= task.start <= t.end for t in mine)
            if worst is None or at_once > worst[0]:
                worst = (at_once, task.start, owner)
    if worst and worst[0] >= _CROWDED:
        count, day, owner = worst
        yield (
            f"{count} packages of {owner} run at once around {day_text(day)}: agree before that day who takes which, "
            "or their dates are not real. Seen by: a role with free days beside each."
        )
