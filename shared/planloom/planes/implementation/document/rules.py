"""The rules that a schema cannot say and that keep a plan from being stored: ids, dependencies, circles."""

from collections.abc import Iterator, Sequence

from planloom.planes.implementation.document.findings import Finding, pointer
from planloom.planes.implementation.document.steps import Step, StepGraph

#: Enough to find one's way; a longer cycle is named by its first and last steps.
_NAMED = 12


def rule_findings(steps: Sequence[Step], graph: StepGraph) -> Iterator[Finding]:
    """Yield an error for each broken rule."""
    yield from _duplicates(steps, graph)
    yield from _unknown_dependencies(steps, graph)
    yield from _cycles(graph)


def _duplicates(steps: Sequence[Step], graph: StepGraph) -> Iterator[Finding]:
    for step in steps:
        first = graph.steps[step.id]
        if first is not step:
            message = f"Steps {first.index} and {step.index} (counted from 0) both have the id {step.id}."
            yield Finding(
                pointer("steps", step.index, "id"), "DUPLICATE_STEP_ID", message, f"{_free_id(graph)} is free."
            )


def _unknown_dependencies(steps: Sequence[Step], graph: StepGraph) -> Iterator[Finding]:
    for step in steps:
        for name, place in step.after.items():
            path = pointer("steps", step.index, "dependsOn", place)
            if name == step.id:
                yield Finding(path, "SELF_DEPENDENCY", f"{name} waits for itself.", "Remove the dependency.")
            elif name not in graph.steps:
                message = f"{step.id} waits for {name[:40]}, which is no step of this plan."
                yield Finding(path, "UNKNOWN_DEPENDENCY", message, "Add the step, or remove the dependency.")


def _cycles(graph: StepGraph) -> Iterator[Finding]:
    for cycle in graph.cycles:
        step = graph.steps[cycle[0]]
        path = pointer("steps", step.index, "dependsOn", step.after[cycle[1]])
        yield Finding(
            path,
            "DEPENDENCY_CYCLE",
            f"Steps wait for one another in a circle: {_path_text([*cycle, cycle[0]])}.",
            "Remove one of these dependencies: the one that passes nothing on.",
        )


def _path_text(cycle: list[str]) -> str:
    if len(cycle) > _NAMED:
        half = _NAMED // 2
        cycle = [*cycle[:half], f"({len(cycle) - 2 * half} more)", *cycle[-half:]]
    return " waits for ".join(cycle)


def _free_id(graph: StepGraph) -> str:
    numbers = {int(name[1:]) for name in graph.steps if name[1:].isascii() and name[1:].isdigit() and len(name) < 10}
    return f"S{max(numbers, default=0) + 1}"
