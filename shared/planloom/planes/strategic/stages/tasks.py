"""The tasks of each package, asked for by deliverable in parallel: the third level of the work breakdown."""

import asyncio
from collections.abc import Iterable

from pydantic import Field

from planloom.core.frozen import Answer
from planloom.models.model import Part
from planloom.planes.strategic.spine.rows import Package
from planloom.planes.strategic.stages.chapters import Writers
from planloom.planes.strategic.stages.computed_plan import number, table

#: Packages of one call: at most five tasks each fit into one answer.
BATCH = 8

INSTRUCTIONS = """\
Break each of the work packages listed last into two to five tasks. A task has one role (id), person-days, and a check
by which one sees that it is done; tasks of a package stand in the order in which they are done, together they are the
whole package and no more, and their days add up to no more than its effort. No task repeats the package's title.
"""


class Task(Answer):
    """A task of a package."""

    package: str = Field(max_length=12, description="Id of the package")
    title: str = Field(max_length=160)
    role: str = Field(default="", max_length=12, description="Id of a role")
    days: float = Field(default=0, ge=0, le=2000, description="Person-days")
    done_when: str = Field(default="", max_length=240)


class Tasks(Answer):
    """Tasks of some packages."""

    tasks: list[Task] = Field(default_factory=list, max_length=40)


async def tasks_text(shared: Writers) -> str:
    """Return the tasks of all packages as Markdown, a heading for each package; packages of lost answers say so."""
    batches = list(_batches(shared.plan.in_order))
    answers = await asyncio.gather(*(_ask(shared, n, batch) for n, batch in enumerate(batches, 1)))
    found: dict[str, list[Task]] = {}
    for batch, tasks in zip(batches, answers, strict=True):
        for task in tasks:
            # a task of a package that was not asked for belongs to another call
            if task.package in {package.id for package in batch}:
                found.setdefault(task.package, []).append(task)
    return "\n".join(_block(shared, package, found.get(package.id, [])) for package in shared.plan.in_order)


def _batches(packages: Iterable[Package]) -> Iterable[list[Package]]:
    groups: dict[str, list[Package]] = {}
    for package in packages:
        groups.setdefault(package.deliverable, []).append(package)
    for group in groups.values():
        for at in range(0, len(group), BATCH):
            yield group[at : at + BATCH]


async def _ask(shared: Writers, count: int, packages: list[Package]) -> list[Task]:
    listed = "\n".join(
        f"- {package.id} {package.title}; owner {package.owner}; done when: {package.done_when}" for package in packages
    )
    extra = (Part("packages to break into tasks", listed, by_id=True),)
    shown = (*shared.shown, *shared.rows_of("roles", "packages"), *extra)
    answer = await shared.context.ask_part(
        f"tasks-{count}", INSTRUCTIONS, shown, Tasks, rows=shared.rows,
        part=f"the tasks of {packages[0].id} to {packages[-1].id}",
    )  # fmt: skip
    return answer.tasks if answer else []


def _block(shared: Writers, package: Package, tasks: list[Task]) -> str:
    title = shared.plan.title
    rows = [
        (f"{package.id}.{n}", task.title, title(task.role), number(task.days), task.done_when)
        for n, task in enumerate(tasks, 1)
    ]
    shown = table(["", "Task", "Who", "Person-days", "Done when"], rows)
    return f"## {package.id} {package.title}\n\n{shown or 'No tasks were given.'}\n"
