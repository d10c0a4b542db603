"""Stage 013: comparable projects, what to learn from each, and how to reach those who know."""

from collections.abc import Iterator
from datetime import date
from typing import Literal

from pydantic import Field

from planloom.domain.frozen import Answer
from planloom.domain.wording import day_text
from planloom.facts.quoting import clip, lower_first, quote
from planloom.knowledge.brief import Brief
from planloom.knowledge.dangers import dangers
from planloom.knowledge.gates import due_day, gate_text
from planloom.knowledge.mixed_rows import mixed_rows
from planloom.knowledge.tables import Comparable as Row
from planloom.stages.desk import Desk
from planloom.stages.parts.plan_rows import nearest, rows
from planloom.stages.parts.plan_sections import AMOUNTS, CHASED, CRITERIA, FRAME, SCOPE, of_plan
from planloom.stages.project_plan import ProjectPlan
from planloom.stages.stage import Stage, StageResult
from planloom.stages.text import table

INSTRUCTIONS = """\
Name comparable projects from which this plan can learn before it repeats their errors.

What you are certain of beyond doubt you may name, with certainty "beyond doubt": it must be so well known that any
specialist would know it. Everything else is a kind of project to look for, certainty "to verify", described so
closely that a search finds it: place, size, age, what happened. Never invent a name, an address, a person, a book or
a figure. Prefer one that failed, one that is running in its third year, one next door, one that met the hardest demand
of this goal. Each is unlike the plan in something: say in what.
For each: the one question that it answers for this plan, with the plan's own figure beside which the answer is laid;
which row of the plan the answer would change; how to find it, check it and reach somebody who will talk (register,
association, public file, visit); who does that, by when, and the note that shows it is done.
"""


#: What is made, by which figures it is judged, on what it waits: a comparable project answers to one of these.
READS = of_plan(4500, SCOPE, CRITERIA, CHASED, AMOUNTS)


class Comparable(Answer):
    """A comparable project, or a kind of it to look for."""

    title: str = Field(min_length=3, max_length=200)
    certainty: Literal["beyond doubt", "to verify"] = Field(description="to verify: a kind to look for, not a name")
    likeness: str = Field(min_length=5, max_length=400, description="In what it is like this plan, and in what not")
    learn: str = Field(min_length=5, max_length=400, description="The question it answers for this plan")
    changes: str = Field(min_length=5, max_length=300, description="Which row of the plan its answer would change")
    verify: str = Field(min_length=5, max_length=400, description="How to find, check and reach it")
    role: str = Field(min_length=2, max_length=80)
    by: date
    check: str = Field(min_length=5, max_length=240)


class ResourcesAnswer(Answer):
    """The model's answer."""

    comparables: list[Comparable] = Field(min_length=2, max_length=10)


class RelatedResources(StageResult):
    """Stage 013's result."""

    resources: ResourcesAnswer


async def draft(desk: Desk) -> RelatedResources:
    """One call, from the project plan."""
    plan = desk.read("project_plan", ProjectPlan)
    found = await desk.ask(
        "comparables",
        INSTRUCTIONS,
        desk.excerpts(FRAME, READS),
        ResourcesAnswer,
        lambda: outline(desk.brief, plan),
    )
    return RelatedResources(resources=found)


def outline(brief: Brief, plan: ProjectPlan) -> ResourcesAnswer:
    """Return the kinds of project that the tables name, after those that met the goal's own hardest demands."""
    made = [
        *_met_demand(brief, plan),
        *(_tabled(brief, plan, row, n) for n, row in enumerate(mixed_rows(brief, "comparables", Row))),
    ]
    return ResourcesAnswer(comparables=made[:8])


def _met_demand(brief: Brief, plan: ProjectPlan) -> Iterator[Comparable]:
    """Somebody has met the same demand before: the first approval or veto, then the first figure of success."""
    hard = [d for d in dangers(brief.facts) if d.kind in ("approval", "veto", "window")][:1]
    for danger in hard:
        thing = danger.thing or "this condition"
        yield Comparable(
            title=clip(f"A project of this kind that had to wait for the same: {thing}", 200),
            certainty="to verify",
            likeness=clip(f"Same condition as in the goal: {quote(danger.said, 220)}. Size and year may differ", 400),
            learn=clip(
                f"Working days from complete papers to the answer on {thing}, and what was asked for twice", 400
            ),
            changes=_changed(plan, f"{thing} {danger.said.text}", ("permit", "dependency", "milestone")),
            verify=clip(
                f"Ask {danger.party or 'those who decide'} for two recent cases; their files give the dates",
                400,
            ),
            role=brief.role_title("legal"),
            by=due_day(brief, 12),
            check="Two cases with both dates and the reason for each delay, on one page",
        )
    for row in plan.plan.criteria[:1]:
        yield Comparable(
            title=clip(f"One of this kind, past its first year, that was to reach: {lower_first(row.text)}", 200),
            certainty="to verify",
            likeness=clip(
                f"Judged by the same figure ({row.threshold}); start and place differ, so ask for its first year", 400
            ),
            learn=clip(
                f"When it first reached {row.threshold}, what moved the figure most, and what had no effect", 400
            ),
            changes=clip(f"Success criterion “{row.text}”, due {row.when}", 300),
            verify="Association of the trade or field, public accounts or reports, then an hour with whoever ran it",
            role=row.role,
            by=due_day(brief, 15),
            check=clip(f"The figure of at least two such places, month by month, beside {row.threshold}", 240),
        )


def _tabled(brief: Brief, plan: ProjectPlan, row: Row, n: int) -> Comparable:
    roles = ("lead", "operations", "finance", "quality", "outreach")
    gate = gate_text(brief, "prepare" if n < 3 else "design")
    return Comparable(
        title=clip(row.title, 200),
        certainty="to verify",
        likeness=clip(row.likeness, 400),
        learn=clip(row.learn, 400),
        changes=_changed(plan, f"{row.learn} {row.likeness}"),
        verify=clip(row.verify, 400),
        role=brief.role_title(roles[n % len(roles)]),
        by=due_day(brief, 15 + 3 * n),
        check=clip(f"One page with the answer and its date, read out before {gate}", 240),
    )


def _changed(plan: ProjectPlan, text: str, kinds: tuple[str, ...] = ()) -> str:
    found = nearest(rows(plan), text, kinds) or nearest(rows(plan), text, shared=1) or rows(plan)[0]
    return clip(f"In the project plan, {found.kind}: {found.text}", 300)


def markdown(result: RelatedResources) -> str:
    """Return one section for each comparable project."""
    parts = ["# Related Resources"]
    for n, row in enumerate(result.resources.comparables, 1):
        parts += [
            f"## {n}. {row.title}",
            table(
                ("", ""),
                (
                    ("Certainty", row.certainty),
                    ("Like and unlike", row.likeness),
                    ("To learn", row.learn),
                    ("Would change", row.changes),
                    ("How to verify and reach", row.verify),
                    ("Who, by when", f"{row.role}, {day_text(row.by)}"),
                    ("Done when", row.check),
                ),
            ),
        ]
    return "\n\n".join(part.rstrip() for part in parts)


STAGE = Stage(
    number=13,
    name="related_resources",
    title="Related Resources",
    needs=("project_plan",),
    version=5,
    result=RelatedResources,
    draft=draft,
    markdown=markdown,
)
