"""What a step of a durable run costs on the embedded AWS, with a real MCP server over HTTP.

Beside it the bare calls: the same number of calls in one session, one after the other. CPU time is that of the embedded
AWS with its Lambdas, without the server: a step must cost the same in a run of 1,000 and of 10,000.

python -m bench.graphs_durable
"""

import asyncio
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx2

from bench.graphs import chain, fan, layered
from planloom.accounts.make_key import make_key
from planloom.planes.graphs.document import Graph
from planloom.tools.mcp_client import ToolServers
from planloom_cli.embedded import EmbeddedAws, deploy
from planloom_cli.local_service import ports_of

ROUNDS = 3


def main() -> None:
    """Measure and print medians."""
    with tempfile.TemporaryDirectory() as folder, EmbeddedAws(Path(folder)) as aws, _tool_server() as url:
        deployment = deploy(aws)
        service = _Service(
            deployment.api_url, make_key(ports_of(aws, deployment).keys, ports_of(aws, deployment).clock, "bench")
        )
        service.call("POST", "/v1/tool-servers", {"name": "sleeping", "url": url})
        print(f"bare calls in one session: {asyncio.run(_bare(url, 500)) * 1000:.2f} ms a call")
        service.took(chain(2), 4)  # the worker is warm from here on
        took = statistics.median(service.took(layered(60, 13, 0.2), 8) for _ in range(ROUNDS))
        print(f"60 steps of 0.2 s, depth 13: {took:.2f} s, ideal 2.60 s")
        for title, graph in (("chain of 1,000", chain(1_000)), ("fan of 1,000", fan(1_000))):
            before = _cpu_seconds(aws.pid)
            took = statistics.median(service.took(graph, 4) for _ in range(ROUNDS))
            spent = (_cpu_seconds(aws.pid) - before) / ROUNDS
            print(f"{title} steps: {took:.2f} ms a step, of CPU {spent:.2f} ms")
        before = _cpu_seconds(aws.pid)
        took = service.took(fan(10_000), 4)
        spent = _cpu_seconds(aws.pid) - before
        print(f"fan of 10,000 steps: {took / 10:.2f} ms a step, of CPU {spent / 10:.2f} ms")


class _Service:
    def __init__(self, url: str, key: str) -> None:
        self._url, self._headers = url, {"X-API-Key": key}

    def call(self, method: str, path: str, body: Any = None) -> dict[str, Any]:
        """Return the response."""
        answer = httpx2.request(method, f"{self._url}{path}", json=body, headers=self._headers, timeout=30)
        answer.raise_for_status()
        return dict(answer.json())

    def took(self, graph: Graph, most: int) -> float:
        """Run *graph* and return the seconds from the call that started it to the end of its last step."""
        body = {"graph": graph.model_dump(mode="json", exclude_defaults=True), "equal_calls": 100_000}
        run = self.call("POST", "/v1/runs", body | {"max_concurrency": most, "wait_sec": 0})
        while run["state"] == "running":
            run = self.call("GET", f"/v1/runs/{run['run_id']}/wait")
        assert run["state"] == "completed", run
        created, ended = (datetime.fromisoformat(run[name]) for name in ("created_at", "ended_at"))
        return (ended - created).total_seconds()


def _cpu_seconds(leader: int | None) -> float:
    """Return the CPU time of all processes in the session of *leader* so far, and of those that they waited for."""
    total = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            # after the name: state, parent, group, session, ...
            fields = stat.read_text().rpartition(")")[2].split()
            if int(fields[3]) == leader:
                total += sum(map(int, fields[11:15]))
    return total / os.sysconf("SC_CLK_TCK")


async def _bare(url: str, calls: int) -> float:
    async with ToolServers({"sleeping": url}) as tools:
        await tools.execute_tool("sleep", {})
        started = time.perf_counter()
        for _ in range(calls):
            await tools.execute_tool("sleep", {})
        return (time.perf_counter() - started) / calls


@contextmanager
def _tool_server() -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen([sys.executable, "-m", "bench.sleeping_server", str(port)], stderr=subprocess.DEVNULL)
    try:
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                time.sleep(0.05)
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        process.terminate()
        process.wait()


if __name__ == "__main__":
    main()
