"""Planners for tests: they return given documents and keep what they were asked."""

from collections.abc import Sequence
from typing import Any

from planloom.core.usage import Usage
from planloom.tools.tool import Catalog


class Scripted:
    """Returns *documents* one after the other; an exception among them is raised."""

    def __init__(self, *documents: Any) -> None:
        self._documents = iter(documents)
        self.asked: list[tuple[str, tuple[str, ...], tuple[str, ...]]] = []
        self.usage = Usage(calls=1)

    async def __call__(self, goal: str, catalog: Catalog, problems: Sequence[str]) -> dict[str, Any]:
        self.asked.append((goal, tuple(catalog.names), tuple(problems)))
        document = next(self._documents)
        if isinstance(document, Exception):
            raise document
        return dict(document)
