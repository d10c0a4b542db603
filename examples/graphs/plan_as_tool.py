"""Give a model the three plan tools: ``python -m examples.graphs.plan_as_tool``.

The planner here returns a fixed graph, as a model would after reading the tools: no key is needed. With your own, pass
an async function of goal, catalog and problems that asks a model.
"""

import asyncio
import json
import tempfile
from collections.abc import Sequence
from typing import Any

from examples.graphs.demo_tools import REFACTOR, DemoTools
from planloom.graphs import PlanningContext, get_plan_tools_as_dicts, handle_plan_tool
from planloom.tools.tool import Catalog


async def planner(goal: str, catalog: Catalog, problems: Sequence[str]) -> dict[str, Any]:
    """Return a graph for *goal* made of the tools of *catalog*; *problems* say what was wrong with the one before."""
    assert set(catalog.names) >= {step["tool"] for step in REFACTOR["steps"]}, problems
    return {name: value for name, value in REFACTOR.items() if name != "id"} | {"title": goal}


async def main() -> None:
    """Print what a model would be given and what it would get back."""
    print("Tools for the model:", [tool["function"]["name"] for tool in get_plan_tools_as_dicts()])
    with tempfile.TemporaryDirectory() as folder:
        context = PlanningContext(DemoTools(), folder, planner=planner)
        goal = "Read the auth module, find its users, rewrite it and run the tests"
        for call, arguments in (
            ("plan_create", {"goal": goal}),
            ("plan_create_and_execute", {"goal": goal}),
            ("plan_execute", {}),
        ):
            answer = json.loads(await handle_plan_tool(call, arguments, context))
            print(f"\n{call}: {json.dumps(answer, indent=2)[:600]}")


if __name__ == "__main__":
    asyncio.run(main())
