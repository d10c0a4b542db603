"""Tools to run graphs with: they count, sleep, fail and echo."""

import asyncio
from collections.abc import Iterable
from typing import Any

Calls = list[tuple[str, dict[str, Any]]]


class Tools:
    """Any object with ``execute_tool`` calls tools; *failing* names tools that raise, with how often (-1: always)."""

    def __init__(self, failing: dict[str, int] | None = None, answers: dict[str, Any] | None = None) -> None:
        self.calls: Calls = []
        self.servers: list[str | None] = []
        self.running = self.most_running = 0
        self._failing = dict(failing or {})
        self._answers = answers or {}

    async def execute_tool(self, name: str, args: dict[str, Any], /, **named: Any) -> Any:
        self.calls.append((name, args))
        self.servers.append(named.get("server"))
        self.running += 1
        self.most_running = max(self.most_running, self.running)
        try:
            await asyncio.sleep(args.get("seconds", 0))
        finally:
            self.running -= 1
        left = self._failing.get(name, 0)
        if left:
            self._failing[name] = left - 1
            raise RuntimeError(f"{name} is broken")
        return self._answers.get(name, {"content": [{"type": "text", "text": f"{name} done"}], "isError": False})

    def names(self) -> list[str]:
        return [name for name, _ in self.calls]


def step(index: str, needs: Iterable[str] = (), **fields: Any) -> dict[str, Any]:
    """A step that calls ``tool<index>``."""
    return {
        "index": index,
        "title": f"Step {index}",
        "tool": f"tool{index}",
        "args": {},
        "depends_on": list(needs),
    } | fields


def graph(*steps: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"id": "g", "title": "A graph", "steps": list(steps)} | fields


DIAMOND = graph(step("1"), step("2", "1"), step("3", "1"), step("4", ["2", "3"]))
