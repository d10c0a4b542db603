"""Markdown tables whose cells cannot break out."""

from collections.abc import Iterable, Sequence


def cell(text: object) -> str:
    """Return *text* on one line with pipes escaped, fit for a table cell."""
    return " ".join(str(text).split()).replace("\\|", "|").replace("|", "\\|")


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a Markdown table; an empty string where there are no rows."""
    lines = ["| " + " | ".join(cell(c) for c in row) + " |" for row in rows]
    if not lines:
        return ""
    return "\n".join([f"| {' | '.join(cell(c) for c in head)} |", f"|{'---|' * len(head)}", *lines, ""])
