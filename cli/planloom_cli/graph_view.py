"""Shows a run of a graph while it is active: redrawn in a terminal, one line for each step elsewhere."""

from typing import Any

import typer
from rich.console import Console
from rich.live import Live
from rich.text import Text

from planloom_cli.retry_calls import with_retries
from planloom_cli.service import Service

#: Signs of the specification by the state of a step.
SIGNS = {"completed": "●", "failed": "✗", "skipped": "○", "unknown": "✗", "waiting": "○", "running": "◉"}
#: Seconds that one call waits for events.
WAIT = 10
#: Larger graphs are not drawn again and again.
MOST_DRAWN = 60


async def follow_run(service: Service, run_id: str, *, quiet: bool) -> dict[str, Any]:
    """Show what happens in the run until it ends or waits, and return it."""
    run = await service.call("run_status", run_id=run_id)
    console = Console(stderr=True)
    drawn = console.is_terminal and run["step_count"] <= MOST_DRAWN and not quiet
    document = await service.call("plan_get", plan_id=run["plan_id"], revision=run["revision"]) if drawn else {}
    states: dict[str, str] = {}
    cursor = 0
    with Live(console=console, auto_refresh=False) if drawn else _Lines(quiet) as live:
        while True:
            page = await with_retries(
                lambda cursor=cursor: service.call("run_events", run_id=run_id, after=cursor, timeout_sec=WAIT)  # type: ignore[misc]
            )
            cursor = page["next"]
            for event in page["events"]:
                _apply(states, event)
                if isinstance(live, _Lines):
                    live.show(event)
            if isinstance(live, Live):
                live.update(_drawn(document["graph"], states, run["step_count"]), refresh=True)
            if not page["events"] and page["state"] != "running":
                return await service.call("run_status", run_id=run_id)


class _Lines:
    """Prints a line for each step that ended."""

    def __init__(self, quiet: bool) -> None:
        self._quiet = quiet

    def __enter__(self) -> "_Lines":
        return self

    def __exit__(self, *_: object) -> None: ...

    def show(self, event: dict[str, Any]) -> None:
        """Print what *event* says of a step."""
        state = event["name"].removeprefix("step_")
        if self._quiet or state not in SIGNS or not event["step"]:
            return
        error = f": {event['data']['error']}" if event["data"].get("error") else ""
        typer.echo(f"{SIGNS[state]} {event['step']} {state}{error}", err=True)


def _apply(states: dict[str, str], event: dict[str, Any]) -> None:
    name = event["name"].removeprefix("step_")
    if event["step"] and name != event["name"]:
        states[event["step"]] = {"started": "running", "compensated": "failed"}.get(name, name)


def _drawn(document: dict[str, Any], states: dict[str, str], total: int) -> Text:
    from planloom.planes.graphs.render import render_plan_dag

    shown = {step: {"unknown": "failed", "waiting": "pending"}.get(state, state) for step, state in states.items()}
    ended = sum(state in ("completed", "skipped") for state in states.values())
    return Text(f"{render_plan_dag(document, shown)}\n\n{ended} of {total} steps")
