"""Stage 019: the work breakdown, levels 1 and 2: deliverables, and the packages that make them up."""

import asyncio
from collections.abc import Iterable, Sequence
from typing import Literal

from pydantic import Field

from planloom.domain.facts import Spanned
from planloom.domain.frozen import Answer, Frozen
from planloom.facts.quoting import clip, quote
from planloom.knowledge.brief import Brief
from planloom.knowledge.sequence import ACCEPTANCE
from planloom.knowledge.tracing import Page, figure_clauses, meets, page_of, terms
from planloom.knowledge.work_breakdown import Bundle, Work, bundles
from planloom.models.model import Part
from planloom.stages.desk import Desk
from planloom.stages.parts.plan_sections import (
    CRITERIA,
    FRAME,
    GOAL,
    MEASURES,
    PERMIT_DAYS,
    PERMITS,
    POSTS,
    RESOURCES,
    SCOPE,
    WAITS,
    of_plan,
)
from planloom.stages.stage import Stage, StageResult
from planloom.stages.text import bullets, table

LEVEL_1 = """\
Break the work of the goal down to level 1 of a work breakdown structure (PMI practice standard).

- Each entry is a deliverable: a thing that exists in the end and can be shown, named by a noun phrase. Never an
  activity ("planning", "marketing"), never a department, never a phase of time.
- 100% rule: together they hold all the work of the goal and nothing else; none overlaps another. Walk through the
  goal sentence by sentence and find for each demand the deliverable that answers for it.
- What plans forget belongs in: permits and approvals with their papers, money secured, contracts and deliveries, the
  people who must be found and trained, trial or pilot, acceptance, handover to whoever runs it, closing and the reading
  of the success figures.
- 6 to 10 deliverables; up to 14 where the goal is large. In the order in which most of their work lies.
- The result says what exists when it is done, with the figures of the goal: how many, how large, where.
- The phase is one of: prepare, design, build, launch, close. close is what follows acceptance: operation handed over,
  accounts closed, success measured.
"""

LEVEL_2 = """\
Break the deliverable that you are shown down into its work packages, level 2 of the work breakdown structure.

- Together the packages are the whole deliverable and nothing of another one: the other deliverables are listed so that
  you leave theirs to them.
- Each package is itself a thing that exists when it is done: "Lease signed under the loan's condition", not
  "negotiate". It is worth a line in a schedule: one role answers for it, it takes between three working days and a
  season, and somebody who was not there could tell from its test of done whether it is finished.
- A lead time that others set is a package of its own with fixed = true: a permit from complete papers to decision, a
  loan decision, the delivery of a machine, an inspection. Preparing the papers is another package.
- outdoor = true for work under the open sky that weather or a season in the goal can stop.
- Every approval, permit, hiring, pilot, closure and dated step that the goal names for this deliverable is there, in
  the goal's words. serves quotes the demand that a package answers, where there is one.
- The key is short, in snake_case and says what it is: site_survey. The package at which the whole is accepted (opened,
  released, taken over) has the key acceptance, whichever deliverable it belongs to; there is one only.
- 2 to 6 packages; up to 12 where the deliverable is large.
"""

#: For the whole: goal, scope, measures, everything that must come from outside.
LEVEL_1_READS = of_plan(9000, GOAL, SCOPE, MEASURES, PERMITS, RESOURCES, WAITS)
#: For one deliverable: which lead times, things and roles its packages may hold.
LEVEL_2_READS = of_plan(1900, POSTS, CRITERIA, PERMIT_DAYS, RESOURCES, WAITS)

Kind = Literal[
    "research",
    "design",
    "legal",
    "permit",
    "finance",
    "people",
    "procurement",
    "build",
    "test",
    "communication",
    "operate",
    "handover",
]


class DeliverableAnswer(Answer):
    """A level-1 deliverable."""

    title: str = Field(min_length=3, max_length=120, description="A thing that exists in the end: a noun phrase")
    result: str = Field(min_length=10, max_length=400, description="What exists when it is done, with its figures")
    phase: Literal["prepare", "design", "build", "launch", "close"]


class Level1Answer(Answer):
    """The model's answer for level 1."""

    deliverables: list[DeliverableAnswer] = Field(min_length=3, max_length=14)


