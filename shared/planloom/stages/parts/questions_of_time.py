"""Questions of the one who must tell others the date."""

from collections.abc import Iterator
from datetime import timedelta

from planloom.domain.wording import day_text
from planloom.facts.quoting import lower_first
from planloom.stages.parts.questions_answer import QuestionRow
from planloom.stages.parts.questions_sources import Sources, asked
from planloom.stages.parts.schedule_result import ScheduledTask

_FIRST_WEEKS = timedelta(days=21)
_NAMED = 5


def about_time(s: Sources) -> Iterator[QuestionRow]:
    """Ask for the date, what drives it, what could stretch it, what begins first and what is closed."""
    deadline = s.schedule.deadline
    when = f"Will it be done by {day_text(deadline)}?" if deadline else f"When is {s.brief.facts.subject} done?"
    yield asked(when, s.schedule.verdict_text, "Schedule")
    tasks = {task.id: task for task in s.schedule.tasks}
    path = [tasks[name] for name in s.schedule.critical_path if name in tasks]
    if path:
        yield _path(s, path)
        yield from _worst(s, path)
    soon = s.schedule.start + _FIRST_WEEKS
    first = sorted((t for t in s.schedule.tasks if t.start <= soon), key=lambda t: (t.start, t.id))
    if first:
        named = "; ".join(_begin(task) for task in first[:_NAMED])
        more = f"; and {len(first) - _NAMED} more" if len(first) > _NAMED else ""
        yield asked(f"What must begin before {day_text(soon)}?", f"{named}{more}.", "Schedule")
    for closed in s.schedule.closed[:1]:
        yield asked(
            f"What happens between {day_text(closed.first)} and {day_text(closed.last)}?",
            f"{'No work outdoors' if closed.outdoor else 'No work'}: the goal says “{closed.reason}”. No package "
            f"starts on a closed day; {len(s.schedule.closed)} such periods lie within the plan.",
            "Schedule",
        )


def _begin(task: ScheduledTask) -> str:
    return f"{lower_first(task.title)} ({lower_first(task.owner)}, {day_text(task.start)})"


def _path(s: Sources, path: list[ScheduledTask]) -> QuestionRow:
    names = "; then ".join(f"{lower_first(t.title)} ({day_text(t.start)})" for t in path[:_NAMED])
    rest = f", and {len(path) - _NAMED} more up to {day_text(path[-1].end)}" if len(path) > _NAMED else ""
    return asked(
        f"Which steps decide {day_text(s.schedule.end)}?",
        f"The chain of {len(path)} packages: {names}{rest}. A day lost on one of them is a day lost at the end.",
        "Schedule",
    )


def _worst(s: Sources, path: list[ScheduledTask]) -> Iterator[QuestionRow]:
    longest = max(path, key=lambda t: (t.pessimistic - t.likely, t.id))
    worse = round(longest.pessimistic - longest.likely) - longest.total_slack
    if worse > 0:
        yield asked(
            f"What if {lower_first(longest.title)} takes as long as it can?",
            f"Then it takes {longest.pessimistic:g} working days instead of {longest.likely:g}, and the end moves from "
            f"{day_text(s.schedule.end)} by up to {worse}. {longest.owner}: report it as soon as {longest.likely:g} "
            "days will not do.",
            "Schedule",
        )
