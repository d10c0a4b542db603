"""A graph of tool calls from the steps of an implementation plan that name tools.

The schema of plans has no field for tools: a plan names them in ``metadata.tools``, by step:
``{"S3": {"tool": "deploy", "server": "ops", "args": {...}}}``. Other steps are left out, and what waits for them waits
for what they wait for.
"""

from collections.abc import Mapping
from typing import Any

from planloom.core.errors import InvalidArgument
from planloom.planes.implementation.document.schema import Document

#: Fields of a tool in the metadata that a step of a graph has too.
FIELDS = ("tool", "server", "args", "result_variable", "timeout_sec", "idempotent", "when", "for_each")


def graph_of(plan: Document) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return a graph of the steps that are not done and name a tool, and the ids of the others that were left out.

    Raises InvalidArgument where no step names a tool. What the tools are is checked when the graph is created.
    """
    tools = _tools(plan)
    steps = {step["id"]: step for step in plan["steps"]}
    chosen = {name for name in tools if name in steps and steps[name]["ui"]["status"] != "done"}
    if not chosen:
        raise InvalidArgument(
            'No step that is not done names a tool. Name tools in metadata.tools: {"S1": {"tool": "...", "args": {}}}.',
            field="plan_id",
        )
    before = {name: sorted(_before(name, steps, chosen), key=lambda each: int(each[1:])) for name in chosen}
    graph = {
        "title": plan["title"],
        "steps": [
            {
                "index": step["id"],
                "title": step["title"],
                "depends_on": before[step["id"]],
                **{field: tools[step["id"]][field] for field in FIELDS if field in tools[step["id"]]},
            }
            for step in plan["steps"]
            if step["id"] in chosen
        ],
    }
    left = tuple(step["id"] for step in plan["steps"] if step["id"] not in chosen)
    return graph, left


def _tools(plan: Document) -> dict[str, Mapping[str, Any]]:
    found = plan.get("metadata", {}).get("tools")
    if not isinstance(found, dict):
        return {}
    return {name: each for name, each in found.items() if isinstance(each, dict) and isinstance(each.get("tool"), str)}


def _before(name: str, steps: Mapping[str, Document], chosen: set[str]) -> set[str]:
    """Return the chosen steps that *name* waits for, also through steps that are not chosen."""
    found: set[str] = set()
    seen: set[str] = set()
    todo = list(steps[name]["dependsOn"])
    while todo:
        need = todo.pop()
        if need in chosen:
            found.add(need)
        elif need in steps and need not in seen:
            seen.add(need)
            todo += steps[need]["dependsOn"]
    return found
