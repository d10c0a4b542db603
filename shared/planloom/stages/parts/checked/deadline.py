"""Check 1: the computed dates against the goal's: deadline, dated milestones, seasons and forbidden months."""

from collections.abc import Iterator
from datetime import date, timedelta

from planloom.domain.calendars import closes
from planloom.domain.facts import Closure
from planloom.quality.finding import Finding, Outcome, finding, place
from planloom.stages.parts.checked.stated import day_text, says_day
from planloom.stages.parts.checked.draft import GOAL_FILE, SCHEDULE_FILE, SUMMARY_FILE, Bar, Draft, Job, Schedule

CHECK = "deadline"
TITLE = "Computed dates against the goal's"


def check(draft: Draft) -> Outcome:
    """High where a date cannot hold and the plan does not say so, or where work lies in a closed season."""
    schedule = draft.schedule
    seasons = [c for c in draft.facts.closures if c.months or c.first or c.last]
    targets = [bar for bar in schedule.bars if bar.target]
    looked = f"{len(targets)} dated demands, {len(schedule.jobs)} packages against {len(seasons)} seasons or closures"
    findings = (*_overall(draft), *_milestones(targets), *_closed(draft, seasons))
    return Outcome(looked_at=looked, findings=findings)


def _overall(draft: Draft) -> Iterator[Finding]:
    schedule = draft.schedule
    deadline, end = schedule.deadline, max(schedule.end, _latest_final(schedule))
    if deadline is None:
        return
    goal = place(GOAL_FILE, f"deadline {day_text(deadline)}")
    if end > deadline and schedule.verdict != "late":
        message = f"The computed end, {day_text(end)}, is after the deadline, and the schedule's verdict is another."
        yield finding(CHECK, "high", message, place(SCHEDULE_FILE, schedule.verdict_text), goal)
    elif end <= deadline and schedule.verdict == "late":
        message = f"The computed end, {day_text(end)}, is within the deadline, and the schedule says that it is late."
        yield finding(CHECK, "medium", message, place(SCHEDULE_FILE, schedule.verdict_text), goal)
    if end > deadline and not says_day(draft.pages.get(SUMMARY_FILE, ""), schedule.end):
        message = f"The plan ends on {day_text(end)}, after the deadline, and page one does not say so."
        first = next((p.text for p in draft.passages if p.file == SUMMARY_FILE and p.kind != "heading"), "")
        yield finding(CHECK, "high", message, place(SUMMARY_FILE, first), place(SCHEDULE_FILE, schedule.verdict_text))


def _latest_final(schedule: Schedule) -> date:
    finals = [bar.day for bar in schedule.bars if bar.target and bar.target == schedule.deadline]
    return max(finals, default=date.min)


def _milestones(targets: list[Bar]) -> Iterator[Finding]:
    for bar in targets:
        assert bar.target
        if bar.day > bar.target and (bar.spare is None or bar.spare >= 0):
            message = (
                f"“{bar.title}” is computed for {day_text(bar.day)} and demanded for {day_text(bar.target)}; "
                "the schedule does not mark it late."
            )
            row = place(SCHEDULE_FILE, f"{bar.title} | {bar.day} | {bar.target}")
            yield finding(CHECK, "high", message, row, place(GOAL_FILE, f"{bar.title}: {day_text(bar.target)}"))


def _closed(draft: Draft, seasons: list[Closure]) -> Iterator[Finding]:
    for job in draft.schedule.jobs:
        for closure, day in _on_closed_days(job, seasons):
            message = f"{job.id} “{job.title}” is worked on {day_text(day)}, when the goal allows no such work."
            row = place(SCHEDULE_FILE, f"{job.id} | {job.title} | {job.start} | {job.end}")
            yield finding(CHECK, "high", message, row, place(GOAL_FILE, closure.text))


def _on_closed_days(job: Job, seasons: list[Closure]) -> Iterator[tuple[Closure, date]]:
    """Yield the first closure that forbids its first or last day, as far as its calendar holds that closure."""
    for day, calendar in ((job.start, job.starts_on), (job.end, job.calendar)):
        for closure in seasons:
            if closure in calendar.closures and closes(closure, day) and not calendar.is_open(day):
                yield closure, day
                return
    inside = _whole_closure(job, seasons)
    if inside:
        yield inside


def _whole_closure(job: Job, seasons: list[Closure]) -> tuple[Closure, date] | None:
    """Return a closure for work that is shorter than its span and yet leaves no open day for it."""
    first, last = job.start.toordinal(), job.end.toordinal() + 1
    if job.calendar.count(first, last) >= job.days:
        return None
    days = (job.start + timedelta(days=n) for n in range((job.end - job.start).days + 1))
    return next(((c, d) for d in days for c in seasons if c in job.calendar.closures and closes(c, d)), None)
