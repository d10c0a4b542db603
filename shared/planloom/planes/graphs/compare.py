"""How two revisions of a graph differ, step by step."""

from collections.abc import Mapping
from typing import Any

from planloom.planes.graphs.responses import GraphDifference


def difference(before: Mapping[str, Any], after: Mapping[str, Any], compared_with: int) -> GraphDifference:
    """Return how the stored graph *after* differs from *before*, which is revision *compared_with*."""
    old, new = _steps(before), _steps(after)
    changed = {index: _differing(old[index], new[index]) for index in new if index in old and old[index] != new[index]}
    return GraphDifference(
        compared_with=compared_with,
        added=[index for index in new if index not in old],
        removed=[index for index in old if index not in new],
        changed=changed,
        variables=_differing(before.get("variables", {}), after.get("variables", {})),
    )


def _steps(graph: Mapping[str, Any]) -> dict[str, Any]:
    return {step["index"]: step for step in graph.get("steps", [])}


def _differing(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    return [name for name in sorted({**before, **after}) if before.get(name, ...) != after.get(name, ...)]
