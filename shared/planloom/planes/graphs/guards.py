"""Guards before a call: a budget of calls, a cap for each tool, and detection of the same call over and over."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Protocol


class CallBudget(Protocol):
    """A number of calls that several runs share; taking one is atomic."""

    def take(self) -> bool:
        """Take one call; return False where none is left."""


@dataclass
class Budget:
    """A budget in this process: *most* calls."""

    most: int
    taken: int = 0

    def take(self) -> bool:
        """Take one call; return False where none is left."""
        if self.taken >= self.most:
            return False
        self.taken += 1
        return True

    @property
    def left(self) -> int:
        """Calls that may still be made."""
        return self.most - self.taken


@dataclass
class Guards:
    """What a run may call; None means no limit. ``repeats``: how often an equal call is admitted.

    ``budget`` may be shared by several runs. ``calls`` counts by tool; ``bindings`` hold recorded results.
    """

    budget: CallBudget | None = None
    per_tool: Mapping[str, int] = field(default_factory=dict)
    repeats: int | None = 10
    calls: Counter[str] = field(default_factory=Counter)
    bindings: dict[str, Any] = field(default_factory=dict)
    _same: Counter[str] = field(default_factory=Counter)

    def admit(self, tool: str, args: Mapping[str, Any]) -> str | None:
        """Count the call and return None, or return why it may not be made; then nothing is counted."""
        cap = self.per_tool.get(tool)
        if cap is not None and self.calls[tool] >= cap:
            return f"The tool “{tool}” has reached its cap of {cap} calls in this run."
        key = call_key(tool, args)
        if self.repeats is not None and self._same[key] >= self.repeats:
            return f"The same call of “{tool}” with the same arguments was made {self.repeats} times: it looks endless."
        if self.budget is not None and not self.budget.take():
            return "The budget of calls is used up."
        self.calls[tool] += 1
        self._same[key] += 1
        return None

    def replay(self, tool: str, key: str, calls: int) -> None:
        """Count *calls* that were made before, by an earlier worker of the run; *key* is :func:`call_key`."""
        self.calls[tool] += calls
        self._same[key] += calls
        if isinstance(self.budget, Budget):
            self.budget.taken += calls

    def record(self, tool: str, args: Mapping[str, Any], result: Any) -> None:
        """Bind *result* to the call, as ``v1``, ``v2`` and so on."""
        self.bindings[f"v{len(self.bindings) + 1}"] = {"tool": tool, "args": dict(args), "value": result}


def call_key(tool: str, args: Mapping[str, Any]) -> str:
    """Return what equal calls have in common."""
    try:
        text = json.dumps([tool, args], sort_keys=True, default=str)
    except (TypeError, ValueError):
        # in a program arguments may be what is no JSON, such as keys of several types
        text = repr((tool, args))
    return sha256(text.encode()).hexdigest()
