"""Dry run, run, failure and resume of a graph: ``python -m examples.graphs.execution``."""

import asyncio
import tempfile

from examples.graphs.demo_tools import REFACTOR, DemoTools
from planloom.graphs import PlanningContext, PlanRunner, StepResult


async def main() -> None:
    """Print what happens."""
    tools = DemoTools()
    with tempfile.TemporaryDirectory() as folder:
        context = PlanningContext(tools, folder)
        context.save_plan(REFACTOR)
        runner = PlanRunner(context, on_step_complete=_show)
        print("Dry run:")
        await runner.execute_plan(REFACTOR, dry_run=True)
        print(f"  tools called: {tools.calls}")
        print("\nRun, while the tests cannot be run:")
        tools.broken.add("run_tests")
        failed = await runner.execute_plan(REFACTOR)
        print(f"  {failed.error}")
        print("\nResume, once they can: what is done is not done again, and running the tests twice does no harm:")
        tools.broken.clear()
        resumed = await runner.resume_plan("refactor-auth-001", on_unknown="retry")
        print(f"  success: {resumed.success}, test results: {resumed.variables['test_results']}")
        print(f"  the module now begins with: {tools.files['src/auth/handler.py'].splitlines()[0]}")


def _show(result: StepResult) -> None:
    state = "not called" if result.dry_run else "done" if result.success else "failed"
    print(f"  {result.step_index}. {result.step_title} {result.args}: {state}")


if __name__ == "__main__":
    asyncio.run(main())
