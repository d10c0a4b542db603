"""Choose the parts of a report that become separate files, so that the page stays within its size limit."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Literal

#: A browser opens a page of this size within a second, and mail servers accept it. Larger parts become files.
LIMIT_BYTES = 1_000_000
#: The most Markdown that is rendered (about 8 s); of a longer plan the longest texts become Markdown files.
RENDERED_CHARS = 3_000_000
_OPENING = 600


@dataclass(frozen=True)
class Part:
    """A piece of a section: ``html`` safe and with compact tables, None if ``markdown`` is too long to render.

    ``key`` names its file. A ``late`` part is moved only after every other part, or if it fills half of the page.
    """

    key: str
    what: Literal["section", "chart"]
    html: str | None
    markdown: str = ""
    late: bool = False

    @property
    def path(self) -> str:
        """The file that it is moved to."""
        return f"030-3-annex-{self.key}.{'md' if self.html is None else 'html'}"

    @property
    def words(self) -> int:
        """The number of words of its text; words in tags and in the data of compact tables count too."""
        return len((self.markdown or re.sub(r"<[^>]*>|[\[\]\",]", " ", self.html or "")).split())


def too_long(markdowns: Sequence[str]) -> frozenset[int]:
    """Return the positions of the *markdowns* that are not rendered: the longest, until the others fit."""
    found: set[int] = set()
    left = sum(map(len, markdowns))
    for number in sorted(range(len(markdowns)), key=lambda each: -len(markdowns[each])):
        if left <= RENDERED_CHARS:
            break
        found.add(number)
        left -= len(markdowns[number])
    return frozenset(found)


def moved(parts: Iterable[Part], notes: dict[str, str], limit: int) -> frozenset[str]:
    """Return the keys of the parts that become files: the longest, until the others and *notes* take *limit* bytes.

    *notes* (by key) take the place of what is moved. Where even they do not fit, all that is longer than its note is
    moved.
    """
    listed = list(parts)
    gone = {part.key for part in listed if part.html is None}
    sizes = {part.key: len((part.html or "").encode()) for part in listed}
    stubs = {key: len(note.encode()) for key, note in notes.items()}
    used = sum(stubs[part.key] if part.key in gone else sizes[part.key] for part in listed)
    movable = [part for part in listed if part.key not in gone and sizes[part.key] > stubs[part.key]]
    for part in sorted(movable, key=lambda each: (each.late and sizes[each.key] * 2 < limit, -sizes[each.key])):
        if used <= limit:
            break
        gone.add(part.key)
        used += stubs[part.key] - sizes[part.key]
    return frozenset(gone)


def note(part: Part) -> str:
    """Return the note in place of a moved part; page.js makes the name a link if the file can be opened."""
    words = f"has {part.words:,} words; it " if part.what == "section" else ""
    return (
        f'<p class="moved" role="note">This {part.what} {words}is in the file '
        f"<code data-file='{part.path}'>{part.path}</code> of the zip, and of the plan's list of files. Search and "
        f"print of this page leave it out.</p>{_opening(part.markdown)}"
    )


def _opening(markdown: str) -> str:
    """Return the first paragraph of *markdown* as escaped text, clipped; empty if it begins with anything else."""
    for block in re.split(r"\n\s*\n", markdown[:20_000]):
        text = " ".join(re.sub(r"[*_`]", "", block).split())
        if text and text[0] not in "#|->+=0123456789":
            clipped = text if len(text) <= _OPENING else text[:_OPENING].rsplit(" ", 1)[0] + " …"
            return f'<p dir="auto">{escape(clipped)}</p>'
    return ""
