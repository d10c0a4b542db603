"""What a planner would want to hear of a plan that may be stored nevertheless: warnings."""

from collections.abc import Iterator, Mapping
from functools import cache

from planloom.planes.implementation.document.findings import Finding, pointer, shown
from planloom.planes.implementation.document.payloads import (
    ACTION_FIELDS,
    VERIFICATION_FIELDS,
    leaves_repository,
    writes,
)
from planloom.planes.implementation.document.schema import Document, definition
from planloom.planes.implementation.document.steps import Step, StepGraph

#: Kinds of steps whose result is read, not run.
_READ_ONLY_KINDS = frozenset({"discovery", "design", "docs"})
#: Below ``steps``; a pointer is written only where something is found.
_Place = tuple[int | str, ...]
_PATH_FIELDS = ("path", "fromPath", "toPath", "glob")


def advice(plan: Document, steps: list[Step], graph: StepGraph) -> Iterator[Finding]:
    """Yield the warnings for *plan*, which fits the schema but may break rules."""
    yield from _of_plan(plan)
    yield from _of_graph(graph)
    for step in steps:
        yield from _of_step(step, graph)
        yield from _payloads(step)
        yield from _paths(step)
    yield from _parallel_edits(graph)


def _of_plan(plan: Document) -> Iterator[Finding]:
    if not any(text.strip() for text in plan.get("acceptanceCriteria", ())):
        yield Finding(
            pointer("acceptanceCriteria"),
            "NO_ACCEPTANCE_CRITERIA",
            "The goal has no acceptance criteria.",
            "Say in acceptanceCriteria how somebody else sees that the goal is reached.",
        )
    seen = set()
    for index, risk in enumerate(plan.get("risks", ())):
        if risk["id"] in seen:
            path = pointer("risks", index, "id")
            yield Finding(path, "DUPLICATE_RISK_ID", f"There is another risk {risk['id']}.", "Number the risks.")
        seen.add(risk["id"])


def _of_graph(graph: StepGraph) -> Iterator[Finding]:
    for name in graph.orphans():
        yield Finding(
            pointer("steps", graph.steps[name].index),
            "ORPHAN_STEP",
            f"{name} waits for no step, and none waits for it.",
            "Connect it by dependsOn, or give it a plan of its own.",
        )
    for name in graph.blocked():
        yield Finding(
            pointer("steps", graph.steps[name].index),
            "UNREACHABLE_STEP",
            f"{name} can never start: it waits, through others, for a circle or for a step that is not there.",
            "Correct the dependency that the errors name.",
        )


def _of_step(step: Step, graph: StepGraph) -> Iterator[Finding]:
    fields = step.fields
    if not fields["verification"] and fields["kind"] not in _READ_ONLY_KINDS:
        yield Finding(
            pointer("steps", step.index, "verification"),
            "NO_VERIFICATION",
            f"Nothing verifies {step.id}, a step of kind {fields['kind']}.",
            "Add a command to run or a test to write.",
        )
    open_ = [name for name in step.after if name in graph.steps and graph.steps[name].fields["ui"]["status"] != "done"]
    if fields["ui"]["status"] == "done" and open_:
        yield Finding(
            pointer("steps", step.index, "ui", "status"),
            "DONE_BEFORE_DEPENDENCY",
            f"{step.id} is done, while {open_[0]}, which it waits for, is not.",
            "Correct one of the two states, or the dependency.",
        )


def _payloads(step: Step) -> Iterator[Finding]:
    groups: tuple[tuple[str, str, Mapping[str, frozenset[str]]], ...] = (
        ("actions", "action", ACTION_FIELDS),
        ("verification", "verification", VERIFICATION_FIELDS),
    )
    for group, kind, used in groups:
        for index, payload in enumerate(step.fields[group]):
            yield from _payload((step.index, group, index), kind, payload, used[payload["type"]])


def _payload(at: _Place, kind: str, payload: Document, used: frozenset[str]) -> Iterator[Finding]:
    needed = _needed(kind, payload["type"])
    for name, value in payload.items():
        if name != "type" and name not in used:
            message = f"{payload['type']} does not use {name}."
            yield Finding(pointer("steps", *at, name), "UNUSED_FIELD", message, "Leave it out, or choose another type.")
        elif name in needed and isinstance(value, str) and not value.strip():
            yield Finding(
                pointer("steps", *at, name), "EMPTY_FIELD", f"{name} is empty.", f"{payload['type']} needs it."
            )


@cache
def _needed(kind: str, type_: str) -> tuple[str, ...]:
    conditions = definition(kind)["allOf"]
    fits = (each["then"]["required"] for each in conditions if each["if"]["properties"]["type"]["const"] == type_)
    return tuple(next(fits, ()))


def _paths(step: Step) -> Iterator[Finding]:
    for at, value in _named_paths(step):
        if leaves_repository(value):
            yield Finding(
                pointer("steps", *at),
                "OUTSIDE_REPOSITORY",
                f"'{shown(value)}' is outside the repository.",
                "Name paths from the root of the repository.",
            )
    for index, target in enumerate(step.fields.get("targets", ())):
        lines = target.get("lines", (1, 1))
        if lines[0] > lines[1]:
            path = pointer("steps", step.index, "targets", index, "lines")
            yield Finding(path, "REVERSED_LINES", f"Line {lines[0]} comes after line {lines[1]}.", "First, then last.")


def _named_paths(step: Step) -> Iterator[tuple[_Place, str]]:
    for index, target in enumerate(step.fields.get("targets", ())):
        if target["type"] in ("path", "path_glob"):
            yield (step.index, "targets", index, "value"), target["value"]
    for group in ("actions", "verification"):
        for index, payload in enumerate(step.fields[group]):
            for field in _PATH_FIELDS:
                if payload.get(field):
                    yield (step.index, group, index, field), payload[field]


def _parallel_edits(graph: StepGraph) -> Iterator[Finding]:
    """Warn of steps without a path between them that write the same file.

    Steps in an order in which each follows what it waits for are a chain exactly if neighbours are: one look each.
    """
    last: dict[str, str] = {}
    for name in graph.order:
        step = graph.steps[name]
        for at, file in _written(step):
            before = last.get(file, name)
            if before != name and not graph.comes_before(before, name):
                yield Finding(
                    pointer("steps", *at),
                    "PARALLEL_EDIT",
                    f"{before} and {name} both write {shown(file)}, and neither waits for the other.",
                    "Let one wait for the other, or join them.",
                )
            last[file] = name


def _written(step: Step) -> Iterator[tuple[_Place, str]]:
    for index, action in enumerate(step.fields["actions"]):
        for field, file in writes(action):
            yield (step.index, "actions", index, field), file
