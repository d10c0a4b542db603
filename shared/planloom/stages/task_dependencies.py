"""Stage 021: which work package waits for which, and why."""

import asyncio
from collections.abc import Iterable, Sequence
from functools import cache

from pydantic import Field

from planloom.domain.frozen import Answer, Frozen
from planloom.facts.quoting import clip
from planloom.knowledge.brief import Brief
from planloom.knowledge.sequence import ACCEPTANCE, orders, successors
from planloom.knowledge.work_breakdown import works
from planloom.models.model import Part
from planloom.stages.desk import Desk
from planloom.stages.parts.plan_sections import PERMIT_DAYS, WAITS, of_plan
from planloom.stages.parts.references import referring
from planloom.stages.stage import Stage, StageResult
from planloom.stages.text import bullets, table
from planloom.stages.wbs import Deliverable, Package, Wbs

#: What one answer may hold.
MOST_WAITS = 40

INSTRUCTIONS = """\
Say for each work package of the deliverable that is asked for which others, of this or any other deliverable, must
have finished before it can start. What waits for the other deliverables' packages is asked apart.

- Finish-to-start only. A dependency is there because something passes from one to the other: a decision, a drawing, a
  permit, money, a delivery, people. why names it in one line. If nothing passes, there is no dependency: that two
  packages belong to the same deliverable, or that one is usually done first, is no reason.
- As parallel as that permits. A single chain through all packages is wrong for any goal; most goals keep three or more
  packages going at once from the second month on.
- What the goal orders, it orders: money before signature, permit before tender or work, test before release, consent
  before announcement. Quote it in why.
- A permit waits for the papers that it is asked with, and holds up the very work that it permits, no more. Long lead
  times (permits, deliveries, hiring) start as early as their papers allow.
- Name direct predecessors only: if c waits for b and b for a, c does not name a.
- Every package leads, directly or not, to acceptance, or follows it. No circle.
- lag is for time in which nobody works on either: curing, a notice period, a season of observation. Else 0.
- Leave out packages that can start on the first day; there are few of them.
"""


#: What comes from outside, and what each such thing holds up.
READS = of_plan(1400, WAITS, PERMIT_DAYS)


class WaitAnswer(Answer):
    """What one package waits for."""

    task: str = Field(pattern=r"^\d+\.\d+$", description="id of the package that waits")
    after: list[str] = Field(min_length=1, max_length=40, description="ids of the packages that must finish first")
    lag: int = Field(default=0, ge=0, le=5000, description="Working days between their finish and its start")
    why: str = Field(min_length=5, max_length=240, description="What passes from them to it; one line")


class TaskDependenciesAnswer(Answer):
    """The model's answer for one deliverable; a package that can start on the first day is left out."""

    waits: list[WaitAnswer] = Field(max_length=MOST_WAITS, description="One for each of its packages that waits")


class Dependency(Frozen):
    """Finish-to-start: ``task`` starts once ``after`` has finished and ``lag`` working days have passed."""

    task: str
    after: str
    lag: int = Field(default=0, ge=0)
    why: str


class TaskDependencies(StageResult):
    """Stage 021's result: an acyclic graph over the packages of the WBS."""

    dependencies: tuple[Dependency, ...] = Field(description="By waiting task, in order of the WBS")
    starts: tuple[str, ...] = Field(description="Packages that wait for nothing")
    dropped: tuple[str, ...] = Field(default=(), description="Links that were left out, each with the reason")


async def draft(desk: Desk) -> TaskDependencies:
    """A call for each deliverable, side by side; what cannot be true, one with another, is left out and named."""
    wbs = desk.read("wbs", Wbs)
    shown = (Part("work packages", listed(wbs)), desk.excerpt(READS))
    titles = {package.id: package.title for package in wbs.packages}
    outlined = cache(lambda: outline(desk.brief, wbs))

    async def asked(deliverable: Deliverable) -> TaskDependenciesAnswer:
        answer = await desk.ask(
            f"dependencies_{deliverable.id}",
            INSTRUCTIONS,
            (*shown, Part("deliverable asked for", f"{deliverable.id} {deliverable.title}")),
            TaskDependenciesAnswer,
            lambda: TaskDependenciesAnswer(waits=_of(deliverable, outlined())),
        )
        return referring(answer, task=titles, after=titles)

    answers = await asyncio.gather(*(asked(deliverable) for deliverable in wbs.deliverables))
    waits = [w for d, answer in zip(wbs.deliverables, answers, strict=True) for w in _of(d, answer.waits)]
    return settled(wbs, waits)


