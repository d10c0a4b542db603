"""Runs the graphs of a file in LangGraph with its SQLite checkpointer and prints the median seconds of each as JSON.

It is run by the interpreter of an environment of its own: ``python langgraph_runner.py GRAPHS ROUNDS``. GRAPHS is JSON:
by name the steps, each with its index, what it needs, and how many seconds it sleeps.
"""

import asyncio
import json
import operator
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Annotated, Any, TypedDict

from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver  # type: ignore[import-not-found]
from langgraph.graph import END, START, StateGraph  # type: ignore[import-not-found]


class State(TypedDict):
    """The results of the steps, by index."""

    results: Annotated[dict[str, str], operator.or_]


def compiled(steps: list[dict[str, Any]], saver: Any) -> Any:
    """Return the steps as a graph of LangGraph."""
    graph = StateGraph(State)
    needed = {need for step in steps for need in step["needs"]}
    for step in steps:
        graph.add_node(step["index"], _node(step["index"], step["seconds"]))
        if step["needs"]:
            graph.add_edge(step["needs"], step["index"])
        else:
            graph.add_edge(START, step["index"])
        if step["index"] not in needed:
            graph.add_edge(step["index"], END)
    return graph.compile(checkpointer=saver)


def _node(index: str, seconds: float) -> Any:
    async def node(_: State) -> dict[str, Any]:
        if seconds:
            await asyncio.sleep(seconds)
        return {"results": {index: "done"}}

    return node


async def took(steps: list[dict[str, Any]], file: Path, most: int) -> float:
    """Return the seconds of one run."""
    async with AsyncSqliteSaver.from_conn_string(str(file)) as saver:
        graph = compiled(steps, saver)
        config = {"configurable": {"thread_id": "1"}, "recursion_limit": len(steps) + 10, "max_concurrency": most}
        started = time.perf_counter()
        result = await graph.ainvoke({"results": {}}, config)
        seconds = time.perf_counter() - started
    assert len(result["results"]) == len(steps)
    return seconds


def main() -> None:
    """Run every graph."""
    graphs = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, graph in graphs.items():
            times = [
                asyncio.run(took(graph["steps"], Path(folder, f"{name}-{turn}.sqlite"), graph["most"]))
                for turn in range(int(sys.argv[2]))
            ]
            found[name] = statistics.median(times)
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main()
