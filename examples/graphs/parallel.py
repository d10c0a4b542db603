"""Steps that need nothing of each other run at once: ``python -m examples.graphs.parallel``."""

import asyncio
import tempfile

from examples.graphs.demo_tools import DemoTools
from planloom.graphs import PlanningContext, PlanRunner

SECONDS = 0.2


def _step(index: str, *needs: str) -> dict[str, object]:
    return {"index": index, "title": f"Step {index}", "tool": "run_tests", "args": {"path": index}, "depends_on": needs}


DIAMOND = {"id": "diamond", "steps": [_step("1"), _step("2", "1"), _step("3", "1"), _step("4", "2", "3")]}
FAN = {"id": "fan", "steps": [_step(str(number)) for number in range(8)]}


async def main() -> None:
    """Print what happens."""
    with tempfile.TemporaryDirectory() as folder:
        context = PlanningContext(DemoTools(SECONDS), folder)
        runs = (("diamond", DIAMOND, 4, 4), ("fan of 8", FAN, 4, 8), ("fan of 8", FAN, 8, 8))
        for title, plan, most, one_by_one in runs:
            result = await PlanRunner(context, max_concurrency=most).execute_plan(plan)
            seconds = f"{result.total_duration:.2f} s instead of {one_by_one * SECONDS:.1f} s one by one"
            print(f"{title}, at most {most} at once: {seconds}")


if __name__ == "__main__":
    asyncio.run(main())
