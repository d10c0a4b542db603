"""Names for ids in a printed text: roles by name, other rows with their name where a sentence first has their id."""

import re
from collections.abc import Mapping
from typing import Any

from planloom.planes.strategic.spine.fields import title
from planloom.planes.strategic.stages.anchors import ID
from planloom.planes.strategic.stages.blocks import cells_of, row_of

#: Roles are called by their names alone; so are bodies in cells that hold nothing but ids.
ROLE, BODY = "R", "B"
#: Sizes of paper: 200 A4, on A4, auf A4.
_PAPER = frozenset({"A3", "A4", "A5"})
_PERCENTILES = frozenset({"P50", "P80", "P90"})
_QUARTERS = frozenset({"Q1", "Q2", "Q3", "Q4"})
_SIZE = re.compile(r"(?:\d|\b(?:on|of|auf|size|format|formato)) $", re.I)
_IDS_ALONE = re.compile(rf"(?:{ID.pattern}|[\s,;:/+&()-]|\d++(?:\.\d++)?)+")
#: A name in brackets has no more letters than these.
MOST_LETTERS = 60
#: A name is there already where so many letters of its first word are beside the id.
STEM = 5
#: A standard, a grade, an ordinary word in capitals: ASTM B456.
_STANDARD = re.compile(r"\b[A-Z]{2,}[ \u00a0]$")
_RANGE = re.compile(r"\s?[–—-]\s?(?:[A-Z]?\d)|\s?\.\.\.?\s?[A-Z]?\d")
_RANGE_BEFORE = re.compile(r"[A-Z]\d{1,3}\s?[–—-]\s?$")
_FENCE = ("```", "~~~")


def with_names(markdown: str, rows: Mapping[str, Any], goal: str = "", *, cells: bool = False) -> str:
    """Return *markdown* with roles called by their names, and the name behind each other id where it is first used.

    *rows* are those of the plan by id. Ids that *goal* uses are its own, and stay. In cells of tables other ids stay
    alone unless *cells*: a row of the document says what they are; in quotations, which go out as they are, too.
    """
    own = set(ID.findall(goal))
    names = {id_: title(row) for id_, row in rows.items() if id_ not in own and title(row).strip()}
    said: set[str] = set()
    lines, fenced = [], False
    for line in markdown.split("\n"):
        fenced ^= line.lstrip().startswith(_FENCE)
        if fenced or not ID.search(line):
            lines.append(line)
        elif line.startswith("|"):
            lines.append(_prose(_row(line, names), names, said) if cells else _row(line, names))
        else:
            named = _by_name(line, names)
            lines.append(named if line.startswith(">") else _prose(named, names, said))
    return "\n".join(lines)


def _row(line: str, names: Mapping[str, str]) -> str:
    first, *rest = cells_of(line)
    own = ID.fullmatch(first.strip("* "))
    if not own or (own[0][0] in (ROLE, BODY) and not _is_near(names.get(own[0], ""), " ".join(rest))):
        first = _by_name(first, names, ROLE + BODY)
    return row_of((first, *(_in_cell(cell, names) for cell in rest)))


def _in_cell(cell: str, names: Mapping[str, str]) -> str:
    return _by_name(cell, names, ROLE + BODY if _IDS_ALONE.fullmatch(cell) else ROLE)


def _by_name(text: str, names: Mapping[str, str], letters: str = ROLE) -> str:
    """Return *text* with the name of each row of *letters* in the place of its id; once where the name is there too."""
    for id_ in dict.fromkeys(ID.findall(text)):
        name = names.get(id_, "").replace("|", "\\|")
        if id_[0] not in letters or not name:
            continue
        both = re.compile(
            rf"({re.escape(name)})[ ,]*[(\[]{id_}[)\]]|(?<![\w.-]){id_}[:,]? [(\[]?({re.escape(name)})[)\]]?", re.I
        )
        text = both.sub(lambda m: m[1] or m[2], text)
        text = _replaced(text, id_, name)
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
            name = _short(names[id_])
            parts += [line[at:end], f" {name}" if within else f" ({name})"]
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


def _short(name: str) -> str:
    """Return *name* up to MOST_LETTERS, at the end of a part of it or of a word, without the stop."""
    name = name.replace("|", "/").rstrip(".")
    if len(name) <= MOST_LETTERS:
        return name
    cut = name[: MOST_LETTERS + 1]
    part = re.match(r".{20,}(?=[,;:(–])", cut)
    return (part[0] if part else cut.rpartition(" ")[0] or cut).rstrip(" ,;:(–")
