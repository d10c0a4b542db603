"""Stage 023: the tasks of each work package, level 3 of the work breakdown."""

import asyncio
import math
from collections.abc import Mapping, Sequence
from functools import cache

from pydantic import Field

from planloom.domain.frozen import Answer, Frozen
from planloom.facts.quoting import clip
from planloom.knowledge.brief import Brief
from planloom.knowledge.tables import Leaf as LeafRow
from planloom.knowledge.timetable import outline_pace, outline_works
from planloom.models.model import Part
from planloom.stages.desk import Desk
from planloom.stages.parts.plan_sections import POSTS, RESOURCES, of_plan
from planloom.stages.parts.references import referring
from planloom.stages.stage import Stage, StageResult
from planloom.stages.text import table
from planloom.stages.wbs import Deliverable, Package, Wbs

INSTRUCTIONS = """\
Break each work package of the deliverable that you are shown down into its tasks, level 3 of the work breakdown.

- 100% rule: the tasks of a package are the whole package and nothing else. They follow one another.
- A task is work of one role in one go, three to thirty working days, verb and object: "Measure the three gate openings
  at low water". A package that takes under six days is one task. One of a season has four to eight.
- Name what this goal has: its rooms, machines, counties, people, figures, limits. A task that would stand in any plan
  is not detailed enough to be done.
- The test of done is seen by somebody else than the owner: a signature, a count, a measured value against its limit, a
  record on file. Not "completed", not "reviewed" without by whom and for what.
- share is the percentage of the package's time that the task takes, from the work in it, not equal parts; the shares of
  a package sum to 100. Days are set elsewhere.
- The tests of the tasks together prove the package's own test.
"""

#: Whose work it may be and what is worked with.
READS = of_plan(1200, POSTS, RESOURCES)

#: Working days of one task: shorter ones are joined, longer ones are split.
_SHORTEST, _LONGEST = 3, 30
_MOST_TASKS = 40
_MOST_OF_ONE = 8

#: How the time of a package falls on its tasks, by their number; decisions of others are mostly waiting.
_SHARES: Mapping[int, tuple[int, ...]] = {1: (100,), 2: (40, 60), 3: (25, 45, 30), 4: (20, 30, 30, 20)}
_WAITING: Mapping[int, tuple[int, ...]] = {1: (100,), 2: (15, 85), 3: (10, 15, 75), 4: (10, 10, 20, 60)}


class LeafAnswer(Answer):
    """A level-3 task."""

    package: str = Field(pattern=r"^\d+\.\d+$", description="id of the package that it is part of")
    title: str = Field(min_length=5, max_length=400, description="Verb and object: what is done, to what")
    owner: str = Field(min_length=2, max_length=80, description="One role, no person")
    share: int = Field(ge=1, le=100, description="Percent of the package's time; a package's shares sum to 100")
    test: str = Field(min_length=5, max_length=500, description="How one sees that it is done")


class WbsLevel3Answer(Answer):
    """The model's answer for the packages of one deliverable; tasks of a package follow one another."""

    tasks: list[LeafAnswer] = Field(min_length=1, max_length=_MOST_TASKS)


class Leaf(Frozen):
    """A level-3 task with its place in the WBS."""

    id: str = Field(pattern=r"^\d+\.\d+\.\d+$")
    package: str = Field(description="id of its package")
    title: str
    owner: str
    share: float = Field(gt=0, le=1, description="Of the package's time; a package's shares sum to 1")
    test: str


class WbsLevel3(StageResult):
    """Stage 023's result: at least one task for every package of the WBS, in order of id."""

    leaves: tuple[Leaf, ...]


async def draft(desk: Desk) -> WbsLevel3:
    """One call for each deliverable, side by side."""
    wbs = desk.read("wbs", Wbs)
    plan = desk.excerpt(READS)
    planned = cache(lambda: _planned(desk.brief))

    async def tasks(deliverable: Deliverable) -> WbsLevel3Answer:
        packages = "\n".join(
            f"{p.id} {p.title} [{p.kind}]. Owner: {p.owner}. Done when: {p.test}" for p in deliverable.packages
        )
        mine = Part("the deliverable to break down", f"{deliverable.title}: {deliverable.result}\n{packages}")
        name = f"tasks-{int(deliverable.id):02}"
        return await desk.ask(
            name, INSTRUCTIONS, (plan, mine), WbsLevel3Answer, lambda: outline(planned(), deliverable)
        )

    answers = await asyncio.gather(*(tasks(d) for d in wbs.deliverables))
    return settled(wbs, answers)


