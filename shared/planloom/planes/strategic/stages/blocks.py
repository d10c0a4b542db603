"""A document as numbered blocks (headings, paragraphs, items of lists, rows of tables), and edits of it by number."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from pydantic import Field

from planloom.core.frozen import Answer

Kind = Literal["heading", "head", "row", "item", "text"]

_HEADING = re.compile(r"(#{1,6})\s+(.*)")
_RULE = re.compile(r"\s*\|?[\s:|-]*-[\s:|-]*\|?\s*")
_ITEM = re.compile(r"\s*(?:[-*+]|\d+[.)])\s")
_FENCE = ("```", "~~~")
_CELL = re.compile(r"(?<!\\)\|")


class Edit(Answer):
    """One change of the document."""

    how: Literal["replace", "insert_after", "delete"]
    block: str = Field(max_length=12, description="The block as in its brackets, 45 or P81; top: before all")
    to: str = Field(default="", max_length=12, description="The last block of a range; empty: this block alone")
    text: str = Field(default="", max_length=12_000, description="Markdown, figures by name; empty with delete")


@dataclass(frozen=True)
class Block:
    """A block by its *label*; *edited*: it was written by an edit. One that was taken out keeps its place, empty."""

    label: str
    kind: Kind
    text: str
    edited: bool = False

    @property
    def level(self) -> int:
        """The level of a heading; 0 of other blocks."""
        found = _HEADING.match(self.text) if self.kind == "heading" else None
        return len(found[1]) if found else 0

    @property
    def cells(self) -> tuple[str, ...]:
        """The cells of a row, or of the head of a table."""
        return cells_of(self.text) if self.kind in ("head", "row") else ()


@dataclass(frozen=True)
class Refused:
    """An edit that does not fit, and why."""

    edit: Edit
    why: str


def cells_of(line: str) -> tuple[str, ...]:
    """Return the cells of a row of a Markdown table."""
    return tuple(cell.strip() for cell in _CELL.split(line.strip().removeprefix("|").removesuffix("|")))


def row_of(cells: Iterable[str]) -> str:
    """Return *cells*, in which pipes are escaped already, as a row."""
    return f"| {' | '.join(cells)} |"


def blocks_of(markdown: str) -> tuple[Block, ...]:
    """Return the blocks of *markdown*, labelled from 1."""
    return tuple(Block(str(n), kind, text) for n, (kind, text) in enumerate(_split(markdown), 1))


def _split(markdown: str) -> Iterator[tuple[Kind, str]]:
    kind: Kind = "text"
    lines: list[str] = []
    fence = ""
    for line, following in pairwise([*markdown.splitlines(), "", ""]):
        bare = line.strip()
        begins = None if fence else _begins(line, following)
        if lines and not fence and (not bare or begins):
            yield kind, "\n".join(lines)
            lines = []
        if begins in ("heading", "head", "row"):
            yield begins, bare
        elif fence or (bare and begins != "rule"):
            kind = "item" if begins else kind if lines else "text"
            lines.append(line.rstrip())
            fence = _fence(bare, fence)
    if lines:
        yield kind, "\n".join(lines)


def _fence(line: str, fence: str) -> str:
    """Return the fence that is open after *line*; *fence* is open before it."""
    if fence:
        return "" if line.startswith(fence) else fence
    return next((each for each in _FENCE if line.startswith(each)), "")


def _begins(line: str, following: str) -> Kind | Literal["rule"] | None:
    """Return the kind of the block that begins with *line*; None for a line of prose, "rule" below a table's head."""
    if _HEADING.match(line):
        return "heading"
    if line.lstrip().startswith("|"):
        if _RULE.fullmatch(line):
            return "rule"
        return "head" if following.lstrip().startswith("|") and _RULE.fullmatch(following) else "row"
    return "item" if _ITEM.match(line) else None


def shown(blocks: Iterable[Block]) -> str:
    """Return *blocks* as an author is shown them: each after its label in brackets."""
    return "\n".join(f"[{block.label}] {block.text}" for block in blocks if block.text)


def joined(blocks: Iterable[Block]) -> str:
    """Return *blocks* as Markdown."""
    parts: list[str] = []
    before: Kind | None = None
    for block in blocks:
        if block.text:
            close = (block.kind == "row" and before in ("head", "row")) or block.kind == before == "item"
            parts += ["\n" if close else "\n\n"] if parts else []
            parts.append(f"{block.text}\n|{'---|' * len(block.cells)}" if block.kind == "head" else block.text)
            before = block.kind
    return "".join(parts) + "\n" if parts else ""


def renumbered(blocks: Iterable[Block]) -> tuple[Block, ...]:
    """Return *blocks* without those taken out, labelled from 1."""
    return tuple(replace(block, label=str(n)) for n, block in enumerate((b for b in blocks if b.text), 1))


def applied(blocks: Sequence[Block], edits: Iterable[Edit]) -> tuple[tuple[Block, ...], tuple[Refused, ...]]:
    """Return *blocks* after *edits*, and the edits that name no block or one that another edit replaces already."""
    at = {block.label: n for n, block in enumerate(blocks)}
    gone: set[int] = set()
    here: dict[int, list[Block]] = {}
    refused = []
    for edit in edits:
        label, last = (each.strip("[] ") for each in (edit.block, edit.to or edit.block))
        if edit.how == "insert_after":
            start = end = -1 if label.casefold() == "top" else at.get(last, at.get(label))
        else:
            start, end = at.get(label), at.get(last)
        if start is None or end is None:
            refused.append(Refused(edit, f"there is no block [{label if start is None else last}]"))
        elif edit.how == "insert_after":
            here.setdefault(end, []).extend(_new(edit.text, "text"))
        elif end < start or not gone.isdisjoint(range(start, end + 1)):
            refused.append(Refused(edit, "another edit replaces a block of it, or its end is before its beginning"))
        else:
            gone |= set(range(start, end + 1))
            made = _new(edit.text, blocks[start].kind) if edit.how == "replace" else []
            # before what other edits put after it
            here[end] = [*made, *here.get(end, ())]
    made = [*here.get(-1, ())]
    for n, block in enumerate(blocks):
        made += [] if n in gone else [block]
        made += here.get(n, ())
    return tuple(made), tuple(refused)


def _new(text: str, instead_of: Kind) -> list[Block]:
    """Return the blocks of an edit; a head of a table may come without the rule below it."""
    found = [Block("", block.kind, block.text, edited=True) for block in blocks_of(text)]
    if instead_of == "head" and found and found[0].kind == "row":
        found[0] = replace(found[0], kind="head")
    return found
