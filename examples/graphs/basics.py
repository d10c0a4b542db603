"""Check a graph, draw it, keep it in a folder and find it again: ``python -m examples.graphs.basics``."""

import tempfile

from examples.graphs.demo_tools import REFACTOR, DemoTools
from planloom.graphs import PlanningContext, compute_batches, mermaid, render_plan_dag, validate


def main() -> None:
    """Print what happens."""
    print(render_plan_dag(REFACTOR))
    print("\nBatches:", [[step["index"] for step in batch] for batch in compute_batches(REFACTOR["steps"])])
    wrong = REFACTOR | {
        "steps": [*REFACTOR["steps"], {"index": "5", "tool": "deploy", "args": {}, "depends_on": ["9"]}]
    }
    for problem in validate(wrong):
        print(f"{problem.code} at {problem.path}: {problem.message} {problem.hint}")
    with tempfile.TemporaryDirectory() as folder:
        context = PlanningContext(DemoTools(), folder)
        plan_id = context.save_plan(REFACTOR)
        print("\nSaved:", [plan["id"] for plan in context.list_plans()])
        print("Found by the beginning of its id:", context.load_plan("refactor")["title"])
        context.delete_plan(plan_id)
        print("Left after deleting it:", context.list_plans())
    print(f"\n{mermaid(REFACTOR)}")


if __name__ == "__main__":
    main()
