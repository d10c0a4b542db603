"""Stage 004: two authors of different stance each write the whole plan, in parallel and in one go."""

import asyncio
from collections.abc import Mapping

from pydantic import Field

from planloom.core.frozen import Answer
from planloom.models.errors import AnswerLost
from planloom.models.model import Part
from planloom.planes.strategic.stages.context import StageContext
from planloom.planes.strategic.stages.missing import left_out
from planloom.planes.strategic.stages.results import Drafts, WholeDraft
from planloom.planes.strategic.stages.stage import Section, Stage
from planloom.planes.strategic.stages.text import demoted
from planloom.planes.strategic.stages.whole_plan import SECTIONS, plan_instructions

#: Who writes, by the name of the call: in a brief plan the first one alone.
STANCES: Mapping[str, str] = {
    "builder": "the builder: how it works physically on its hardest day, what is bought rather than made, and the "
    "shortest credible path to it",
    "steward": "the steward: who must agree and in which meeting, what law and money allow, what it costs to run year "
    "after year, and what happens if it fails",
}

ONE_SECTION = """\
You write this plan part by part, in the order of the list above. The parts that are written so far are shown whole,
as yours: keep their concept and every figure, and repeat none of them. Now write part {number}, "{title}", and nothing
else, beginning with a ## heading.
"""

THE_REST = """\
Your plan was too long for one answer. What is written is shown, up to the end of its last complete section. Write the
rest: all that is left, each section beginning with its ## heading. Keep the concept and every figure of what is
written, and repeat none of it. Write more tightly.
"""


class WholePlan(Answer):
    """A whole plan."""

    # below the least length, a new text for a part of it could take the place of the whole
    text: str = Field(min_length=4_001, max_length=120_000, description="The whole plan, as Markdown with its tables")


class OneSection(Answer):
    """One section of a plan, or those that were left."""

    text: str = Field(min_length=200, max_length=100_000, description="As Markdown with its tables")


async def draft(context: StageContext) -> Drafts:
    """Ask two authors, one where little detail is wanted. Raises AnswerLost where no author gives a plan."""
    if context.about.outline_only:
        return Drafts()
    names = list(STANCES)[: 1 if context.about.detail == "brief" else None]
    written = await asyncio.gather(*(_attempt(context, name) for name in names))
    drafts = tuple(each for each in written if isinstance(each, WholeDraft))
    if not drafts:
        raise next(each for each in written if isinstance(each, AnswerLost))
    return Drafts(drafts=drafts)


async def _attempt(context: StageContext, name: str) -> WholeDraft | AnswerLost:
    write = _in_one_go if context.about.long_answers else _by_section
    try:
        return WholeDraft(stance=STANCES[name], text=await write(context, name))
    except AnswerLost as error:
        context.lost[name] = left_out(f"the whole plan by {STANCES[name].partition(':')[0]}")
        return error


async def _in_one_go(context: StageContext, name: str) -> str:
    """Ask for the whole plan, and for the rest of one that was cut off."""
    instructions = plan_instructions(STANCES[name], context.about.detail)
    plan = await context.ask(name, instructions, _shown(context), WholePlan)
    written = plan.text.rpartition("\n## ")[0].rstrip()
    if not (plan.items_left_out and written):
        return plan.text
    parts = (*_shown(context), Part("your plan, as far as it is written", written))
    asked = f"{instructions}\n{THE_REST}"
    rest = await context.ask_part(f"{name}-rest", asked, parts, OneSection, part=f"the end of the {name}'s plan")
    if rest is None:
        return plan.text
    context.lost.pop(name, None)
    return f"{written}\n\n{rest.text}"


async def _by_section(context: StageContext, name: str) -> str:
    """Ask for one section after the other, the summary last. Raises AnswerLost where the concept is lost, or most."""
    instructions = plan_instructions(STANCES[name], context.about.detail)
    written: dict[int, str] = {}
    for number in (*range(2, len(SECTIONS) + 1), 1):
        earlier = tuple(Part(f"section {n} of your plan", text) for n, text in written.items())
        asked = f"{instructions}\n{ONE_SECTION.format(number=number, title=SECTIONS[number - 1].title)}"
        call, context_parts = f"{name}-{number}", (*_shown(context), *earlier)
        if not written:
            written[number] = (await context.ask(call, asked, context_parts, OneSection)).text
        elif answer := await context.ask_part(call, asked, context_parts, OneSection, part=_named(name, number)):
            written[number] = answer.text
    if 2 * len(written) < len(SECTIONS):
        raise AnswerLost(f"The plan of the {name} has {len(written)} of {len(SECTIONS)} sections.")
    return "\n\n".join(written[number] for number in sorted(written))


def _named(name: str, number: int) -> str:
    return f"the section “{SECTIONS[number - 1].title}” of the {name}'s plan"


def _shown(context: StageContext) -> tuple[Part, ...]:
    return (
        context.facts(),
        Part("screening", context.text("screening")),
        Part("attacks on the premise", context.text("premise_attack")),
    )


def pages(result: Drafts) -> Mapping[str, str]:
    """Return each draft below a heading of its own."""
    if not result.drafts:
        return {
            "draft": "# Draft\n\nA language model writes the whole plan here in one go.\n"
            "No model drafted this plan: it starts from the outline of the next step."
        }
    titles = {"draft": "First draft", "second_draft": "Second draft"}
    return {
        name: f"# {title}\n\nWritten in one go from the point of view of {each.stance}.\n\n{demoted(each.text)}"
        for (name, title), each in zip(titles.items(), result.drafts, strict=False)
    }


STAGE = Stage(
    number=4,
    name="draft",
    title="Draft",
    needs=("start", "screening", "premise_attack"),
    version=20,
    result=Drafts,
    draft=draft,
    pages=pages,
    sections=(Section("draft", "First draft", 2), Section("second_draft", "Second draft", 3)),
)
