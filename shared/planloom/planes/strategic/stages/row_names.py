"""Names for ids in a printed text: beside those of tasks, decisions and gates at first, in the place of others."""

import re
from collections.abc import Mapping
from typing import Any

from planloom.planes.strategic.spine.fields import ID, currency_letters, title
from planloom.planes.strategic.stages.computed_plan import NUMBERED
from planloom.planes.strategic.stages.text import MOST_LETTERS, shortened

#: Sizes of paper: 200 A4, on A4, auf A4.
_PAPER = frozenset({"A3", "A4", "A5"})
_PERCENTILES = frozenset({"P50", "P80", "P90"})
_QUARTERS = frozenset({"Q1", "Q2", "Q3", "Q4"})
_SIZE = re.compile(r"(?:\d|\b(?:on|of|auf|size|format|formato)) $", re.I)
#: A name is there already where so many letters of its first word are beside the id.
STEM = 5
#: A standard, a grade, an ordinary word in capitals: ASTM B456.
_STANDARD = re.compile(r"\b[A-Z]{2,}[ \u00a0]$")
_RANGE = re.compile(r"\s?[–—-]\s?(?:[A-Z]?\d)|\s?\.\.\.?\s?[A-Z]?\d")
_RANGE_BEFORE = re.compile(r"[A-Z]\d{1,3}\s?[–—-]\s?$")
_FENCE = ("```", "~~~")


def with_names(markdown: str, rows: Mapping[str, Any], goal: str = "", *, cells: bool = False) -> str:
    """Return *markdown* with names in the place of ids; tasks, decisions and gates keep theirs, with a name at first.

    *rows* are those of the plan by id. Ids that *goal* uses are its own, and stay, and so does a letter with which it
    writes amounts: R349, R740 000. In cells of tables tasks, decisions
    and gates stay without names unless *cells*; in quotations, which go out as they are, too.
    """
    own, money = set(ID.findall(goal)), currency_letters(goal)
    named = {id_: title(row) for id_, row in rows.items() if id_ not in own and id_[0] not in money}
    names = {id_: shortened(words) for id_, words in named.items() if words.strip()}
    said: set[str] = set()
    lines, fenced = [], False
    for line in markdown.split("\n"):
        fenced ^= line.lstrip().startswith(_FENCE)
        if fenced or not ID.search(line):
            lines.append(line)
        else:
            called, alone = _called(line, names), line.startswith(">" if cells else (">", "|"))
            lines.append(called if alone else _prose(called, names, said))
    return "\n".join(lines)


def _called(text: str, names: Mapping[str, str]) -> str:
    """Return *text* with the name of each row without a number in the place of its id; once where it is there too."""
    for id_ in dict.fromkeys(ID.findall(text)):
        if id_ in names and id_[0] not in NUMBERED:
            name = re.escape(names[id_])
            both = rf"({name})[ ,]*[(\[]{id_}[)\]]|(?<![\w.-]){id_}[:,]? [(\[]?({name})[)\]]?"
            text = re.sub(both, lambda found: found[1] or found[2], text, flags=re.I)
            text = _replaced(text, id_, names[id_])
    return text


def _replaced(text: str, id_: str, name: str) -> str:
    parts, at = [], 0
    for found in ID.finditer(text):
        if found[0] != id_ or _is_other(text, found):
            continue
        start, end = found.span()
        bracketed = text[start - 1 : start] in ("(", "[") and text[end : end + 1] in (")", "]")
        if bracketed and _is_near(name, text[max(0, start - MOST_LETTERS) : start]):
            # the site manager (R3): the name is there in other words
            parts.append(text[at : start - 1].rstrip())
            at = end + 1
        else:
            parts += [text[at:start], name]
            at = end
    return "".join((*parts, text[at:]))


def _prose(line: str, names: Mapping[str, str], said: set[str]) -> str:
    parts, at = [], 0
    for found in ID.finditer(line):
        id_, end = found[0], found.end()
        if id_ not in names or id_ in said or _is_other(line, found):
            continue
        said.add(id_)
        near = line[max(0, found.start() - 2 * MOST_LETTERS) : end + 2 * MOST_LETTERS]
        if not _is_near(names[id_], near):
            within = line.count("(", 0, found.start()) > line.count(")", 0, found.start())
            parts += [line[at:end], f" {names[id_]}" if within else f" ({names[id_]})"]
            at = end
    return "".join((*parts, line[at:]))


def _is_other(text: str, found: re.Match[str]) -> bool:
    """Return whether what looks like an id is a standard, a size of paper, a quarter, or an end of a range."""
    before, after = text[: found.start()], text[found.end() :]
    if found[0] in _PERCENTILES or (found[0] in _PAPER and _SIZE.search(before)):
        return True
    if found[0] in _QUARTERS and not before.endswith("("):
        return True
    return bool(_STANDARD.search(before) or _RANGE.match(after) or _RANGE_BEFORE.search(before))


def _is_near(name: str, text: str) -> bool:
    words = [word for word in re.findall(r"\w+", name.casefold()) if len(word) >= STEM] or name.casefold().split()
    return any(word[:STEM] in text.casefold() for word in words[:1])
