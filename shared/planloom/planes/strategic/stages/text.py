"""Markdown that stages share: tables and bullets whose cells cannot break out."""

import re
from collections.abc import Iterable, Sequence

#: A short name has no more letters than these.
MOST_LETTERS = 60
_HEADING = re.compile(r"(#{1,6})\s+(.*)")


def cell(text: object) -> str:
    """Return *text* on one line with pipes escaped, fit for a table cell."""
    return " ".join(str(text).split()).replace("|", "\\|")


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a Markdown table; an empty string where there are no rows."""
    lines = ["| " + " | ".join(cell(c) for c in row) + " |" for row in rows]
    if not lines:
        return ""
    return "\n".join([f"| {' | '.join(head)} |", f"|{'---|' * len(head)}", *lines, ""])


def bullets(items: Iterable[object]) -> str:
    """Return *items* as a Markdown list."""
    return "".join(f"- {' '.join(str(item).split())}\n" for item in items)


def ended(text: str) -> str:
    """Return *text* with a closing stop, unless it has one or was cut with an ellipsis."""
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."


def shortened(name: str) -> str:
    """Return *name* up to MOST_LETTERS, at the end of a part of it or of a word, without the stop."""
    name = name.replace("|", "/").rstrip(".")
    if len(name) <= MOST_LETTERS:
        return name
    cut = name[: MOST_LETTERS + 1]
    part = re.match(r".{20,}(?=[,;:(–](?!\d))", cut)
    return (part[0] if part else cut.rpartition(" ")[0] or cut).rstrip(" ,;:(–")


def demoted(markdown: str, top: int = 2) -> str:
    """Return *markdown* with its highest heading at level *top*, the others as far below it as they were, at most 6.

    Lines within fences are no headings.
    """
    lines, fenced = [], False
    for line in markdown.splitlines():
        fenced ^= line.lstrip().startswith(("```", "~~~"))
        lines.append((line, None if fenced else _HEADING.match(line)))
    levels = [len(found[1]) for _, found in lines if found]
    shift = top - min(levels, default=top)
    return "\n".join(
        f"{'#' * min(max(len(found[1]) + shift, 1), 6)} {found[2]}" if found else line for line, found in lines
    )
