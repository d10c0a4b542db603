"""Stage 022: optimistic, likely and pessimistic working days for each work package."""

import asyncio
from collections.abc import Sequence
from functools import cache

from pydantic import Field

from planloom.domain.frozen import Answer, Frozen
from planloom.domain.pert import ThreePoint, ordered
from planloom.domain.wording import day_text
from planloom.facts.quoting import clip
from planloom.knowledge.brief import Brief
from planloom.knowledge.pace import FASTEST, SLOWEST, Pace
from planloom.knowledge.timetable import outline_pace, outline_works
from planloom.knowledge.work_breakdown import Work
from planloom.models.model import Part
from planloom.stages.desk import Desk
from planloom.stages.excerpt import Pick
from planloom.stages.parts.plan_sections import PERMIT_DAYS, RESOURCES, WAITS, of_plan
from planloom.stages.parts.references import referring
from planloom.stages.stage import Stage, StageResult
from planloom.stages.text import table
from planloom.stages.wbs import Deliverable, Package, Wbs

INSTRUCTIONS = """\
Estimate the duration of each work package of the deliverable that you are shown, at three points, in working days.

- optimistic: everything goes right; one time in twenty it is quicker. likely: the value you would bet on.
  pessimistic: what goes wrong with such work does; one time in twenty it takes longer. The three differ; the distance
  to pessimistic is larger than to optimistic, and largest where others decide.
- Duration, not effort: with the people whom the plan gives it, from the start of work to the test of done.
- Estimate from quantity and rate: metres, rooms, records, interviews, bakers, from the goal or assumed. basis states
  both, and what is assumed.
- A package whose time is set by others (permit, loan, delivery, inspection) has their lead time, not ours: the goal's
  where it names one, else what is usual for that kind of authority or supplier, marked "to verify" with whom.
- The goal's time frame is a check, not a source: do not shrink an estimate to make a date hold. The schedule says what
  does not fit.
- Values differ between packages as the work does; equal triples for unequal work are a fault.
"""

#: Quantities, hands and the lead times of others; the claims hold the goal's figures.
READS = of_plan(1500, Pick("People", ("Post", "Heads")), RESOURCES, PERMIT_DAYS, WAITS)

#: For a package that no table knows, by kind, in working days; shown as assumed.
_USUAL: dict[str, tuple[float, float, float]] = {
    "permit": (15, 30, 60),
    "procurement": (10, 20, 40),
    "build": (15, 25, 45),
    "people": (15, 25, 45),
    "operate": (10, 20, 35),
}
_USUAL_ELSE = (5.0, 9.0, 16.0)


class EstimateAnswer(Answer):
    """A three-point estimate in working days."""

    task: str = Field(pattern=r"^\d+\.\d+$", description="id of the package")
    optimistic: float = Field(gt=0, le=1000, description="One time in twenty it is quicker")
    likely: float = Field(gt=0, le=1000)
    pessimistic: float = Field(gt=0, le=1500, description="One time in twenty it takes longer")
    basis: str = Field(
        min_length=5, max_length=300, description="Quantity and rate, or whose lead time; what is assumed"
    )


class TaskDurationsAnswer(Answer):
    """The model's answer for the packages of one deliverable."""

    estimates: list[EstimateAnswer] = Field(min_length=1, max_length=12)


class Estimate(Frozen):
    """A three-point estimate with its PERT mean and deviation, all in working days."""

    task: str
    title: str
    optimistic: float
    likely: float
    pessimistic: float
    mean: float = Field(description="(o + 4m + p) / 6")
    deviation: float = Field(description="(p - o) / 6")
    fixed: bool = Field(description="A lead time set by others: not scaled")
    basis: str

    @property
    def points(self) -> ThreePoint:
        """The estimate as what schedules compute with."""
        return ThreePoint(self.optimistic, self.likely, self.pessimistic)


class TaskDurations(StageResult):
    """Stage 022's result: one estimate per package, in order of id."""

    estimates: tuple[Estimate, ...]
    method: str = Field(description="Where the values come from, and by what factor they were scaled to hold which day")


async def draft(desk: Desk) -> TaskDurations:
    """One call for each deliverable, side by side."""
    wbs = desk.read("wbs", Wbs)
    plan = desk.excerpt(READS)
    paced = cache(lambda: _paced(desk.brief))

    async def estimates(deliverable: Deliverable) -> TaskDurationsAnswer:
        mine = "\n".join(f"{p.id} {p.title} [{p.kind}]. Done when: {p.test}" for p in deliverable.packages)
        context = (plan, Part("the deliverable to estimate", mine))
        name = f"durations-{int(deliverable.id):02}"
        return await desk.ask(
            name, INSTRUCTIONS, context, TaskDurationsAnswer, lambda: outline(desk.brief, paced(), deliverable)
        )

    answers = await asyncio.gather(*(estimates(d) for d in wbs.deliverables))
    return settled(wbs, answers, _method(desk.brief, paced()[1]) if desk.about.outline_only else _METHOD)


