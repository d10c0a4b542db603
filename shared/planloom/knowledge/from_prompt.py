"""What follows from each signal of a prompt: rows of ``from_prompt.toml``, their templates filled."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from planloom.knowledge.brief import Brief
from planloom.knowledge.signals import Signal, signals


@dataclass(frozen=True)
class PromptRow:
    """A row that a signal calls: its texts are filled; numbers and lists are as in the table."""

    signal: Signal
    cells: Mapping[str, Any]

    def __getitem__(self, name: str) -> str:
        """Return the text *name*."""
        return str(self.cells[name])


def prompt_rows(brief: Brief, table: str) -> tuple[PromptRow, ...]:
    """Return the rows of *table* that the prompt of *brief* calls.

    Tables: risks, assumptions, premises, blockers, stops, steps, levers.
    In order of the weight of their signals; rows of equal weight in the order in which the prompt speaks.
    """
    called = signals(brief)
    found = []
    for row in _table()[table]:
        mine = [signal for signal in called if signal.name in row["signals"]][: row.get("most")]
        cells = {key: value for key, value in row.items() if key not in ("signals", "most")}
        found += [PromptRow(s, {key: _filled(s, value) for key, value in cells.items()}) for s in mine]
    return tuple(sorted(found, key=lambda row: (-row.signal.weight, called.index(row.signal))))


def _filled(signal: Signal, value: Any) -> Any:
    if isinstance(value, list):
        return [_filled(signal, each) for each in value]
    if isinstance(value, dict):
        return {key: _filled(signal, each) for key, each in value.items()}
    return signal.fill(value) if isinstance(value, str) and "{" in value else value


@cache
def _table() -> dict[str, list[dict[str, Any]]]:
    return tomllib.loads((files(__package__) / "from_prompt.toml").read_text(encoding="utf-8"))
