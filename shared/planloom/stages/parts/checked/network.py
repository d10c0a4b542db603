"""Check 2: dependencies all used, work in parallel where none forbids it, estimates that differ, no closed days."""

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import date
from itertools import pairwise

from planloom.domain.calendars import closes
from planloom.quality.finding import Finding, Outcome, Place, finding, place
from planloom.stages.parts.checked.stated import day_text
from planloom.stages.parts.checked.draft import SCHEDULE_FILE, WAITS_FILE, Draft, Job

CHECK = "network"
TITLE = "Order and parallel work"

#: Fewer packages than this say nothing about a pattern.
ENOUGH = 6
SAME_SHARE = 0.9


def check(draft: Draft) -> Outcome:
    """High where an order is broken or a package lies on a closed day; medium for a serial chain or equal lengths."""
    jobs = {job.id: job for job in draft.schedule.jobs}
    waits = draft.schedule.waits
    looked = f"{len(jobs)} packages and {len(waits)} dependencies"
    found = (*_waits(draft, jobs), *_serial(draft, jobs), *_equal(jobs), *_closed(jobs))
    return Outcome(looked_at=looked, findings=found)


def _waits(draft: Draft, jobs: Mapping[str, Job]) -> Iterator[Finding]:
    for wait in draft.schedule.waits:
        task, after = jobs.get(wait.task), jobs.get(wait.after)
        declared = place(WAITS_FILE, f"{wait.task} after {wait.after}")
        if task is None or after is None:
            missing = wait.task if task is None else wait.after
            message = f"A dependency names the package {missing}, which the schedule does not hold."
            yield finding(CHECK, "medium", message, declared, place(SCHEDULE_FILE, f"no row {missing}"))
        elif task.start <= after.end:
            message = (
                f"{task.id} “{task.title}” starts on {day_text(task.start)}, before {after.id} “{after.title}”, which "
                f"it waits for, has ended on {day_text(after.end)}."
            )
            yield finding(CHECK, "high", message, _row(task), declared)


def _serial(draft: Draft, jobs: Mapping[str, Job]) -> Iterator[Finding]:
    in_order = sorted(jobs.values(), key=lambda job: (job.start, job.end))
    if len(in_order) < ENOUGH:
        return
    beside = sum(later.start <= earlier.end for earlier, later in pairwise(in_order))
    chained = {(wait.after, wait.task) for wait in draft.schedule.waits}
    free = [(earlier, later) for earlier, later in pairwise(in_order) if (earlier.id, later.id) not in chained]
    if beside == 0 and free:
        earlier, later = free[0]
        message = (
            f"All {len(in_order)} packages follow one another, although nothing makes “{later.title}” wait for "
            f"“{earlier.title}”."
        )
        yield finding(CHECK, "medium", message, _row(later), place(WAITS_FILE, f"no row {later.id} after {earlier.id}"))


def _equal(jobs: Mapping[str, Job]) -> Iterator[Finding]:
    if len(jobs) < ENOUGH:
        return
    days, count = Counter(job.days for job in jobs.values()).most_common(1)[0]
    if count >= SAME_SHARE * len(jobs):
        alike = [job for job in jobs.values() if job.days == days]
        message = f"{count} of {len(jobs)} packages take {days} working days each: the estimates are no estimates."
        yield finding(CHECK, "medium", message, _row(alike[0]), _row(alike[-1]))


def _closed(jobs: Mapping[str, Job]) -> Iterator[Finding]:
    for job in jobs.values():
        for word, day, calendar in (("starts", job.start, job.starts_on), ("ends", job.end, job.calendar)):
            if calendar.is_open(day) or _seasonal(job, day):
                continue
            message = f"{job.id} “{job.title}” {word} on {day:%A}, {day_text(day)}, a closed day."
            rule = place(SCHEDULE_FILE, "Days on which work is done")
            yield finding(CHECK, "high", message, _row(job), rule)


def _seasonal(job: Job, day: date) -> bool:
    """Return whether a season closes the day: check 1 says so."""
    return any(closes(c, day) for c in job.calendar.closures if c.months or c.first or c.last)


def _row(job: Job) -> Place:
    return place(SCHEDULE_FILE, f"{job.id} | {job.title} | {job.start} | {job.end} | {job.days}")
