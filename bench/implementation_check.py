"""How long a plan of 500 steps takes to be checked: as it should be, with a circle of three, with a field missing.

python -m bench.implementation_check
"""

import copy
import statistics
import time
from typing import Any

from planloom.planes.implementation.document.format import examples
from planloom.planes.implementation.services.check_implementation_plan import check_implementation_plan

STEPS = 500
ROUNDS = 30


def main() -> None:
    """Measure and print medians in milliseconds."""
    valid = plan_of(STEPS)
    circle = copy.deepcopy(valid)
    circle["steps"][399]["dependsOn"].append("S403")
    circle["steps"][401]["dependsOn"] = ["S400"]
    circle["steps"][402]["dependsOn"] = ["S402"]
    broken = copy.deepcopy(valid)
    del broken["steps"][250]["actions"][0]["instruction"]
    for name, plan in (("valid", valid), ("a circle of three", circle), ("a field missing", broken)):
        found = check_implementation_plan(plan, None)
        messages = "; ".join(error.message for error in found.errors) or "no error"
        print(f"{STEPS} steps, {name}: {_median(plan):.1f} ms ({messages})")


def plan_of(steps: int) -> dict[str, Any]:
    """Return a valid plan of so many steps, each after the one before and one further back, with two actions."""
    plan = copy.deepcopy(examples()[0])
    step = plan["steps"][1]
    action = {"type": "edit_file", "instruction": "Count attempts by account"}
    plan["steps"] = [
        step
        | {
            "id": f"S{n}",
            "dependsOn": sorted({f"S{m}" for m in (n - 1, n - 7) if m > 0}),
            "actions": [{**action, "path": f"app/part_{n}.py"}, {**action, "path": f"app/test_{n}.py"}],
        }
        for n in range(1, steps + 1)
    ]
    return plan


def _median(plan: dict[str, Any]) -> float:
    times = []
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        check_implementation_plan(plan, None)
        times.append((time.perf_counter() - begun) * 1000)
    return statistics.median(times)


if __name__ == "__main__":
    main()
