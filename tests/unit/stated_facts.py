"""Facts of the goals that many tests share, set by hand: all that a capable reader finds, more than rules state."""

import json
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from planloom.planes.strategic.facts.fact import Ban, Facts
from planloom.planes.strategic.facts.rules import read_facts

FIELDS = (
    "money", "days", "durations", "quantities", "roles", "closures", "organisations", "demands", "bans", "places",
)  # fmt: skip


def stated_facts(prompt: str, today: date) -> Facts:
    """Return the facts of *prompt*: by hand for a shared goal or a variant of one, else as the rules read them.

    In a variant an item is kept where its words are still there; what the rules state is added where nothing was set.
    """
    facts = read_facts(prompt, today)
    given = next((g for g in _table().values() if prompt.startswith(g["begins"])), None)
    if given is None:
        return facts
    set_by_hand = {name: _items(prompt, given[name], getattr(facts, name)) for name in FIELDS}
    named = {"title": given["title"], "subject": given["subject"]}
    return Facts.model_validate(facts.model_dump() | named | set_by_hand)


def _items(prompt: str, rows: list[dict[str, Any]], read: tuple[Any, ...]) -> list[dict[str, Any]]:
    placed = [item for row in rows if (item := _placed(prompt, row))]
    free = [r for r in read if not any(r.start < p["end"] and p["start"] < r.end for p in placed)]
    unique = {"total", "deadline", "start"} & {p.get("role") for p in placed}
    # a variant may rule out more words
    changed = len(placed) < len(rows) or any(isinstance(r, Ban) and r.kind == "word" for r in free)
    more = [r.model_dump() for r in free if getattr(r, "role", "") not in unique] if changed else []
    return sorted([*placed, *more], key=lambda item: item["start"]) if more else placed


def _placed(prompt: str, row: dict[str, Any]) -> dict[str, Any] | None:
    fields = {name: value for name, value in row.items() if name != "before"}
    at = prompt.find(row["before"] + row["text"])
    at = at + len(row["before"]) if at >= 0 else prompt.find(row["text"])
    return {**fields, "start": at, "end": at + len(row["text"])} if at >= 0 else None


@cache
def _table() -> dict[str, dict[str, Any]]:
    table: dict[str, dict[str, Any]] = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
    return table
