"""Stage 028: it has failed; how it came to that, what would have warned, and when somebody acts (Klein 2007)."""

from pydantic import Field

from planloom.domain.frozen import Answer
from planloom.stages.desk import Desk
from planloom.stages.excerpt import Excerpt, Pick
from planloom.stages.lenses import Lens, parts_through
from planloom.stages.parts.plan_sections import (
    AMOUNTS,
    CHASED,
    CRITERIA,
    FRAME,
    FUNDING,
    MEASURES,
    PARTIES,
    PERMITS,
    RESOURCES,
    of_plan,
)
from planloom.stages.parts.premortem_answer import Kind, StoryRow
from planloom.stages.parts.premortem_outline import Plot, outline_stories
from planloom.stages.parts.schedule_result import Schedule
from planloom.stages.parts.schedule_sections import DAYS, PATH, VERDICT
from planloom.stages.project_plan import ProjectPlan
from planloom.stages.stage import Stage, StageResult
from planloom.stages.text import bullets, table
from planloom.stages.wbs import Wbs

#: Three calls side by side, so that no story is written with another in view: stories then differ in kind.
LENSES = (
    Lens(
        "process",
        "process",
        (PATH, of_plan(3000, PERMITS, CHASED)),
    ),
    Lens(
        "technology",
        "technology",
        (
            PATH,
            of_plan(2200, RESOURCES, AMOUNTS, CRITERIA),
            Excerpt("expert_criticism", 2200, (Pick("", ("Flaw", "Consequence"), rows=2, prose=False),)),
        ),
    ),
    Lens(
        "people",
        "people and market",
        (
            of_plan(3000, PARTIES, MEASURES, FUNDING),
            Excerpt("team", 2200, (Pick("Review of the team", ("Kind", "Finding", "Who", "When")),)),
        ),
    ),
)
_KINDS: dict[str, tuple[Kind, ...]] = {
    "process": ("process",),
    "technology": ("technology",),
    "people": ("people", "market"),
}

INSTRUCTIONS = """\
The plan was carried out and it has failed. The deadline has passed. You sit down with those who took part and write
how it came to that. Not what could go wrong: what went wrong.

- Write two or three stories of this kind: {question}. process: an approval, a tender, a dependency, a hand-over.
  technology: a thing that did not work, could not be supplied, or did not fit. people: somebody left, was never there,
  or did not agree. market: those it was made for did not come, pay or use it.
- chain: three to five causes in order, each making the next likely; dates and amounts from the schedule and the budget;
  the last is the end. No chain starts with bad luck.
- warning: what could have been seen first, at least four weeks before the end, as a measurement.
- tripwire: the value and the date at which somebody acts without a meeting.
- containment: what is done then, by whom, and what it saves; it must be possible with the money and days left.
- watcher: one role of the team that looks at the warning, and how often.
Avoid: stories that end well, stories told twice, causes without a date, "lack of communication".
"""


class StoriesAnswer(Answer):
    """The model's answer for one lens."""

    stories: list[StoryRow] = Field(min_length=1, max_length=4)


class Premortem(StageResult):
    """Stage 028's result: stories of every kind."""

    stories: tuple[StoryRow, ...]


async def draft(desk: Desk) -> Premortem:
    """Three calls side by side, one round."""
    plot = Plot(
        desk.brief, desk.read("project_plan", ProjectPlan), desk.read("wbs", Wbs), desk.read("schedule", Schedule)
    )
    answers = await parts_through(
        desk,
        LENSES,
        INSTRUCTIONS,
        desk.excerpts(FRAME, VERDICT, DAYS),
        StoriesAnswer,
        lambda lens: StoriesAnswer(stories=outline_stories(plot, _KINDS[lens])),
    )
    return Premortem(stories=tuple(story for answer in answers.values() for story in answer.stories))


def markdown(result: Premortem) -> str:
    """The tripwires first, since they are what one acts on; then the stories."""
    parts = [
        "# Premortem",
        "The plan has been carried out and has failed. Each story says how, what could have been seen first, and at "
        "which value somebody acts without waiting for a meeting.",
        "## Tripwires",
        table(
            ["#", "kind", "failure", "tripwire", "who watches", "looks"],
            [
                (f"F{n}", story.kind, story.title, story.tripwire, story.watcher, story.look)
                for n, story in enumerate(result.stories, 1)
            ],
        ),
        "## Stories",
    ]
    for n, story in enumerate(result.stories, 1):
        parts += [
            f"### F{n}. {story.title}",
            "".join(f"{k}. {step}\n" for k, step in enumerate(story.chain, 1)),
            bullets(
                [
                    f"**Early warning:** {story.warning}",
                    f"**Tripwire:** {story.tripwire}",
                    f"**Containment:** {story.containment}",
                    f"**Watched by:** {story.watcher}, {story.look}",
                ]
            ),
        ]
    return "\n\n".join(parts)


STAGE = Stage(
    number=28,
    name="premortem",
    title="Premortem",
    needs=(
        "expert_criticism",
        "project_plan",
        "schedule",
        "team",
        "wbs",
    ),
    version=6,
    result=Premortem,
    draft=draft,
    markdown=markdown,
)