class PackageAnswer(Answer):
    """A level-2 work package."""

    key: str = Field(pattern=r"^[a-z][a-z0-9_]*$", max_length=50, description="Short name, unique in the whole WBS")
    title: str = Field(min_length=3, max_length=140, description="What exists when it is done: a noun phrase")
    owner: str = Field(min_length=2, max_length=80, description="One role, no person")
    kind: Kind
    test: str = Field(min_length=5, max_length=300, description="How one sees that it is done")
    outdoor: bool = Field(default=False, description="Work under the open sky, bound by seasons in the goal")
    fixed: bool = Field(default=False, description="Its time is set by others: a permit, a loan, a delivery")
    serves: str = Field(default="", max_length=300, description="The demand of the goal that it answers, quoted")


class Level2Answer(Answer):
    """The model's answer for the packages of one deliverable."""

    packages: list[PackageAnswer] = Field(min_length=1, max_length=12)


class Package(Frozen):
    """A work package with its place in the WBS; ``id`` 2.3 is the third package of deliverable 2."""

    id: str = Field(pattern=r"^\d+\.\d+$")
    key: str = Field(description="Unique in the WBS")
    title: str
    owner: str = Field(description="Title of a role")
    kind: Kind
    test: str = Field(description="How one sees that it is done")
    outdoor: bool
    fixed: bool
    serves: str = Field(default="", description="The demand of the prompt that it answers; may be empty")


class Deliverable(Frozen):
    """A deliverable with its packages."""

    id: str = Field(pattern=r"^\d+$")
    title: str
    result: str
    phase: str = Field(description="id of a phase of the archetype")
    phase_title: str
    packages: tuple[Package, ...]


class Trace(Frozen):
    """A demand or a figure of the prompt, and the packages that meet it."""

    demand: str
    source: str = Field(description="prompt:<start>-<end>")
    packages: tuple[str, ...] = Field(description="ids such as 2.3; empty where no package meets it")


class Wbs(StageResult):
    """Stage 019's result: 100% of the work, level 1 in ``deliverables``, level 2 in their ``packages``."""

    deliverables: tuple[Deliverable, ...]
    traces: tuple[Trace, ...] = ()

    @property
    def packages(self) -> tuple[Package, ...]:
        """All packages, in order of id."""
        return tuple(p for d in self.deliverables for p in d.packages)


async def draft(desk: Desk) -> Wbs:
    """Level 1 in one call, then level 2 with one call for each deliverable, side by side."""
    made = bundles(desk.brief)
    level1 = await desk.ask(
        "level1", LEVEL_1, desk.excerpts(FRAME, LEVEL_1_READS), Level1Answer, lambda: outline_level1(made)
    )
    titles = [f"{n}. {d.title}: {d.result}" for n, d in enumerate(level1.deliverables, 1)]
    others = Part("all deliverables", "\n".join(f"{n}. {d.title}" for n, d in enumerate(level1.deliverables, 1)))
    shared = (*desk.excerpts(LEVEL_2_READS), others)

    async def packages(number: int, deliverable: DeliverableAnswer) -> Level2Answer:
        mine = Part("the deliverable to break down", titles[number - 1])
        context = (*shared, mine)
        return await desk.ask(
            f"level2-{number:02}", LEVEL_2, context, Level2Answer, lambda: outline_level2(desk.brief, made, deliverable)
        )

    level2 = await asyncio.gather(*(packages(n, d) for n, d in enumerate(level1.deliverables, 1)))
    return assembled(desk.brief, level1, level2)


def assembled(brief: Brief, level1: Level1Answer, level2: Sequence[Level2Answer]) -> Wbs:
    """Number deliverables and packages, give every package a key of its own, trace the demands, and claim the size."""
    taken: set[str] = set()
    deliverables = []
    for number, (found, packages) in enumerate(zip(level1.deliverables, level2, strict=True), 1):
        placed = tuple(
            Package(id=f"{number}.{n}", **(p.model_dump() | {"key": _free(p.key, taken)}))
            for n, p in enumerate(packages.packages, 1)
        )
        title = brief.phase(found.phase).title
        deliverables.append(
            Deliverable(
                id=str(number),
                title=found.title,
                result=found.result,
                phase=found.phase,
                phase_title=title,
                packages=placed,
            )
        )
    wbs = Wbs(deliverables=tuple(deliverables))
    return wbs.model_copy(update={"traces": traces(brief, wbs.packages)})


