"""`planloom logs` and `planloom graph`."""

import asyncio
import json
import math
import time
from typing import Annotated, Any
from urllib.parse import quote

import typer

from planloom.planes.strategic.services.follow_events import SETTLED
from planloom_cli.follow import TERMINAL
from planloom_cli.options import PlanId
from planloom_cli.reach import AtService
from planloom_cli.retry_calls import with_retries
from planloom_cli.service import Service

POLL_SECONDS = 1.0
MOST_LINES = 500
MARKS = {"waiting": "·", "running": "▶", "finished": "✓", "skipped": "=", "failed": "✗"}


def logs(
    plan_id: PlanId,
    at: AtService,
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Print new lines until the plan has ended.")] = False,
    lines: Annotated[
        int, typer.Option("--lines", "-n", min=1, max=MOST_LINES, help="Number of the last lines to print.")
    ] = 50,
) -> None:
    """Print the log of a plan, one line per event; with --json, one object per line."""

    async def work(service: Service) -> None:
        page = await _page(service, plan_id, max_lines=lines)
        _print(page, at.as_json)
        ended_at = math.inf
        # events may arrive a few seconds after the plan ended
        while follow and (page["lines"] or time.monotonic() < ended_at + SETTLED.total_seconds()):
            ended_at = min(ended_at, time.monotonic()) if page["state"] in TERMINAL else math.inf
            if not page["lines"]:
                await asyncio.sleep(POLL_SECONDS)
            page = await _page(service, plan_id, max_lines=MOST_LINES, since_cursor=page["next_cursor"])
            _print(page, at.as_json)

    at.reach(work)


def graph(
    plan_id: PlanId,
    at: AtService,
    mermaid: Annotated[bool, typer.Option("--mermaid", help="Print a Mermaid flowchart.")] = False,
) -> None:
    """Show the steps of a plan, their states, and the steps that they depend on."""

    async def work(service: Service) -> dict[str, Any]:
        return await service.call("plan_graph", plan_id=plan_id, format="mermaid" if mermaid else "json")

    found = at.reach(work)
    at.say(found, found["mermaid"].rstrip() if mermaid else _steps(found))


async def _page(service: Service, plan_id: str, **query: int) -> dict[str, Any]:
    return await with_retries(lambda: service.look(f"plans/{quote(plan_id, safe='')}/logs", **query))


def _print(page: dict[str, Any], as_json: bool) -> None:
    for line in page["lines"]:
        text = f"{line['ts'][:19].replace('T', ' ')}  {line['level']:<7} {line['text']}"
        typer.echo(json.dumps(line) if as_json else text)


def _steps(found: dict[str, Any]) -> str:
    waits: dict[str, list[str]] = {}
    for edge in found["edges"]:
        waits.setdefault(edge["to"], []).append(edge["from"])
    rows = (
        f"{MARKS[node['state']]} {node['step'][:3]} {node['title']:<34}{node['state']:<9} "
        f"{len(node['files']):>3} files  {', '.join(waits.get(node['name'], [])) or '-'}"
        for node in found["nodes"]
    )
    return "\n".join(rows)
