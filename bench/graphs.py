"""What a step of a graph costs in this process, and how near a run comes to the sum of its longest chain.

The ideal is the critical path of the calls alone, each of which does nothing but sleep.

python -m bench.graphs
"""

import asyncio
import random
import statistics
import tempfile
import time
from collections.abc import Sequence
from typing import Any

from planloom.graphs import PlanningContext, PlanRunner
from planloom.planes.graphs.document import Graph
from planloom.planes.graphs.validate import load, step_graph

ROUNDS = 5


class Sleeping:
    """A tool that sleeps for its ``seconds`` and answers with a plain value."""

    async def execute_tool(self, name: str, args: dict[str, Any], /, **_: Any) -> Any:
        """Sleep; no time at all where none is given."""
        if args:
            await asyncio.sleep(args["seconds"])
        return name


def main() -> None:
    """Measure and print medians with their ratios to the ideal."""
    with tempfile.TemporaryDirectory() as folder:
        context = PlanningContext(Sleeping(), folder)
        for title, graph, most in (
            ("60 steps of 0.2 s, depth 13", layered(60, 13, 0.2), 8),
            ("a barrier case: slow and quick chains", barriers(), 4),
        ):
            ideal = _ideal(graph)
            took = _median(context, graph, most, checkpoint=True)
            print(f"{title}: {took:.3f} s, ideal {ideal:.2f} s (ratio {took / ideal:.3f})")
        for size in (1_000, 10_000):
            for title, graph in (("chain", chain(size)), ("fan", fan(size))):
                plain = _median(context, graph, 4, checkpoint=False) / size * 1e6
                kept = _median(context, graph, 4, checkpoint=True) / size * 1e6
                print(f"{title} of {size:,} steps: {plain:.1f} µs a step, with checkpoints {kept:.1f} µs")


def _median(context: PlanningContext, graph: Graph, most: int, checkpoint: bool) -> float:
    times = []
    for _ in range(ROUNDS):
        runner = PlanRunner(context, enable_guards=False, max_concurrency=most)
        started = time.perf_counter()
        result = asyncio.run(runner.execute_plan(graph, checkpoint=checkpoint))
        times.append(time.perf_counter() - started)
        assert result.success
    return statistics.median(times)


def _ideal(graph: Graph) -> float:
    lengths = {step.index: float(step.args.get("seconds", 0)) for step in graph.steps}
    return sum(lengths[index] for index in step_graph(graph).critical_path(lengths))


def layered(size: int, depth: int, seconds: float) -> Graph:
    """Return *size* steps in *depth* layers, each needing up to three of the layer before."""
    chosen = random.Random(7)
    layers: list[list[str]] = [[] for _ in range(depth)]
    steps = []
    for number in range(size):
        layer = number % depth
        before = layers[layer - 1] if layer else []
        needs = chosen.sample(before, min(len(before), chosen.randint(1, 3)))
        layers[layer].append(str(number))
        steps.append(_step(str(number), needs, seconds))
    return _graph(steps)


def barriers() -> Graph:
    """Return two chains whose slow and quick steps alternate: a barrier after each batch would add up the slow ones."""
    left = [_step(f"a{n}", [f"a{n - 1}"] if n else [], 0.25 if n % 2 == 0 else 0.01) for n in range(4)]
    right = [_step(f"b{n}", [f"b{n - 1}"] if n else [], 0.01 if n % 2 == 0 else 0.25) for n in range(4)]
    return _graph([*left, *right])


def chain(size: int) -> Graph:
    """Return steps that each need the one before."""
    return _graph([_step(str(n), [str(n - 1)] if n else []) for n in range(size)])


def fan(size: int) -> Graph:
    """Return steps that need nothing."""
    return _graph([_step(str(n), []) for n in range(size)])


def _step(index: str, needs: Sequence[str], seconds: float = 0.0) -> dict[str, Any]:
    args = {"seconds": seconds} if seconds else {}
    return {"index": index, "tool": "sleep", "args": args, "depends_on": list(needs)}


def _graph(steps: list[dict[str, Any]]) -> Graph:
    graph, problems = load({"id": "bench", "title": "bench", "steps": steps})
    assert graph, problems
    return graph


if __name__ == "__main__":
    main()
