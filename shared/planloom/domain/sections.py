"""Take from a Markdown page the sections and the columns of their tables that a reader asks for."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from planloom.domain.shorten import CELLS

_HEADING = re.compile(r"#{1,6} +(.+)")
_RULE = re.compile(r"\|(?:\s*:?-+:?\s*\|)+")
_CELL_END = re.compile(r"(?<!\\)\|")


@dataclass(frozen=True)
class Section:
    """A heading of a page and what stands under it, up to the next heading of any level."""

    heading: str
    body: str


@dataclass(frozen=True)
class Pick:
    """Of a page the sections whose heading begins with ``heading``: the first ``most`` of them, 0 for all.

    Of their tables ``columns``, by their heads (all where empty), and the first ``rows`` rows (0 for all); *prose*
    False leaves out what is no table.
    """

    heading: str
    columns: tuple[str, ...] = ()
    rows: int = 0
    most: int = 0
    prose: bool = True


def sections(page: str) -> list[Section]:
    """Return the sections of *page* in order; text before the first heading has none."""
    found: list[tuple[str, list[str]]] = [("", [])]
    for line in page.splitlines():
        heading = _HEADING.fullmatch(line)
        if heading:
            found.append((heading[1].strip(), []))
        else:
            found[-1][1].append(line)
    return [Section(heading, "\n".join(lines).strip()) for heading, lines in found if heading or any(lines)]


def picked(page: str, picks: Iterable[Pick]) -> list[str]:
    """Return what *picks* take from *page*, each section under its heading, rows as cells on one line."""
    there = sections(page)
    found = []
    for pick in picks:
        fitting = [section for section in there if section.heading.startswith(pick.heading)]
        for section in fitting[: pick.most or None]:
            text = "\n".join(_lines(section.body, pick))
            if text:
                found.append(f"{section.heading}:\n{text}")
    return found


def _lines(body: str, pick: Pick) -> Iterator[str]:
    chosen: Sequence[int] | None = None
    rows = 0
    lines = body.splitlines()
    for n, line in enumerate(lines):
        if not line.startswith("|"):
            chosen, rows = None, 0
            if line.strip() and pick.prose:
                yield line.strip()
        elif chosen is None:
            chosen = _chosen(_cells(line), pick.columns)
            yield _row([head or "#" for head in _cells(line)], chosen)
        elif not (_RULE.fullmatch(line.strip()) and lines[n - 1].startswith("|") and rows == 0):
            rows += 1
            if not pick.rows or rows <= pick.rows:
                yield _row(_cells(line), chosen)


def _chosen(head: Sequence[str], columns: Sequence[str]) -> Sequence[int]:
    # a page that somebody edited may have lost a column: what is left of it is better than nothing
    return [head.index(name) for name in columns if name in head] or range(len(head))


def _row(cells: Sequence[str], chosen: Sequence[int]) -> str:
    return CELLS.join(cells[n] for n in chosen if n < len(cells)).rstrip(" |")


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in _CELL_END.split(line.strip())[1:-1]]
