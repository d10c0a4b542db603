"""Draw a graph as text, in batches with the five signs, and as Mermaid."""

from collections.abc import Mapping
from typing import Any

from planloom.planes.graphs.document import Graph, Step
from planloom.planes.graphs.validate import load, step_graph

SIGNS: Mapping[str, str] = {"pending": "○", "running": "◉", "completed": "●", "failed": "✗"}
PARALLEL = "∥"
#: Longer titles are cut.
TITLE = 40


def compute_batches(steps: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Return *steps*, as a plan file writes them, in topological batches; only index and depends_on are read.

    A missing index is assigned by position. Raises ValueError for steps that cannot be ordered: GraphHasCycle names
    the members of a cycle.
    """
    read = ("index", "depends_on")
    # no tool is called, but the document demands one
    order = [{"tool": "any"} | {name: step[name] for name in read if name in step} for step in steps]
    graph = graph_of({"steps": order})
    batches = step_graph(graph).batches()
    by_index = {step.index: given for step, given in zip(graph.steps, steps, strict=True)}
    return [[by_index[index] for index in batch] for batch in batches]


def graph_of(document: Any) -> Graph:
    """Return the graph that *document* is. Raises ValueError where its shape is wrong."""
    if isinstance(document, Graph):
        return document
    graph, problems = load(document)
    if graph is None:
        raise ValueError("; ".join(f"{problem.path or '/'}: {problem.message}" for problem in problems))
    return graph


def render_plan_dag(plan: Any, states: Mapping[str, str] | None = None) -> str:
    """Return *plan* as text: a line for each step, batches apart by an empty line.

    *states* gives the state of steps by index (pending, running, completed, failed): pending where it gives none.
    """
    graph = graph_of(plan)
    by_index = {step.index: step for step in graph.steps}
    blocks = []
    for batch in step_graph(graph).batches():
        lines = (_line(by_index[index], (states or {}).get(index, "pending"), len(batch) > 1) for index in batch)
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks) or "(no steps)"


def _line(step: Step, state: str, parallel: bool) -> str:
    title = step.title or step.tool
    title = title if len(title) <= TITLE else f"{title[: TITLE - 1]}…"
    label = f"{SIGNS.get(state, '○')} {step.index}. {title}"
    line = f"{label:<{TITLE + 6}} {f'[{step.tool}]':<16}"
    if parallel:
        line += f" {PARALLEL}"
    if step.depends_on:
        line += f" ← after: {', '.join(step.depends_on)}"
    return line.rstrip()


def mermaid(plan: Any, states: Mapping[str, str] | None = None) -> str:
    """Return *plan* as a Mermaid flowchart; steps have the class of their state."""
    graph = graph_of(plan)
    ids = {step.index: f"s{number}" for number, step in enumerate(graph.steps)}
    lines = ["flowchart TD"]
    for step in graph.steps:
        state = (states or {}).get(step.index, "pending")
        lines.append(f'  {ids[step.index]}["{_escaped(f"{step.index}. {step.title or step.tool}")}"]:::{state}')
    lines += [f"  {ids[needed]} --> {ids[step.index]}" for step in graph.steps for needed in step.depends_on]
    return "\n".join(lines) + "\n"


def _escaped(text: str) -> str:
    return "".join(char if char.isalnum() or char in " .,:;-_()" else f"#{ord(char)};" for char in text)
