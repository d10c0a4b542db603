"""A document as its sections: how they are found, changed, corrected, and divided among the chapters of the plan."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from planloom.planes.strategic.quality.words import count_words
from planloom.planes.strategic.stages.chapters import Correction
from planloom.planes.strategic.stages.revision import OPENING, OTHER, Name, SectionText
from planloom.planes.strategic.stages.text import demoted

#: A document has a heading of this kind for each section if it has so many.
LEAST_SECTIONS = 3


@dataclass(frozen=True)
class DocumentSection:
    """A section of the document: its number, its heading without signs (empty: what is above the first), its text.

    *text* is the Markdown with the heading.
    """

    number: int
    title: str
    text: str

    @property
    def body(self) -> str:
        """The text without the heading."""
        return self.text.partition("\n")[2].strip() if self.title else self.text.strip()


def sections_of(document: str) -> tuple[DocumentSection, ...]:
    """Return the sections of *document*: those below its highest headings of which it has at least LEAST_SECTIONS."""
    lines = document.strip().splitlines()
    levels = _levels(lines)
    counts = {level: sum(each == level for each in levels) for level in levels if level}
    top = min((level for level, count in counts.items() if count >= LEAST_SECTIONS), default=min(counts, default=0))
    starts = [n for n, level in enumerate(levels) if level and level == top]
    parts = [lines[a:b] for a, b in zip([0, *starts], [*starts, len(lines)], strict=True)]
    texts = [("\n".join(part).strip(), bool(at)) for at, part in enumerate(parts)]
    return tuple(
        DocumentSection(number, title_of(text) if titled else "", text)
        for number, (text, titled) in enumerate(each for each in texts if each[0])
    )


def title_of(section: str) -> str:
    """Return the first line of *section* without the signs of a heading."""
    return section.strip().partition("\n")[0].strip("# ")


def _levels(lines: Iterable[str]) -> list[int]:
    """Return the level of the heading that each line is; 0 for other lines, and within fences."""
    found, fenced = [], False
    for line in lines:
        fenced ^= line.lstrip().startswith(("```", "~~~"))
        heading = None if fenced else re.match(r"(#{1,6})\s", line)
        found.append(len(heading[1]) if heading else 0)
    return found


def listed(sections: Iterable[DocumentSection]) -> str:
    """Return the sections as their author is shown them: number, heading and words."""
    return "\n".join(f"{each.number}. {each.title or '(title)'}: {count_words(each.text):,} words" for each in sections)


@dataclass(frozen=True)
class Corrected:
    """A text after corrections, and those that found no place, each with the reason."""

    text: str
    refused: tuple[str, ...] = ()


def with_sections(sections: Iterable[DocumentSection], changed: Iterable[SectionText]) -> tuple[DocumentSection, ...]:
    """Return *sections* with those that are *changed*, without those that are removed.

    A new text without a heading keeps that which the section had.
    """
    new = {each.section: each.text.strip() for each in changed}
    made = (_anew(section, new.get(section.number, section.text)) for section in sections)
    return tuple(section for section in made if section.text)


def _anew(section: DocumentSection, text: str) -> DocumentSection:
    if section.title and text.startswith("#"):
        return replace(section, title=title_of(text), text=text)
    if section.title and text:
        return replace(section, text=f"{section.text.partition(chr(10))[0]}\n\n{text}")
    return replace(section, text=text)


def corrected(document: str, corrections: Sequence[Correction]) -> Corrected:
    """Return *document* with each of *corrections* whose passage occurs in it exactly once."""
    refused = []
    for each in corrections:
        found = _found(document, each.was)
        if len(found) == 1:
            document = _replaced(document, found[0], each.now.strip())
        elif each.was.strip() != each.now.strip():
            why = "is not in the document" if not found else f"occurs {len(found)} times"
            refused.append(f"“{each.was}” {why}; it was to become “{each.now}”")
    return Corrected(document, tuple(refused))


def _found(document: str, passage: str) -> list[re.Match[str]]:
    """Return where *passage* occurs, whatever space is between its words."""
    words = passage.split()
    return [*re.finditer(r"\s+".join(map(re.escape, words)), document)] if words else []


def _replaced(document: str, found: re.Match[str], now: str) -> str:
    """Return *document* with *now* in the place of *found*; a row or line that becomes empty is removed."""
    first, last = found.span()
    if not now and document[:first].endswith("\n") and document[last:].startswith("\n"):
        last += 1
    return document[:first] + now + document[last:]


def divided(text: str, about: Mapping[str, Name]) -> dict[Name, list[DocumentSection]]:
    """Return the sections of *text* by the part that they are about, which *about* gives by their titles.

    One that it does not name belongs to the part of the section before it; what is above the first section, to that
    of the first.
    """
    found: dict[Name, list[DocumentSection]] = {}
    above: list[DocumentSection] = []
    part: Name = OPENING
    for section in sections_of(text):
        if not section.title:
            above.append(section)
            continue
        part = about.get(section.title, OTHER if part == OPENING and found else part)
        found.setdefault(part, []).extend((*above, section))
        above.clear()
    if above:
        found[OTHER] = above
    return found


def joined(sections: Sequence[DocumentSection]) -> tuple[str, str]:
    """Return the title of the first of *sections*, and the text of all; the others have headings in it."""
    title = next((section.title for section in sections if section.title), "")
    blocks = []
    for section in sections:
        if not section.title:
            # above the first section is the title of the whole document
            body = "\n".join(line for line in section.body.splitlines() if not line.startswith("# "))
            blocks.append(demoted(body))
        elif section.title == title:
            blocks.append(demoted(section.body))
        else:
            blocks.append(f"## {section.title}\n\n{demoted(section.body, 3)}")
    return title, "\n\n".join(block.strip() for block in blocks if block.strip())
