"""Send back once what a check found wrong in the words of a section, and check the plan again."""

import asyncio
from collections.abc import Mapping

from pydantic import Field

from planloom.domain.frozen import Answer
from planloom.models.model import Part
from planloom.quality.checks import Mended, Quality, assess
from planloom.quality.mending import Faulty, faulty_lines, with_line
from planloom.stages.desk import Desk
from planloom.stages.parts.checked_draft import checked_draft

INSTRUCTIONS = """\
Programs have read the finished plan and found the lines below wrong, each for the reason beside it. Write each line
again so that the reason is gone, and change nothing else: the same figures, the same names of roles, the same place in
the plan. Keep the form: a row of a table keeps its cells between its bars, an item its mark. A figure that disagrees
with a claim takes the claim's value. A name that nobody gave is replaced by its kind and marked "to verify". A
placeholder is replaced by what the goal or the claims say, or by what is not known yet and who finds it out. Leave out
a line that cannot be mended without inventing something.
"""


class NewLine(Answer):
    """A line in other words."""

    number: int = Field(ge=1, le=40, description="As shown")
    text: str = Field(min_length=1, max_length=4000, description="One line of Markdown")


class NewLines(Answer):
    """The lines that could be mended."""

    lines: list[NewLine] = Field(default_factory=list, max_length=40)


async def settled(desk: Desk) -> tuple[Mapping[str, str], Quality]:
    """Return the sections' Markdown by stage name and what is left to find in it, after one round of mending.

    A model is asked only where something can be mended; what it makes worse is not taken.
    """
    first = assess(checked_draft(desk, desk.texts))
    names = {stage.markdown_path: name for name, stage in desk.needs.items()}
    pages = {file: desk.texts[name] for file, name in names.items()}
    faulty = faulty_lines(first, pages)
    if not faulty:
        return desk.texts, first
    answers = await asyncio.gather(*(_asked(desk, names[file], lines) for file, lines in faulty.items()))
    notes: list[Mended] = []
    for lines, answer in zip(faulty.values(), answers, strict=True):
        notes += _take(pages, lines, answer)
    mended = {name: pages[file] for file, name in names.items()}
    second = assess(checked_draft(desk, mended), tuple(notes))
    return (mended, second) if notes and second.score >= first.score else (desk.texts, first)


async def _asked(desk: Desk, name: str, lines: tuple[Faulty, ...]) -> NewLines:
    shown = "\n\n".join(
        f"{n}. {line.text}\n   Wrong: {' '.join(finding.message for finding in line.findings)}"
        for n, line in enumerate(lines, 1)
    )
    part = Part(f"lines of {name}", shown)
    # the outline writes no line that a check finds wrong, or the check is wrong: it has nothing better to say
    return await desk.ask(f"mend-{name}", INSTRUCTIONS, (part,), NewLines, lambda: NewLines(lines=[]))


def _take(pages: dict[str, str], lines: tuple[Faulty, ...], answer: NewLines) -> list[Mended]:
    notes = []
    for new in answer.lines:
        if new.number <= len(lines):
            faulty = lines[new.number - 1]
            taken = with_line(pages[faulty.file], faulty, new.text)
            if taken:
                pages[faulty.file], note = taken
                notes.append(note)
    return notes
