"""Implementation plans to look at: a small one of several groups, a long one, and one full of markup."""

from typing import Any

HOSTILE = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>\'];alert(1)//'

KINDS = ["discovery", "design", "implementation", "refactor", "testing", "migration", "rollout", "docs", "verification"]
STATUSES = ["done", "done", "doing", "todo", "blocked", "todo"]


def step(number: int, kind: str, title: str, after: list[int], group: str, status: str = "todo") -> dict[str, Any]:
    """Return one step with a target, an action and a verification."""
    path = f"src/{group.lower().replace(' ', '_')}/part_{number}.py"
    return {
        "id": f"S{number}",
        "kind": kind,
        "title": title,
        "intent": f"So that everything after it can rely on this: {title.lower()}.",
        "dependsOn": [f"S{each}" for each in after],
        "targets": [{"type": "path", "value": path}],
        "actions": [{"type": "edit_file", "path": path, "instruction": title}],
        "verification": [{"type": "run_command", "command": "make test", "expect": "success"}],
        "ui": {"status": status, "group": group},
    }


def plan(title: str, goal: str, steps: list[dict[str, Any]]) -> dict[str, Any]:
    """Return a valid plan of *steps*."""
    return {
        "schemaVersion": "1.0.0",
        "title": title,
        "goal": goal,
        "planType": "feature",
        "context": {"repo": "example/shop", "ref": "main", "stack": ["python 3.13", "react 19"]},
        "constraints": {
            "nonGoals": ["A new payment provider"],
            "compat": ["The first version of the API answers as before"],
            "qualityGates": ["tests_green", "lint_green"],
        },
        "acceptanceCriteria": ["A cart survives a reload", "A checkout takes less than two seconds"],
        "risks": [
            {
                "id": "R1",
                "level": "high",
                "title": "Carts are lost while the table is migrated",
                "mitigation": "Write to both tables for a week and compare them every night",
            }
        ],
        "steps": steps,
    }


def cart() -> dict[str, Any]:
    """Return a plan of ten steps in four groups, a year in the life of a small team."""
    return plan(
        "Keep the cart when the page is reloaded",
        "People who come back to the shop find their cart as they left it, for thirty days, on the same device.\n\n"
        "Today it lives in memory, and is gone with the tab.",
        [
            step(1, "discovery", "Find every place that reads the cart", [], "Prepare", "done"),
            step(2, "design", "Decide how a cart is keyed and how long it is kept", [1], "Prepare", "done"),
            step(3, "migration", "Add the table of carts and write to both", [2], "Storage", "doing"),
            step(4, "implementation", "Read carts from the new table behind a flag", [3], "Storage"),
            step(5, "refactor", "Move the calculation of prices out of the controller", [1], "Checkout", "blocked"),
            step(6, "implementation", "Show the kept cart on every page", [4, 5], "Checkout"),
            step(7, "testing", "Test a reload, a second tab and a lost connection", [6], "Checkout"),
            step(8, "rollout", "Turn the flag on for one percent, then for all", [7], "Release"),
            step(9, "docs", "Say in the guide how long a cart is kept", [6], "Release"),
            step(10, "verification", "Measure a checkout before and after", [8], "Release"),
        ],
    )


def long(count: int = 300) -> dict[str, Any]:
    """Return a plan of *count* steps in six groups, connected as far as a chain of forty."""
    steps = []
    for number in range(1, count + 1):
        after = sorted({each for each in (number - 7, number - 11 if number % 3 == 0 else 0) if each > 0})
        kind, status = KINDS[number % len(KINDS)], STATUSES[number % len(STATUSES)]
        steps.append(
            step(number, kind, f"Move module {number} to the new storage", after, f"Area {number % 6 + 1}", status)
        )
    return plan("Move three hundred modules", "All of them, in an order that never breaks the build.", steps)


def hostile() -> dict[str, Any]:
    """Return a plan whose every text is markup that would run."""
    found = step(1, "docs", HOSTILE, [], HOSTILE)
    return plan(HOSTILE, HOSTILE, [found | {"intent": HOSTILE, "notes": HOSTILE}])
