"""What a run of a graph would take: its calls, which of them are destructive, and its time by the history of runs."""

import heapq
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import median
from typing import Any

from planloom.planes.graphs.approve import is_destructive
from planloom.planes.graphs.document import Graph, Step
from planloom.planes.graphs.validate import step_graph
from planloom.planes.graphs.variables import resolve
from planloom.runs.records import StepRecord
from planloom.tools.tool import Catalog


@dataclass(frozen=True)
class Quote:
    """``calls`` at least; ``open_ended`` steps make one for each item of a list that is not known before the run.

    ``retries`` is how many more calls there may be. ``seconds`` is None where no step was ever run; it counts steps
    without a history (``unmeasured``) with the median of the others.
    """

    steps: int
    calls: int
    retries: int
    conditional: tuple[str, ...]
    open_ended: tuple[str, ...]
    destructive: tuple[str, ...]
    seconds: float | None
    measured_runs: int
    unmeasured: tuple[str, ...]


def quote(
    graph: Graph, catalog: Catalog, variables: Mapping[str, Any], history: Iterable[Mapping[str, StepRecord]], most: int
) -> Quote:
    """Return what a run with *variables* takes, with *most* steps at once; *history* are records of runs, by step."""
    known = {**graph.variables, **variables}
    items = {step.index: _items(step, known) for step in graph.steps}
    runs = [run for run in history if run]
    lengths = _lengths(graph, runs)
    unmeasured = tuple(step.index for step in graph.steps if step.index not in lengths)
    usual = median(lengths.values()) if lengths else None
    seconds = None
    if usual is not None:
        seconds = round(_makespan(graph, {step.index: lengths.get(step.index, usual) for step in graph.steps}, most), 3)
    return Quote(
        steps=len(graph.steps),
        calls=sum(count or 0 for count in items.values()),
        retries=sum((items[step.index] or 0) * (step.retry.attempts - 1) for step in graph.steps if step.retry),
        conditional=tuple(step.index for step in graph.steps if step.when),
        open_ended=tuple(index for index, count in items.items() if count is None),
        destructive=tuple(step.index for step in graph.steps if is_destructive(step, catalog)),
        seconds=seconds,
        measured_runs=len(runs),
        unmeasured=unmeasured,
    )


def _items(step: Step, known: Mapping[str, Any]) -> int | None:
    """Return how many calls *step* makes; None where the list of its for_each is not known."""
    if step.for_each is None:
        return 1
    resolved = resolve(step.for_each, known)
    return len(resolved.value) if isinstance(resolved.value, list) and not resolved.unresolved else None


def _lengths(graph: Graph, runs: list[Mapping[str, StepRecord]]) -> dict[str, float]:
    """Return the median time of each step in earlier runs, in seconds; of its tool where the step is new."""
    by_step: dict[str, list[float]] = {}
    by_tool: dict[str, list[float]] = {}
    for run in runs:
        for index, record in run.items():
            took = (record.ended_at - record.started_at).total_seconds()
            tool = record.detail.get("tool", "")
            by_step.setdefault(f"{index} {tool}", []).append(took)
            by_tool.setdefault(tool, []).append(took)
    found = {step.index: by_step.get(f"{step.index} {step.tool}") or by_tool.get(step.tool) for step in graph.steps}
    return {index: median(times) for index, times in found.items() if times}


def _makespan(graph: Graph, lengths: Mapping[str, float], most: int) -> float:
    """Return the seconds from start to end with *most* steps at once, in the order of the scheduler."""
    order = step_graph(graph)
    waits = {step: len(needs) for step, needs in order.needs.items()}
    ready = [step for step, count in waits.items() if not count]
    under_way: list[tuple[float, str]] = []
    now = 0.0
    while ready or under_way:
        while ready and len(under_way) < most:
            step = ready.pop(0)
            heapq.heappush(under_way, (now + lengths[step], step))
        now, ended = heapq.heappop(under_way)
        for other in order.dependents[ended]:
            waits[other] -= 1
            if not waits[other]:
                ready.append(other)
    return now
