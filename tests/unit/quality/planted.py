"""One fault for each check, planted in a finished plan: who reports it, and which two places it must name."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, timedelta

from planloom.domain.facts import Ban
from planloom.domain.quality import Severity
from planloom.quality.draft import (
    GOAL_FILE,
    PLAN_FILE,
    SCHEDULE_FILE,
    TEAM_FILE,
    WAITS_FILE,
    Draft,
)
from tests.unit.quality.whole import with_line

GOVERNANCE, PITCH, PREMORTEM, SETUP = (
    "012-2-governance.md",
    "020-2-pitch.md",
    "028-2-premortem.md",
    "010-2-pre_project_assessment.md",
)


@dataclass(frozen=True)
class Fault:
    """A fault, the check that must find it, how grave it is, and the files of the two places."""

    check: str
    severity: Severity
    files: tuple[str, str]
    plant: Callable[[Draft], Draft]


def claims_to_hold(draft: Draft) -> Draft:
    schedule = replace(draft.schedule, verdict="holds", verdict_text="Holds 1 May 2027.")
    return replace(draft, schedule=schedule)


def breaks_an_order(draft: Draft) -> Draft:
    wait = draft.schedule.waits[0]
    after = next(job for job in draft.schedule.jobs if job.id == wait.after)
    jobs = tuple(
        replace(job, start=after.start, end=after.end) if job.id == wait.task else job for job in draft.schedule.jobs
    )
    return replace(draft, schedule=replace(draft.schedule, jobs=jobs))


def dates_text_otherwise(draft: Draft) -> Draft:
    job = max(draft.schedule.jobs, key=lambda job: len(job.title))
    return with_line(draft, PREMORTEM, f"{job.title} starts on 3 March 2031.")


def loses_money(draft: Draft) -> Draft:
    return replace(draft, budget=draft.budget.model_copy(update={"contingency": draft.budget.contingency - 500}))


def restates_a_figure(draft: Draft) -> Draft:
    return with_line(draft, PITCH, "The budget is EUR 310,000.")


def denies_the_budget(draft: Draft) -> Draft:
    return with_line(draft, PITCH, "No budget was found in the goal, so the first gate sets one.")


def prints_a_ban(draft: Draft) -> Draft:
    at = draft.prompt.index("single-use plastic")
    ban = Ban(kind="approach", what="single-use plastic", text="single-use plastic", start=at, end=at + 18)
    banned = replace(draft, facts=draft.facts.model_copy(update={"bans": (ban,)}))
    return with_line(banned, PITCH, "Cups are of single-use plastic and bought in bulk.")


def loses_a_head(draft: Draft) -> Draft:
    first, *others = draft.team
    return replace(draft, team=(replace(first, count=first.count + 3), *others))


def leaves_a_placeholder(draft: Draft) -> Draft:
    return with_line(draft, GOVERNANCE, "The chair is [insert name of chair] until the first gate.")


def invents_a_law(draft: Draft) -> Draft:
    return with_line(draft, GOVERNANCE, "The books follow the Small Trade Transparency Act 2019.")


def forgets_who(draft: Draft) -> Draft:
    first = next(action for action in draft.actions if action.file == "003-2-premise_attack.md")
    vague = replace(first, role="the team", by="soon", day=None)
    return replace(draft, actions=tuple(vague if action is first else action for action in draft.actions))


FAULTS = {
    "a late plan that says that it holds": Fault("deadline", "high", (SCHEDULE_FILE, GOAL_FILE), claims_to_hold),
    "a package before what it waits for": Fault("network", "high", (SCHEDULE_FILE, WAITS_FILE), breaks_an_order),
    "a date in text beside its bar": Fault("dates", "medium", (PREMORTEM, SCHEDULE_FILE), dates_text_otherwise),
    "a contingency that is short": Fault("money", "high", (PLAN_FILE, PLAN_FILE), loses_money),
    "a registered figure with another value": Fault("register", "low", (PITCH, "001-3-start.md"), restates_a_figure),
    "a budget that the plan denies": Fault("denied", "high", (PITCH, GOAL_FILE), denies_the_budget),
    "an approach that the goal rules out": Fault("demands", "high", (PITCH, GOAL_FILE), prints_a_ban),
    "a team of another size": Fault("people", "high", (TEAM_FILE, PLAN_FILE), loses_a_head),
    "a placeholder": Fault("wording", "high", (GOVERNANCE, GOVERNANCE), leaves_a_placeholder),
    "a law out of nowhere": Fault("names", "medium", (GOVERNANCE, GOAL_FILE), invents_a_law),
    "an action without role and date": Fault("actions", "low", ("003-2-premise_attack.md",) * 2, forgets_who),
}


def moved(draft: Draft, job_id: str, to: date) -> Draft:
    """Return *draft* with the package *job_id* on the days from *to* on."""
    jobs = tuple(
        replace(job, start=to, end=to + (job.end - job.start)) if job.id == job_id else job
        for job in draft.schedule.jobs
    )
    return replace(draft, schedule=replace(draft.schedule, jobs=jobs))


def on_a(weekday: int, day: date) -> date:
    """Return the first *weekday* (Monday 0) at or after *day*."""
    return day + timedelta(days=(weekday - day.weekday()) % 7)
