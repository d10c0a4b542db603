"""Check 3: dates in titles and text against the bars of the schedule; nothing to do before the start."""

import re
from collections.abc import Iterable, Iterator
from datetime import date
from functools import lru_cache

from planloom.quality.finding import Finding, Outcome, Place, finding, place
from planloom.stages.parts.checked.stated import DATE, dates, day_text
from planloom.stages.parts.checked.draft import GOAL_FILE, PLAN_FILE, SCHEDULE_FILE, Bar, Draft, Job

CHECK = "dates"
TITLE = "Dates in text against the schedule"

#: A title shorter than this is a common word.
SHORTEST_TITLE = 12
_STARTS = r"(?:starts?|started|starting|begins?|began|beginning)"
_ENDS = r"(?:ends?|ended|ending|finish(?:es|ed)?|is (?:done|finished|complete|ready)|completed?)"


def check(draft: Draft) -> Outcome:
    """Medium where a date in words is not that of its bar; high where something is to be done before the start."""
    bars, jobs = draft.schedule.bars, draft.schedule.jobs
    looked = f"{len(bars)} milestones, {len(jobs)} bars and {len(draft.actions)} actions with a date"
    found = (*_titles(draft), *_gates(draft), *_bars_in_text(draft), *_too_early(draft))
    return Outcome(looked_at=looked, findings=found)


def _titles(draft: Draft) -> Iterator[Finding]:
    for bar in draft.schedule.bars:
        for _, day in dates(bar.title):
            if day not in (bar.day, bar.target):
                message = f"The milestone's title says {day_text(day)}; its bar lies on {day_text(bar.day)}."
                row = place(SCHEDULE_FILE, f"{bar.title} | {bar.day} | {bar.target or ''}")
                yield finding(CHECK, "medium", message, place(SCHEDULE_FILE, bar.title), row)
    for gate in draft.gates:
        for _, day in dates(gate.title):
            if day != gate.day:
                message = f"The milestone's title says {day_text(day)}; its row says {day_text(gate.day)}."
                row = place(PLAN_FILE, f"{day_text(gate.day)} | {gate.title}")
                yield finding(CHECK, "medium", message, place(PLAN_FILE, gate.title), row)


def _gates(draft: Draft) -> Iterator[Finding]:
    """A milestone of the project plan is no promise if the schedule computes the same one for later."""
    for gate in draft.gates:
        for bar in draft.schedule.bars:
            same = _key(gate.title) == _key(bar.title)
            if same and gate.day < bar.day and not _admits(draft, gate.basis, bar.day):
                message = (
                    f"“{gate.title}” is promised for {day_text(gate.day)} and computed for {day_text(bar.day)}, and "
                    "its row does not say so."
                )
                here = place(PLAN_FILE, f"{day_text(gate.day)} | {gate.title}")
                yield finding(CHECK, "medium", message, here, place(SCHEDULE_FILE, f"{bar.title} | {bar.day}"))


def _key(title: str) -> str:
    plain = re.sub(r"^(?:gate|milestone|decided|measured)\s*:|:\s*(?:done|reached)$", "", title.strip(), flags=re.I)
    return re.sub(r"\W+", " ", plain).strip().lower()


def _admits(draft: Draft, basis: str, day: date) -> bool:
    """Return whether the gate's row, or the schedule beside it, says that the day will be later."""
    return any(found >= day for _, found in dates(basis)) or draft.schedule.verdict == "late"


def _bars_in_text(draft: Draft) -> Iterator[Finding]:
    """“<title> starts on <date>”, and the title of a milestone with a date right behind it."""
    jobs, bars = draft.schedule.jobs, [bar for bar in draft.schedule.bars if len(bar.title) >= SHORTEST_TITLE]
    stated = [
        *((job.title, _verb(_STARTS), (job.start,)) for job in jobs),
        *((job.title, _verb(_ENDS), (job.end,)) for job in jobs),
        *((bar.title, rf"\W{{1,3}}(?:by |on )?({DATE})", _days(bar, jobs)) for bar in bars),
    ]
    looked_for = [(title.lower(), title, behind, days) for title, behind, days in stated]
    for passage in draft.body:
        if passage.file == SCHEDULE_FILE or passage.kind == "head" or not re.search(r"\d{4}", passage.own):
            continue
        lowered = passage.own.lower()
        for lower, title, behind, days in looked_for:
            if lower not in lowered:
                continue
            for hit in _dated(title, behind).finditer(passage.own):
                said = [day for _, day in dates(hit[1])]
                if said and said[0] not in days:
                    message = f"The text says {day_text(said[0])}; the schedule computes {day_text(days[0])}."
                    there = place(SCHEDULE_FILE, f"{hit[0].split(hit[1])[0].strip()} | {days[0]}")
                    yield finding(CHECK, "medium", message, place(passage.file, hit[0]), there)


def _verb(verb: str) -> str:
    # nothing but an adverb between the title and what it does
    return rf"[”\"]?,? (?:\w+ly )?{verb} (?:on |by )?({DATE})"


@lru_cache(maxsize=256)
def _dated(title: str, behind: str) -> re.Pattern[str]:
    # compiled for the few titles that a text repeats: for all of a schedule that takes longer than everything else here
    return re.compile(re.escape(title) + behind, re.I)


def _days(bar: Bar, jobs: Iterable[Job]) -> tuple[date, ...]:
    """Return the days that may stand behind the title of *bar*: its own, its target, a like-named package's."""
    alike = [job for job in jobs if job.title.lower() == bar.title.lower()]
    return (bar.day, *((bar.target,) if bar.target else ()), *(day for job in alike for day in (job.start, job.end)))


def _too_early(draft: Draft) -> Iterator[Finding]:
    start = min(draft.schedule.start, draft.today)
    there = place(GOAL_FILE, f"the plan is drafted on {day_text(draft.today)}")
    for action in draft.actions:
        early = [day for day in _due(action.by, action.day) if day < start]
        if early:
            message = f"An action is dated {day_text(early[0])}, before the plan starts on {day_text(start)}."
            yield finding(CHECK, "high", message, _action(action.file, action.text, action.by), there)
    for gate in draft.gates:
        if gate.day < start:
            message = f"A milestone is dated {day_text(gate.day)}, before the plan starts on {day_text(start)}."
            here = place(PLAN_FILE, f"{day_text(gate.day)} | {gate.title}")
            yield finding(CHECK, "high", message, here, there)


def _due(by: str, day: date | None) -> list[date]:
    return [day] if day else [found for _, found in dates(by)]


def _action(file: str, text: str, by: str) -> Place:
    return place(file, f"{by}: {text}")
