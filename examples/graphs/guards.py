"""Budgets, caps and repeated calls: a call that a guard blocks is never made: ``python -m examples.graphs.guards``."""

import asyncio
import tempfile

from examples.graphs.demo_tools import REFACTOR, DemoTools
from planloom.graphs import Budget, Guards, PlanningContext, PlanRunner


async def main() -> None:
    """Print what happens."""
    for title, guards in (
        ("a budget of two calls", Guards(budget=Budget(2))),
        ("no write at all", Guards(per_tool={"write_file": 0})),
        ("no limits", Guards()),
    ):
        tools = DemoTools()
        with tempfile.TemporaryDirectory() as folder:
            result = await PlanRunner(PlanningContext(tools, folder, guards)).execute_plan(REFACTOR)
        print(f"{title}: {tools.calls} calls, {result.error or 'everything ran'}")
        print(f"  recorded: {dict(guards.calls)}")


if __name__ == "__main__":
    asyncio.run(main())
