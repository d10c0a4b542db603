"""Markdown that stages share: tables and bullets whose cells cannot break out."""

from collections.abc import Iterable, Sequence


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