def _of(deliverable: Deliverable, waits: Iterable[WaitAnswer]) -> list[WaitAnswer]:
    """Return those of *waits* that the packages of *deliverable* have; a model may answer for others too."""
    own = {package.id for package in deliverable.packages}
    return [wait for wait in waits if wait.task in own][:MOST_WAITS]


def listed(wbs: Wbs) -> str:
    """Return the packages one to a line, as later calls are shown them."""
    lines = []
    for deliverable in wbs.deliverables:
        lines.append(f"{deliverable.id} {deliverable.title}")
        lines += [f"{p.id} {p.title}{' (time set by others)' if p.fixed else ''}" for p in deliverable.packages]
    return "\n".join(lines)


def outline(brief: Brief, wbs: Wbs) -> list[WaitAnswer]:
    """What the tables and the prompt say; a package that neither knows waits for the first one."""
    planned = works(brief)
    keys = {work.id: work.row.id for work in planned}
    ids = {package.key: package.id for package in wbs.packages}
    waits: dict[str, list[tuple[str, int, str]]] = {}
    for order in orders(brief, planned):
        task, after = ids.get(keys[order.task]), ids.get(keys[order.after])
        if task and after:
            waits.setdefault(task, []).append((after, order.lag, order.why))
    first = wbs.packages[0]
    for package in wbs.packages[1:]:
        if package.key not in keys.values():
            waits.setdefault(package.id, []).append((first.id, 0, f"starts with what {first.title} settles (assumed)"))
    return [_wait(task, why) for task, found in waits.items() for why in _by_reason(found)]


def settled(wbs: Wbs, waits: Iterable[WaitAnswer]) -> TaskDependencies:
    """Keep what can be true: known packages, each link once, no circle; then let every package lead to an end."""
    known = [package.id for package in wbs.packages]
    kept: list[Dependency] = []
    dropped: list[str] = []
    for wait in waits:
        for after in wait.after:
            fault = _fault(wait.task, after, known, kept)
            if fault:
                dropped.append(f"{wait.task} after {after}: {fault}")
            else:
                kept.append(Dependency(task=wait.task, after=after, lag=wait.lag, why=wait.why))
    kept += _to_acceptance(wbs.packages, kept)
    kept.sort(key=lambda d: known.index(d.task))
    waiting = {d.task for d in kept}
    return TaskDependencies(
        dependencies=tuple(kept), starts=tuple(p for p in known if p not in waiting), dropped=tuple(dropped)
    )


def _fault(task: str, after: str, known: Sequence[str], kept: Iterable[Dependency]) -> str:
    if task not in known or after not in known:
        return "no such package"
    pairs = [(d.task, d.after) for d in kept]
    if (task, after) in pairs:
        return "named twice"
    if task == after or after in successors(pairs, [task]):
        return "would close a circle"
    return ""


def _to_acceptance(packages: Sequence[Package], kept: Sequence[Dependency]) -> list[Dependency]:
    accepted = next((p.id for p in packages if p.key == ACCEPTANCE), None)
    if accepted is None:
        return []
    later = successors([(d.task, d.after) for d in kept], [accepted]) | {accepted}
    waited_for = {d.after for d in kept}
    ends = [p.id for p in packages if p.id not in waited_for and p.id not in later]
    why = "acceptance decides on the whole, this included"
    return [Dependency(task=accepted, after=end, why=why) for end in ends]


def _by_reason(found: Sequence[tuple[str, int, str]]) -> list[list[tuple[str, int, str]]]:
    """Group what one package waits for by lag and reason, in order."""
    groups: dict[tuple[int, str], list[tuple[str, int, str]]] = {}
    for wait in found:
        groups.setdefault(wait[1:], []).append(wait)
    return list(groups.values())


def _wait(task: str, group: Sequence[tuple[str, int, str]]) -> WaitAnswer:
    return WaitAnswer(task=task, after=[after for after, _, _ in group], lag=group[0][1], why=clip(group[0][2], 240))


def markdown(result: TaskDependencies) -> str:
    """Every dependency with its reason, then where the work can start at once, then what was left out."""
    rows = [(d.task, d.after, f"{d.lag} working days" if d.lag else "", d.why) for d in result.dependencies]
    starts = ", ".join(result.starts)
    parts = [
        f"# Task dependencies: {len(rows)} finish-to-start links",
        f"On the first day these can start: {starts}." if starts else "",
        table(("Package", "starts after", "plus", "because it"), rows),
    ]
    if result.dropped:
        parts += ["## Left out", bullets(result.dropped)]
    return "\n\n".join(part.rstrip() for part in parts if part)


STAGE = Stage(
    number=21,
    name="task_dependencies",
    title="Task Dependencies",
    needs=("project_plan", "wbs"),
    version=4,
    result=TaskDependencies,
    draft=draft,
    markdown=markdown,
)
