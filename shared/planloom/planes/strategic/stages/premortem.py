"""The premortem: the plan was carried out and has failed; how it came to that, and what would have shown it in time."""

from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import Field

from planloom.core.frozen import Answer
from planloom.models.model import Part
from planloom.planes.strategic.stages.context import StageContext
from planloom.planes.strategic.stages.results import Story
from planloom.planes.strategic.stages.shown import PLAN_SHOWN
from planloom.planes.strategic.stages.text import table

INSTRUCTIONS = f"""\
The plan was carried out and it has failed. You ask those who took part how it came to that, and write four or five
stories. Not what could go wrong: what went wrong.

{PLAN_SHOWN}
- kind: process (an approval, a tender, a dependency, a hand-over), technology (a thing that did not work, could not be
  supplied or did not fit), market (those it was made for did not come, pay or use it), people (somebody left, was never
  there, or did not agree). At least three kinds; no story is another one told again, and none repeats a risk (K) of the
  plan as it is there.
- title: the failure in a few words. story: how it ended, in three to five sentences, with days and amounts.
- chain: three to five causes in order, each making the next likely, with days, amounts and ids of the tables; the last
  is the end. No chain starts with bad luck.
- warning: what could have been seen first, at least four weeks before the end, as a measurement.
- tripwire: the value and the day at which somebody acts without a meeting.
- containment: what is done then and what it saves; possible with the money and days left at that point.
- owner: the one role of the plan that looks at the warning, and how often.
Avoid: stories that end well, causes without a day, "lack of communication".
"""

NO_MODEL = """\
# Premortem

Four or five stories belong here of how the plan was carried out and failed.
Each has its chain of causes, a warning that can be measured, a tripwire and what is done then.
"""


class StoryAnswer(Answer):
    """A story of how the plan failed."""

    title: str = Field(max_length=160)
    kind: Literal["process", "technology", "market", "people"]
    story: str = Field(max_length=1500)
    chain: list[str] = Field(min_length=1, max_length=6, description="Causes in order")
    warning: str = Field(max_length=400)
    tripwire: str = Field(max_length=300)
    containment: str = Field(max_length=500)
    owner: str = Field(max_length=160)


class Stories(Answer):
    """The premortem."""

    stories: list[StoryAnswer] = Field(min_length=1, max_length=6)


async def stories(context: StageContext, shared: tuple[Part, ...], rows: Mapping[str, str]) -> tuple[Story, ...]:
    """Ask for the stories over the whole plan as *shared* shows it; none where the answer is lost."""
    answer = await context.ask_part("premortem", INSTRUCTIONS, shared, Stories, rows=rows, part="the premortem")
    return tuple(Story(**story.model_dump()) for story in answer.stories) if answer else ()


def page(stories: Sequence[Story]) -> str:
    """Return the stories as a section, their tripwires first, since these are what one acts on."""
    if not stories:
        return "# Premortem\n\nThe model gave no usable answer for the premortem; it is missing."
    tripwires = ((s.title, s.warning, s.tripwire, s.containment, s.owner) for s in stories)
    parts = [
        "# Premortem",
        "The plan was carried out and has failed. Each story says how, and what would have shown it in time.",
        table(("Story", "Warning", "Tripwire", "What is done then", "Who watches"), tripwires),
    ]
    for story in stories:
        chain = "".join(f"{n}. {cause}\n" for n, cause in enumerate(story.chain, 1))
        parts += [f"## {story.title} ({story.kind})", story.story, chain]
    return "\n\n".join(part.rstrip() for part in parts)
