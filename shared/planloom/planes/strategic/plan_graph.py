"""A plan as a graph: its steps, what waits for what, the state of each and what it made; and the same as Mermaid."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime
from typing import Literal

from planloom.core.artifacts import Artifact
from planloom.core.frozen import Frozen
from planloom.planes.strategic.pipeline_map import Step, steps_of
from planloom.planes.strategic.plans import Plan
from planloom.planes.strategic.step_paths import step_of
from planloom.planes.strategic.steps import StepRecord

NodeState = Literal["waiting", "running", "finished", "skipped", "failed"]

_COLOURS: dict[NodeState, str] = {
    "waiting": "fill:#f3f4f6,stroke:#9ca3af,color:#374151",
    "running": "fill:#dbeafe,stroke:#2563eb,color:#1e3a8a",
    "finished": "fill:#dcfce7,stroke:#16a34a,color:#14532d",
    "skipped": "fill:#ecfccb,stroke:#65a30d,color:#365314",
    "failed": "fill:#fee2e2,stroke:#dc2626,color:#7f1d1d",
}


class Node(Frozen):
    """A step of a plan; times are those of its last work, ``files`` what it made."""

    step: str
    name: str
    title: str
    state: NodeState
    started_at: datetime | None = None
    ended_at: datetime | None = None
    files: tuple[str, ...] = ()


class Graph(Frozen):
    """Nodes in order of number; an edge leads from a step to one that waits for it, both by name."""

    nodes: tuple[Node, ...]
    edges: tuple[tuple[str, str], ...]


def graph_of(plan: Plan, records: Iterable[StepRecord], files: Iterable[Artifact]) -> Graph:
    """Return the graph of *plan* with the finished steps in *records* and its *files*.

    Of a plan of another version of the pipeline it shows the finished steps alone, without edges.
    """
    finished = {record.key: record for record in records}
    made: dict[str, list[str]] = defaultdict(list)
    for file in files:
        made[step_of(file.path)].append(file.path)
    steps = steps_of(plan) or tuple(_step(record) for _, record in sorted(finished.items()))
    return Graph(
        nodes=tuple(_node(plan, step, finished.get(step.key), made[step.key]) for step in steps),
        edges=tuple((need, step.name) for step in steps for need in step.needs),
    )


def mermaid_of(graph: Graph) -> str:
    """Return *graph* as a Mermaid flowchart, coloured by state."""
    keys = {node.name: step_of(node.step) for node in graph.nodes}
    # titles are ours, but quotation marks would end the label
    boxes = (f'  s{keys[n.name]}["{keys[n.name]} {n.title.replace(chr(34), "")}"]:::{n.state}' for n in graph.nodes)
    arrows = (f"  s{keys[before]} --> s{keys[after]}" for before, after in graph.edges)
    colours = (f"  classDef {state} {colour}" for state, colour in _COLOURS.items())
    return "\n".join(["flowchart LR", *boxes, *arrows, *colours]) + "\n"


def _step(record: StepRecord) -> Step:
    return Step(int(record.key), record.name, record.name.replace("_", " ").capitalize(), ())


def _node(plan: Plan, step: Step, record: StepRecord | None, made: list[str]) -> Node:
    finished = record is not None and step.key in plan.steps_finished
    begun = plan.steps_started.get(step.key)
    return Node(
        step=step.step,
        name=step.name,
        title=step.title,
        state=_state(plan, step, record if finished else None),
        started_at=record.started_at if finished and record else begun,
        ended_at=record.ended_at if finished and record else None,
        files=tuple(made),
    )


def _state(plan: Plan, step: Step, record: StepRecord | None) -> NodeState:
    begun = step.key in plan.steps_started
    if record is not None:
        # made by an earlier run; this one came by and found it as it should be
        return "skipped" if record.run < plan.run and begun else "finished"
    if plan.failure and plan.failure.failed_step == step.step:
        return "failed"
    return "running" if begun and plan.state == "processing" else "waiting"