def outline(brief: Brief, paced: "Paced", deliverable: Deliverable) -> TaskDurationsAnswer:
    """Planning values of the tables at the pace that the prompt's days ask for; lead times of others as they are."""
    by_key, pacing = paced
    return TaskDurationsAnswer(
        estimates=[
            _planned(brief, p, by_key[p.key], pacing) if p.key in by_key else _usual(p) for p in deliverable.packages
        ]
    )


def settled(wbs: Wbs, answers: Sequence[TaskDurationsAnswer], method: str) -> TaskDurations:
    """Return one estimate for each package: the first that names it, points in order; a missing one is assumed."""
    given: dict[str, EstimateAnswer] = {}
    titles = {package.id: package.title for package in wbs.packages}
    for answer in (referring(each, task=titles) for each in answers):
        for estimate in answer.estimates:
            given.setdefault(estimate.task, estimate)
    return TaskDurations(
        estimates=tuple(_estimate(p, given.get(p.id) or _usual(p)) for p in wbs.packages), method=method
    )


#: The planned packages by key, and their pace.
Paced = tuple[dict[str, Work], Pace]

_METHOD = "Estimated package by package from quantity and rate; each basis says what was assumed."


def _paced(brief: Brief) -> Paced:
    return {work.row.id: work for work in outline_works(brief)}, outline_pace(brief)


def _planned(brief: Brief, package: Package, work: Work, pacing: Pace) -> EstimateAnswer:
    plain = "-".join(f"{day:g}" for day in work.row.days)
    factor, estimate = pacing.factors[work.id], pacing.estimates[work.id]
    if estimate.optimistic == estimate.pessimistic:
        basis = f"{estimate.days} days: those that the goal names for it"
    elif package.fixed:
        basis = f"Lead time that others set, planning value {plain}, not scaled: ask whoever decides (to verify)"
    elif factor == 100:
        basis = f"Planning value {plain} for {brief.archetype.label} (assumed)"
    else:
        basis = (
            f"Planning value {plain} for {brief.archetype.label}, times {factor / 100:.2f} to hold the dates (assumed)"
        )
    return EstimateAnswer(
        task=package.id,
        optimistic=estimate.optimistic,
        likely=estimate.likely,
        pessimistic=estimate.pessimistic,
        basis=clip(basis, 300),
    )


def _usual(package: Package) -> EstimateAnswer:
    low, likely, high = _USUAL.get(package.kind, _USUAL_ELSE)
    basis = f"Nobody estimated it: what work of the kind {package.kind} often takes (assumed)"
    return EstimateAnswer(task=package.id, optimistic=low, likely=likely, pessimistic=high, basis=basis)


def _estimate(package: Package, given: EstimateAnswer) -> Estimate:
    points = ordered((given.optimistic, given.likely, given.pessimistic))
    return Estimate(
        task=package.id,
        title=package.title,
        optimistic=points.optimistic,
        likely=points.likely,
        pessimistic=points.pessimistic,
        mean=round(points.mean, 2),
        deviation=round(points.deviation, 2),
        fixed=package.fixed,
        basis=given.basis,
    )


def _method(brief: Brief, pacing: Pace) -> str:
    said = []
    for stretch in pacing.stretches:
        what = f"all that leads to “{stretch.target.title}” ({day_text(stretch.target.day)})"
        found = f"{what} by {stretch.factor / 100:.2f}"
        if not stretch.holds:
            found += ", the least that is credible, and still not enough to hold that day in four of five runs"
        said.append(found)
    return (
        f"Planning values for {brief.archetype.label}, scaled: {'; '.join(said)}. The factor is the slowest with which "
        f"four of five simulated runs hold the day, between {FASTEST / 100:.2f} and {SLOWEST / 100:.2f}; it is an "
        "assumption that stands in for the size of the work until each package is estimated by who does it. "
        "Lead times that others set are not scaled."
    )


def markdown(result: TaskDurations) -> str:
    """The method, then every estimate with its basis."""
    rows = [
        (
            e.task,
            e.title,
            f"{e.optimistic:g}",
            f"{e.likely:g}",
            f"{e.pessimistic:g}",
            f"{e.mean:.1f}",
            f"{e.deviation:.1f}",
            e.basis,
        )
        for e in result.estimates
    ]
    head = ("", "Package", "Optimistic", "Likely", "Pessimistic", "Mean", "Deviation", "Basis")
    return "\n\n".join(
        (f"# Durations of {len(rows)} packages, in working days", result.method, table(head, rows).rstrip())
    )


STAGE = Stage(
    number=22,
    name="task_durations",
    title="Task Durations",
    needs=("project_plan", "wbs"),
    version=5,
    result=TaskDurations,
    draft=draft,
    markdown=markdown,
)
