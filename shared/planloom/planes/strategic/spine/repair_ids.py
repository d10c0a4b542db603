"""Give each row a unique id, and replace each reference by the id of the row that it means."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from planloom.planes.strategic.spine import rows as r
from planloom.planes.strategic.spine.fields import LETTERS, title, words
from planloom.planes.strategic.spine.references import REFERENCES, mapped, redirected
from planloom.planes.strategic.spine.repair_values import Notes, shortened
from planloom.planes.strategic.spine.spine import TABLES, Spine

#: The new ids of rows, by letter of the table and comparable form of the former id.
Aliases = Mapping[tuple[str, str], str]

_MOST_NUMBER = 99_999
_FORM = re.compile(r"\W*([A-Za-z]*)[\W_]*0*([1-9]\d{0,4})(?!\d)", re.ASCII)
#: A reference in words needs this many characters to match the beginning of a title.
_LEAST_WORDS = 4
_LEAST_SHARED = 0.6
#: Fields that name packages by whose end something is met or ready.
_ENDS = ("met_by", "needs", "papers")


def free_id(letter: str, taken: Iterable[str]) -> str:
    """Return the id after the highest of *taken* with *letter*."""
    numbers = {int(each[1:]) for each in taken if each[:1] == letter}
    following = max(numbers, default=0) + 1
    if following > _MOST_NUMBER:
        following = next(n for n in range(1, len(numbers) + 2) if n not in numbers)
    return f"{letter}{following}"


def canonical(text: str, letter: str) -> str:
    """Return the id that *text* writes in another form (``p 012``), or an empty text; *letter* is its table's."""
    found = _FORM.fullmatch(text)
    return f"{letter}{found[2]}" if found and found[1].upper() == letter else ""


def renumbered(spine: Spine, notes: Notes) -> tuple[Spine, Aliases]:
    """Return *spine* with unique ids of letter and number, and the former ids of the renumbered rows."""
    tables: dict[str, Any] = {}
    aliases: dict[tuple[str, str], str] = {}
    for name, (letter, _) in TABLES.items():
        rows: tuple[r.Row, ...] = getattr(spine, name)
        ids = _ids(rows, letter)
        if all(row.id == new for row, new in zip(rows, ids, strict=True)):
            continue
        tables[name] = tuple(
            row if row.id == new else row.model_copy(update={"id": new}) for row, new in zip(rows, ids, strict=True)
        )
        for row, new in zip(rows, ids, strict=True):
            if row.id != new:
                aliases.setdefault((letter, _comparable(row.id)), new)
                notes.append(f"{new}: its id was {row.id or 'empty'!r}, of the wrong form or taken.")
    return (spine.model_copy(update=tables) if tables else spine), aliases


def _ids(rows: tuple[r.Row, ...], letter: str) -> list[str]:
    ids = [""] * len(rows)
    taken: set[str] = set()
    # ids of the right form first, then those that only need another form, then new ones
    for same in (True, False):
        for at, row in enumerate(rows):
            form = canonical(row.id, letter)
            if form and not ids[at] and form not in taken and (form == row.id or not same):
                ids[at] = form
                taken.add(form)
    for at, each in enumerate(ids):
        if not each:
            ids[at] = free_id(letter, taken)
            taken.add(ids[at])
    return ids


def _comparable(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).casefold()


class Names:
    """The rows by each form in which a reference may name them."""

    def __init__(self, spine: Spine, aliases: Aliases) -> None:
        self.ids = {row.id for row in spine.rows()}
        self._aliases = aliases
        self._titles: dict[str, list[tuple[str, list[str]]]] = defaultdict(list)
        for row in spine.rows():
            self._titles[row.id[0]].append((row.id, words(title(row))))

    def find(self, ref: str, letters: str) -> str:
        """Return the id in the tables *letters* that *ref* means: as an id, in another form, or by title; or empty."""
        if ref in self.ids and ref[0] in letters:
            return ref
        former = {self._aliases[key] for letter in letters if (key := (letter, _comparable(ref))) in self._aliases}
        if len(former) == 1:
            return former.pop()
        return self._by_form(ref, letters) or self._by_words(ref, letters)

    def _by_form(self, ref: str, letters: str) -> str:
        found = _FORM.match(ref)
        if found is None:
            return ""
        written, number = found[1].upper(), found[2]
        if len(written) == 1 and written in letters:
            return f"{written}{number}" if f"{written}{number}" in self.ids else ""
        # a bare number, or a prefix that is no table's (WP 12), names a row of the first table that can be meant
        alone = not (len(written) == 1 and written in LETTERS) and found.end() == len(ref)
        return f"{letters[0]}{number}" if alone and f"{letters[0]}{number}" in self.ids else ""

    def _by_words(self, ref: str, letters: str) -> str:
        wanted = words(ref)
        start = " ".join(wanted)
        if len(start) < _LEAST_WORDS:
            return ""
        scores: dict[str, float] = {}
        for letter in letters:
            for each, own in self._titles[letter]:
                shared = len(set(wanted) & set(own)) / len(set(wanted) | set(own))
                begins = " ".join(own).startswith(start) or start.startswith(" ".join(own) or "\0")
                scores[each] = 1 + shared if begins else shared
        best = max(scores.values(), default=0)
        named = [each for each, score in scores.items() if score == best]
        return named[0] if len(named) == 1 and best >= _LEAST_SHARED else ""


def resolved(spine: Spine, aliases: Aliases, notes: Notes) -> Spine:
    """Return *spine* with each reference replaced by the id that it means, or removed."""
    names = Names(spine, aliases)
    return mapped(spine, lambda row: _resolved(row, names, spine, notes))


def _resolved(row: r.Row, names: Names, spine: Spine, notes: Notes) -> r.Row:
    def change(path: str, ref: str) -> str:
        found = names.find(ref, REFERENCES[type(row)][path])
        found = "" if found == row.id else found
        if not found and path == "owner" and spine.roles:
            found = spine.roles[0].id
        if found != ref:
            notes.append(f"{row.id}: {path} named {ref!r}; " + (f"{found} is meant." if found else "removed."))
        return found

    return redirected(_with_packages(row, names, spine, notes), change)


def _with_packages(row: r.Row, names: Names, spine: Spine, notes: Notes) -> r.Row:
    """Return *row* with each deliverable replaced by its last packages, where their end counts."""
    changes: dict[str, list[str]] = {}
    for field in _ENDS:
        if REFERENCES.get(type(row), {}).get(field, "").startswith("P"):
            old = getattr(row, field)
            new = [each for ref in old for each in (_last_packages(ref, names, spine) or [ref])]
            if new != old:
                changes[field] = shortened(type(row), field, new, row.id, notes)
                notes.append(f"{row.id}: {field} names the last packages of a deliverable in its place.")
    return row.model_copy(update=changes) if changes else row


def _last_packages(ref: str, names: Names, spine: Spine) -> list[str]:
    deliverable = names.find(ref, "V") if ref[:1].upper() == "V" and not names.find(ref, "P") else ""
    parts = [p for p in spine.packages if deliverable and names.find(p.deliverable, "V") == deliverable]
    needed = {names.find(need.id, "P") for p in parts for need in p.needs}
    return [p.id for p in parts if p.id not in needed]
