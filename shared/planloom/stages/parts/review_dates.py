"""The review's first lens: gates against computed days, the end against the deadline, waits against their slack."""

from collections.abc import Iterator
from datetime import date

from planloom.domain.wording import day_text
from planloom.facts.quoting import clip, lower_first
from planloom.stages.parts.computed_gates import phase_ends
from planloom.stages.parts.permit_waits import days_short, waiting_permits
from planloom.stages.parts.review_answer import FindingRow
from planloom.stages.parts.reviewed import Reviewed
from planloom.stages.parts.schedule_result import Milestone

#: Calendar days by which gate and computed day may differ before anybody would plan otherwise.
_SAME = 5


def dates(r: Reviewed) -> Iterator[FindingRow]:
    """Find what cannot be true of the dates, then what may not hold."""
    yield from _gates(r)
    yield from _deadline(r)
    for milestone in r.schedule.milestones:
        if milestone.kind == "prompt" and milestone.target and (milestone.spare or 0) < 0:
            yield _missed(r, milestone, milestone.target)
    yield from _permits(r)
    yield from _lead_times(r)


def _gates(r: Reviewed) -> Iterator[FindingRow]:
    """The gates that plans and papers quote, where the computed schedule says another day."""
    apart = [(abs((m.day - m.planned).days), m, m.planned) for m in phase_ends(r.schedule) if m.planned]
    apart = [each for each in apart if each[0] > _SAME]
    if not apart:
        return
    days, worst, planned = max(apart, key=lambda each: (each[0], each[1].id))
    others = "; ".join(
        f"{m.title.removesuffix(': done')} {day_text(was)}, computed {day_text(m.day)}"
        for _, m, was in apart
        if m is not worst
    )
    later = "later" if worst.day > planned else "earlier"
    yield r.finding(
        kind="contradiction",
        title=f"{len(apart)} planned gates are not the computed days; the worst is {days} days {later}",
        place=f"Project Plan, gate after {worst.title.removesuffix(': done')}, {day_text(planned)}",
        against=f"Schedule, {worst.id} on {day_text(worst.day)}",
        text=f"The gate after {lower_first(worst.title.removesuffix(': done'))} is planned for {day_text(planned)}, "
        f"but the work before it ends on {day_text(worst.day)}: {days} calendar days {later}. Gates were set by share "
        f"of the work, the schedule by durations and order." + (f" Likewise: {others}." if others else ""),
        consequence="What sections promise “before the gate” falls due on a day when its work is not done; the "
        "computed days hold.",
        weight=(5, 5),
        action=f"Replace the planned gates by the computed days, {lower_first(worst.title.removesuffix(': done'))} "
        "first, and tell whoever has promised something for them.",
        check="Each gate of the project plan carries the date of its milestone in the schedule",
    )


def _deadline(r: Reviewed) -> Iterator[FindingRow]:
    s = r.schedule
    if not s.deadline or s.verdict not in ("late", "tight"):
        return
    late = s.verdict == "late"
    yield r.finding(
        kind="contradiction" if late else "weakness",
        title=f"The computed end is after {day_text(s.deadline)}"
        if late
        else f"{day_text(s.deadline)} holds only if little slips",
        place=f"Schedule, end {day_text(s.end)}",
        against=f"the goal, {day_text(s.deadline)}",
        text=s.verdict_text,
        consequence=f"Whoever counts on {day_text(s.deadline)} can be four-fifths sure of {day_text(s.p80)} only.",
        weight=(5 if late else 4, 5 if late else 3),
        action=s.advice[0] if s.advice else "Decide which package of the critical path is cut or doubled.",
        check="The recomputed end lies before the deadline, or a new deadline is agreed in writing",
    )


def _missed(r: Reviewed, milestone: Milestone, target: date) -> FindingRow:
    late = -(milestone.spare or 0)
    return r.finding(
        kind="contradiction",
        title=f"{clip(milestone.title, 90)} comes {late} working days late",
        place=f"Schedule, {milestone.id} on {day_text(milestone.day)}",
        against=f"the goal, {day_text(target)}",
        text=f"The goal wants it by {day_text(target)}; the chain of work before it ends on {day_text(milestone.day)}, "
        f"{late} working days later.",
        consequence=f"Whoever counts on {day_text(target)} must be told now, while the day can still be moved.",
        weight=(4, 4),
        action=f"Start package {milestone.task} and what leads to it earlier, cut it, or agree "
        f"{day_text(milestone.day)}.",
        role=_owner(r, milestone.task),
        check=f"{milestone.id} ends on or before {day_text(target)}, or a new day stands in writing",
    )


def _permits(r: Reviewed) -> Iterator[FindingRow]:
    """The permit whose answer can come latest after the work that waits for it."""
    short = [
        (lack, permit, task)
        for permit, task in waiting_permits(r.plan, r.schedule)
        if (lack := days_short(permit, task.start)) > 0
    ]
    if not short:
        return
    lack, permit, task = max(short, key=lambda each: (each[0], each[1].title))
    yield r.finding(
        kind="weakness",
        title=f"{clip(permit.title, 100)} may come after the work that needs it",
        place=f"Project Plan, permits: apply by {day_text(permit.apply_by)}",
        against=f"Schedule, {task.id} from {day_text(task.start)}",
        text=f"{permit.authority[:1].upper()}{permit.authority[1:]} may take {permit.pessimistic} working "
        f"days from {day_text(permit.apply_by)}; {lower_first(task.title)} starts on {day_text(task.start)}, {lack} "
        "working days too soon for that.",
        consequence=f"{task.title} waits up to {lack} working days, or starts without leave.",
        weight=(4, 3),
        action=f"Ask for the decision date before {day_text(permit.apply_by)}, and name what of {task.id} needs no "
        "permit.",
        role=permit.role,
        by=day_text(permit.apply_by),
        check="A dated answer of the authority on file, or a split package",
    )


def _lead_times(r: Reviewed) -> Iterator[FindingRow]:
    waits = [t for t in r.schedule.tasks if t.fixed and t.total_slack < t.pessimistic - t.likely]
    for task in sorted(waits, key=lambda t: (t.total_slack - (t.pessimistic - t.likely), t.id))[:1]:
        worse = round(task.pessimistic - task.likely) - task.total_slack
        yield r.finding(
            kind="weakness",
            title=f"{clip(task.title, 90)} can outlast its slack",
            place=f"Schedule, {task.id}, {task.total_slack} working days of slack",
            against=f"Task Durations, up to {task.pessimistic:g} working days",
            text=f"Others decide how long it takes. Likely are {task.likely:g} working days; if it takes "
            f"{task.pessimistic:g}, {worse} of them fall on the end.",
            consequence=f"The end moves from {day_text(r.schedule.end)} by up to {worse} working days.",
            weight=(4, 3),
            action=f"Ask for the decision date in writing when the papers go in, and hand them in before "
            f"{day_text(task.start)} if they are complete.",
            role=task.owner,
            by=day_text(task.start),
            check="A dated acknowledgement of complete papers is on file",
        )


def dates_sound(r: Reviewed) -> str:
    """Say what holds of the dates."""
    s = r.schedule
    parallel = len(s.tasks) - len(s.critical_path)
    closed = f" No package starts on a closed day ({len(s.closed)} closed periods)." if s.closed else ""
    return (
        f"{len(s.tasks)} packages run from {day_text(s.start)} to {day_text(s.last_day)}, {parallel} of them beside "
        f"the critical path.{closed}"
    )


def _owner(r: Reviewed, task_id: str) -> str:
    return next((task.owner for task in r.schedule.tasks if task.id == task_id), r.lead)
