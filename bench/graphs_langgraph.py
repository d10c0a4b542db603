"""The graphs of bench.graphs beside LangGraph with its SQLite checkpointer, which is installed for this alone.

Both keep a checkpoint of each step. Needs the network once: ``python -m bench.graphs_langgraph``.
"""

import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

from bench.graphs import ROUNDS, Sleeping, barriers, chain, fan, layered
from planloom.graphs import PlanningContext, PlanRunner
from planloom.planes.graphs.document import Graph

PACKAGES = ("langgraph==1.2.22", "langgraph-checkpoint-sqlite==3.1.2")
HOME = Path("build", "langgraph")
#: Graphs, how many of their steps run at once, and how often they are run: the long ones once.
GRAPHS: dict[str, tuple[Graph, int, int]] = {
    "60 steps of 0.2 s, depth 13 (ideal 2.60 s)": (layered(60, 13, 0.2), 8, ROUNDS),
    "slow and quick chains (ideal 0.52 s)": (barriers(), 4, ROUNDS),
    "chain of 1,000 steps of 0 s": (chain(1_000), 4, 1),
    "fan of 1,000 steps of 0 s": (fan(1_000), 4, 1),
}


def main() -> None:
    """Measure both and print medians in seconds."""
    python = _environment()
    for name, (graph, most, rounds) in GRAPHS.items():
        with tempfile.TemporaryDirectory() as folder:
            ours = statistics.median(_took(graph, most, f"{folder}/{turn}") for turn in range(rounds))
            theirs = _langgraph(python, name, graph, most, rounds, Path(folder))
        print(f"{name}: planloom {ours:.3f} s, LangGraph {theirs:.3f} s")


def _took(graph: Graph, most: int, folder: str) -> float:
    runner = PlanRunner(PlanningContext(Sleeping(), folder), enable_guards=False, max_concurrency=most)
    started = time.perf_counter()
    assert asyncio.run(runner.execute_plan(graph, checkpoint=True)).success
    return time.perf_counter() - started


def _langgraph(python: Path, name: str, graph: Graph, most: int, rounds: int, folder: Path) -> float:
    steps = [
        {"index": step.index, "needs": list(step.depends_on), "seconds": step.args.get("seconds", 0)}
        for step in graph.steps
    ]
    file = folder / "graphs.json"
    file.write_text(json.dumps({name: {"steps": steps, "most": most}}), encoding="utf-8")
    runner = Path(__file__).with_name("langgraph_runner.py")
    ended = subprocess.run([python, runner, file, str(rounds)], capture_output=True, text=True, check=True)
    return float(json.loads(ended.stdout)[name])


def _environment() -> Path:
    """Return the interpreter of an environment with LangGraph; make it where there is none."""
    python = HOME / "bin" / "python"
    if not (HOME / "installed").exists():
        venv.create(HOME, with_pip=True, clear=True)
        command = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *PACKAGES]
        subprocess.run(command, check=True, stdout=sys.stderr)
        (HOME / "installed").touch()
    return python


if __name__ == "__main__":
    main()
