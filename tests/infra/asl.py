"""Reads the state machine the way Step Functions walks it, for the tests that hold it to the registry."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

PATH = Path(__file__).parents[2] / "statemachine" / "plan_pipeline.asl.yaml"

States = dict[str, dict[str, Any]]


def load() -> dict[str, Any]:
    """Return the state machine as Python values, anchors resolved."""
    return yaml.safe_load(PATH.read_text())


@dataclass(frozen=True)
class Visit:
    """A stage on the way, and the stages that have ended for certain when it starts."""

    stage: str
    ended: frozenset[str]


def stage_of(state: dict[str, Any]) -> str:
    """Return the stage that a task runs, from its placeholder."""
    return state["Parameters"]["FunctionName"].removeprefix("${stage_").removesuffix("}")


def visits(target: str) -> list[Visit]:
    """Return the stages that a run for *target* passes, in the order of the walk."""
    machine = load()
    states = machine["States"]
    first = states[machine["StartAt"]]
    choices = {rule["StringEquals"]: rule["Next"] for rule in first["Choices"] if rule["Variable"] == "$.target"}
    return list(_walk(states, choices.get(target, first["Default"]), frozenset()))


def tasks(states: States | None = None) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every task with its name, at any level."""
    for name, state, _ in every_state(states):
        if state["Type"] == "Task":
            yield name, state


def every_state(states: States | None = None, top: bool = True) -> Iterator[tuple[str, dict[str, Any], bool]]:
    """Yield every state with its name, and whether it is at the top level."""
    for name, state in (load()["States"] if states is None else states).items():
        yield name, state, top
        for branch in state.get("Branches", ()):
            yield from every_state(branch["States"], top=False)


def _walk(states: States, name: str | None, ended: frozenset[str]) -> Iterator[Visit]:
    while name is not None:
        state = states[name]
        if state["Type"] == "Task":
            yield Visit(stage_of(state), ended)
            ended |= {stage_of(state)}
        elif state["Type"] == "Parallel":
            inside = [v for b in state["Branches"] for v in _walk(b["States"], b["StartAt"], ended)]
            yield from inside
            ended |= {visit.stage for visit in inside}
        name = state.get("Next")
