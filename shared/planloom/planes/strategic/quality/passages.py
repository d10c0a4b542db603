"""Split Markdown into passages: headings, cells, items and prose, each without its markup."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

Kind = Literal["heading", "head", "cell", "item", "prose"]

_HEADING = re.compile(r"(#{1,6}) (.*)")
_RULE = re.compile(r"\|?[\s:|-]+\|?")
_ITEM = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+(.*)")
_MARKUP = re.compile(r"\*\*|(?<!_)__(?!_)|`|(?<!\w)\*(?=\S)|(?<=\S)\*(?!\w)")
_QUOTED = re.compile(r"[“«„][^”»“]*[”»“…]?")
_SENTENCE = re.compile(r"(?<=[.!?…])[\"”’)]*\s+(?=[^\W\d_]|[“\"(\d])")
_CELL = re.compile(r"(?<!\\)\|")


@dataclass(frozen=True)
class Passage:
    """A piece of a page: *text* without markup, *line* counted from 1, *context* the whole row of a cell.

    *column* is the heading of a cell's column, *level* that of a heading.
    """

    file: str
    kind: Kind
    text: str
    line: int
    context: str
    column: str = ""
    level: int = 0

    @cached_property
    def own(self) -> str:
        """The text without quotations, which repeat the goal."""
        return without_quotes(self.text)

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        """The sentences of the passage's own words."""
        return sentences_of(self.own)


def without_quotes(text: str) -> str:
    """Return *text* without what is in quotation marks."""
    return _QUOTED.sub(" ", text) if "“" in text or "«" in text or "„" in text else text


def sentences_of(text: str) -> tuple[str, ...]:
    """Return the sentences of *text*, a line without markup."""
    return tuple(s for s in (found.strip() for found in _SENTENCE.split(text)) if s)


def passages(file: str, markdown: str) -> Iterator[Passage]:
    """Yield the passages of *markdown* in order; rules between a table's head and its rows are left out."""
    lines = markdown.splitlines()
    head: list[str] = []
    for n, line in enumerate(lines, 1):
        if not line.strip():
            head = []
        elif line.lstrip().startswith("|"):
            if _RULE.fullmatch(line.strip()):
                continue
            is_head = n < len(lines) and _RULE.fullmatch(lines[n].strip()) is not None and "-" in lines[n]
            cells = _cells(line)
            head = cells if is_head else head
            yield from _row(file, n, cells, head, is_head=is_head)
        else:
            yield _line(file, n, line)


def _row(file: str, n: int, cells: list[str], head: list[str], *, is_head: bool) -> Iterator[Passage]:
    whole = " | ".join(cells)
    for i, cell in enumerate(cells):
        if cell:
            column = head[i] if i < len(head) else ""
            yield Passage(file, "head" if is_head else "cell", cell, n, whole, column)


def _line(file: str, n: int, line: str) -> Passage:
    heading = _HEADING.match(line)
    if heading:
        text = plain(heading[2])
        return Passage(file, "heading", text, n, text, level=len(heading[1]))
    item = _ITEM.match(line)
    text = plain(item[1] if item else line)
    return Passage(file, "item" if item else "prose", text, n, text)


def _cells(line: str) -> list[str]:
    return [plain(cell.replace("\\|", "|")) for cell in _CELL.split(line.strip().strip("|"))]


def plain(text: str) -> str:
    """Return *text* on one line without emphasis and code marks."""
    return " ".join(_MARKUP.sub("", text).split())
