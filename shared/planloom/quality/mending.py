"""Put other words in place of those that a check found wrong: one line of a page for another, or not at all."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from planloom.quality.checks import Mended, Quality
from planloom.quality.finding import Finding
from planloom.quality.passages import plain

#: So many lines of one page are sent back at most, and so many pages.
MOST_LINES, MOST_PAGES = 12, 8
#: A mended line is not longer than this many times the first one, and so many characters more.
LONGER, MORE = 1.5, 120

_BEGINS = re.compile(r"\s*(?:#{1,6} |[-*+] |\d+[.)] |\|)?")
_PIPE = re.compile(r"(?<!\\)\|")


@dataclass(frozen=True)
class Faulty:
    """A line of a page, counted from 0, and all that was found in it."""

    file: str
    line: int
    text: str
    findings: tuple[Finding, ...]


def faulty_lines(quality: Quality, pages: Mapping[str, str]) -> dict[str, tuple[Faulty, ...]]:
    """Return by file the lines whose findings other words would settle: the files with most of them first."""
    found: dict[tuple[str, int], list[Finding]] = {}
    for finding in quality.findings:
        here = finding.places[0]
        if finding.mendable and here.file in pages:
            line = _line_of(pages[here.file], here.quote)
            if line is not None:
                found.setdefault((here.file, line), []).append(finding)
    by_file: dict[str, list[Faulty]] = {}
    for (file, line), findings in found.items():
        faulty = Faulty(file, line, pages[file].splitlines()[line], tuple(findings))
        by_file.setdefault(file, []).append(faulty)
    ranked = sorted(by_file, key=lambda file: (-len(by_file[file]), file))[:MOST_PAGES]
    return {file: tuple(by_file[file][:MOST_LINES]) for file in ranked}


def with_line(page: str, faulty: Faulty, words: str) -> tuple[str, Mended] | None:
    """Return *page* with *words* in place of the faulty line, and the note of it; None where they cannot stand there.

    They must be one line of the same kind: a row keeps its cells, an item its mark, and nothing grows much longer.
    """
    line = " ".join(words.split())
    lines = page.splitlines()
    if not line or lines[faulty.line] != faulty.text or not _fits(faulty.text, line):
        return None
    lines[faulty.line] = line
    note = Mended(file=faulty.file, before=faulty.text, after=line, why=faulty.findings[0].message)
    return "\n".join(lines) + "\n", note


def _fits(before: str, after: str) -> bool:
    if before.strip() == after or len(after) > LONGER * len(before) + MORE:
        return False
    first, now = _BEGINS.match(before), _BEGINS.match(after)
    same_kind = bool(first and now and first[0].strip()[:1] == now[0].strip()[:1])
    return same_kind and len(_PIPE.findall(before)) == len(_PIPE.findall(after))


def _line_of(page: str, quote: str) -> int | None:
    wanted = quote.rstrip("…")[:120].strip()
    lines = page.splitlines()
    return next((n for n, line in enumerate(lines) if wanted and wanted in plain(line.replace("\\|", "|"))), None)