def traces(brief: Brief, packages: Sequence[Package]) -> tuple[Trace, ...]:
    """Return for every demand of the prompt, and every figure beside them, the packages that meet it.

    First those that say they answer it, a deadline's acceptance, then by words; the last test takes what is left.
    """
    pages = {p.id: Page(f"{p.key.replace('_', ' ')} {p.title}", p.test, p.kind) for p in packages}
    proof = tuple(p.id for p in packages if p.kind == "test")[-1:]

    def met(term: Spanned) -> tuple[str, ...]:
        said = clip(term.text, 60).rstrip("….!;, ")
        answering = tuple(p.id for p in packages if said in p.serves)
        by_day = any(d.role == "deadline" and term.start <= d.start < term.end for d in brief.facts.days)
        accepting = tuple(p.id for p in packages if by_day and p.key == ACCEPTANCE)
        return tuple(dict.fromkeys((*answering, *accepting))) or meets(term.text, pages) or proof

    return tuple(
        Trace(demand=clip(term.text, 240), source=term.source, packages=met(term))
        for term in (*terms(brief.facts), *figure_clauses(brief.facts))
    )


def outline_level1(made: Iterable[Bundle]) -> Level1Answer:
    """The deliverables of the tables that the prompt calls for."""
    rows = (bundle.row for bundle in made)
    return Level1Answer(
        deliverables=[
            DeliverableAnswer.model_validate(
                {"title": clip(d.title, 120), "result": clip(d.result, 400), "phase": d.phase}
            )
            for d in rows
        ]
    )


def outline_level2(brief: Brief, made: Sequence[Bundle], deliverable: DeliverableAnswer) -> Level2Answer:
    """The packages of the tables and of the prompt for *deliverable*, each with the demand that it answers."""
    bundle = next((b for b in made if clip(b.row.title, 120) == deliverable.title), None)
    if bundle is None:
        return _whole(brief, deliverable)
    pages = {work.id: page_of(work.row) for b in made for work in b.works}
    served = {key: quote(term, 200) for term in reversed(terms(brief.facts)) for key in meets(term.text, pages)[:1]}
    return Level2Answer(packages=[_package(work, served.get(work.id, "")) for work in bundle.works])


def _package(work: Work, served: str) -> PackageAnswer:
    row = work.row
    return PackageAnswer(
        key=row.id,
        title=clip(row.title, 140),
        owner=work.owner,
        kind=row.kind,
        test=clip(row.leaves[-1].test, 300),
        outdoor=row.outdoor,
        fixed=row.fixed,
        serves=served or (quote(work.said, 200) if work.said else ""),
    )


def _whole(brief: Brief, deliverable: DeliverableAnswer) -> Level2Answer:
    """A deliverable that no table knows, as a language model may name one, is one package."""
    key = "_".join(word for word in deliverable.title.lower().split() if word.isascii() and word.isalpha())[:50]
    package = PackageAnswer(
        key=key or "deliverable",
        title=deliverable.title,
        owner=brief.role_title("lead"),
        kind="build",
        test=f"Shown and signed for: {clip(deliverable.result, 200)}",
    )
    return Level2Answer(packages=[package])


def _free(key: str, taken: set[str]) -> str:
    free = next(k for n in range(1, 1000) if (k := key if n == 1 else f"{key}_{n}") not in taken)
    taken.add(free)
    return free


def markdown(result: Wbs) -> str:
    """Level 1 in a table, then each deliverable with its packages, then where each demand is met."""
    parts = [
        f"# Work breakdown: {len(result.deliverables)} deliverables, {len(result.packages)} packages",
        table(
            ("", "Deliverable", "Phase", "What exists when it is done"),
            [(d.id, d.title, d.phase_title, d.result) for d in result.deliverables],
        ),
    ]
    for d in result.deliverables:
        rows = [(p.id, p.title, p.owner, p.test, _marks(p)) for p in d.packages]
        parts += [f"## {d.id} {d.title}", table(("", "Package", "Owner", "Done when", ""), rows)]
        parts.append(bullets(f"{p.id} answers {p.serves}" for p in d.packages if p.serves))
    if result.traces:
        met = [(t.demand, ", ".join(t.packages) or "no package: to be settled") for t in result.traces]
        parts += ["## Where each demand and figure of the goal is met", table(("Of the goal", "Packages"), met)]
    return "\n\n".join(part.rstrip() for part in parts if part.strip())


def _marks(package: Package) -> str:
    return ", ".join(
        word for word, is_so in (("time set by others", package.fixed), ("outdoors", package.outdoor)) if is_so
    )


STAGE = Stage(
    number=19,
    name="wbs",
    title="Work Breakdown Structure",
    needs=("project_plan",),
    version=5,
    result=Wbs,
    draft=draft,
    markdown=markdown,
)
