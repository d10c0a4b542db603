"""A plan that is drafted once and observed by several: an MCP client polls it, while its events are followed."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import httpx2

from tests.e2e import typescript
from tests.e2e.conftest import PATIENCE, Running, example, until

STREAM = {"Accept": "text/event-stream"}


@dataclass(frozen=True)
class Observed:
    """The plan's id, what the TypeScript client printed, the events of the streams, and how many calls brought them."""

    plan_id: str
    seen: dict[str, Any]
    events: list[dict[str, Any]]
    calls: int


def observe(service: Running) -> Observed:
    """Let the TypeScript client draft a plan, and follow the events of that plan meanwhile."""
    client = typescript.install()
    before = newest(service)
    with ThreadPoolExecutor(1) as beside:
        drafted = beside.submit(client.run, service.address.mcp_url, service.address.key, example("bakery-cafe-lisbon"))
        until(lambda: drafted.done() or newest(service) != before, "the plan of the client")
        plan_id = newest(service)
        assert plan_id != before, drafted.result()
        events, calls = follow(service, plan_id)
        return Observed(plan_id, drafted.result(), events, calls)


def newest(service: Running) -> str:
    """Return the id of the newest plan, empty if there is none."""
    return next((str(plan["plan_id"]) for plan in service.call("plan_list", limit=1)["plans"]), "")


def get(service: Running, path: str, **options: Any) -> httpx2.Response:
    return httpx2.get(f"{service.address.http_url}{path}", timeout=PATIENCE, **options)


def keyed(service: Running, **more: str) -> dict[str, str]:
    return {"X-API-Key": service.address.key, **more}


def sent(answer: httpx2.Response) -> list[dict[str, Any]]:
    """Return the events of a stream, each with the id that a browser would send back."""
    blocks = [dict(line.split(": ", 1) for line in block.splitlines()) for block in answer.text.split("\n\n") if block]
    return [json.loads(block["data"]) | {"id": block["id"]} for block in blocks if "data" in block]


def follow(service: Running, plan_id: str) -> tuple[list[dict[str, Any]], int]:
    """Follow a plan to its end as EventSource does: each answer ends, and the next call says what was seen last."""
    seen: list[dict[str, Any]] = []
    calls = 0
    while True:
        calls += 1
        last = {"Last-Event-ID": seen[-1]["id"]} if seen else {}
        answer = get(service, f"/v1/plans/{plan_id}/events", headers=keyed(service, **STREAM, **last))
        if answer.status_code == 204:
            return seen, calls
        # beyond their number calls are turned away; a browser comes back
        assert answer.status_code in (200, 429), answer.text
        if answer.status_code == 200:
            assert answer.headers["content-type"].startswith("text/event-stream")
            assert answer.text.startswith("retry: ")
            seen += sent(answer)