#: Tasks of the tables and working days, by key of the package.
Planned = Mapping[str, tuple[tuple[LeafRow, ...], int]]


def outline(planned: Planned, deliverable: Deliverable) -> WbsLevel3Answer:
    """The tasks of the tables, joined where they would last under three working days and split where over thirty."""
    found = [leaf for package in deliverable.packages for leaf in _tasks(package, planned)]
    if len(found) > _MOST_TASKS:
        found = [leaf for package in deliverable.packages for leaf in _tasks(package, planned)[:3]]
    return WbsLevel3Answer(tasks=found[:_MOST_TASKS])


def settled(wbs: Wbs, answers: Sequence[WbsLevel3Answer]) -> WbsLevel3:
    """Number the tasks, let each package's shares sum to 1, and make a package without tasks a task of its own."""
    given: dict[str, list[LeafAnswer]] = {package.id: [] for package in wbs.packages}
    titles = {package.id: package.title for package in wbs.packages}
    for answer in (referring(each, package=titles) for each in answers):
        for task in answer.tasks:
            if task.package in given:
                given[task.package].append(task)
    leaves: list[Leaf] = []
    for package in wbs.packages:
        tasks = given[package.id] or [_alone(package)]
        whole = sum(task.share for task in tasks)
        leaves += [
            Leaf(
                id=f"{package.id}.{n}",
                package=package.id,
                title=task.title,
                owner=task.owner,
                share=round(task.share / whole, 4),
                test=task.test,
            )
            for n, task in enumerate(tasks, 1)
        ]
    return WbsLevel3(leaves=tuple(leaves))


def _planned(brief: Brief) -> Planned:
    estimates = outline_pace(brief).estimates
    return {work.row.id: (work.row.leaves, estimates[work.id].days) for work in outline_works(brief)}


def _tasks(package: Package, planned: Planned) -> list[LeafAnswer]:
    if package.key not in planned:
        return [_alone(package)]
    rows, days = planned[package.key]
    joined = _joined(rows, 1 if days < 2 * _SHORTEST else days // _SHORTEST)
    shares = (_WAITING if package.fixed and package.kind in ("permit", "finance") else _SHARES)[len(joined)]
    made: list[LeafAnswer] = []
    for row, share in zip(joined, shares, strict=True):
        # time that others take is waiting, not work: it has no parts
        parts = 1 if package.fixed else min(_MOST_OF_ONE, math.ceil(days * share / 100 / _LONGEST))
        made += [_task(package, row, share // parts, n, parts) for n in range(1, parts + 1)]
    return made


def _joined(rows: Sequence[LeafRow], most: int) -> list[LeafRow]:
    """Return *rows* as at most *most* tasks: neighbours are joined, their tests kept."""
    count = min(len(rows), most)
    groups = [rows[len(rows) * n // count : len(rows) * (n + 1) // count] for n in range(count)]
    return [LeafRow(title="; ".join(r.title for r in group), test="; ".join(r.test for r in group)) for group in groups]


def _task(package: Package, row: LeafRow, share: int, part: int, parts: int) -> LeafAnswer:
    title = row.title if parts == 1 else f"{row.title}, part {part} of {parts}"
    test = row.test if part == parts else f"Share {part} of {parts} agreed at the start is shown and accepted"
    return LeafAnswer(
        package=package.id, title=clip(title, 400), owner=package.owner, share=max(1, share), test=clip(test, 500)
    )


def _alone(package: Package) -> LeafAnswer:
    return LeafAnswer(
        package=package.id, title=f"Complete: {package.title}", owner=package.owner, share=100, test=package.test
    )


def markdown(result: WbsLevel3) -> str:
    """Every task with its owner, its part of the package's time and its test."""
    rows = [(leaf.id, leaf.title, leaf.owner, f"{leaf.share:.0%}", leaf.test) for leaf in result.leaves]
    head = ("", "Task", "Owner", "Part of the package", "Done when")
    return "\n\n".join((f"# Work breakdown, level 3: {len(rows)} tasks", table(head, rows).rstrip()))


STAGE = Stage(
    number=23,
    name="wbs_level3",
    title="Work Breakdown Structure, Level 3",
    needs=("project_plan", "wbs"),
    version=4,
    result=WbsLevel3,
    draft=draft,
    markdown=markdown,
)
