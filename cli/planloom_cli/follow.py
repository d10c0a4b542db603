"""Follows a plan until it ends, and shows its progress."""

import asyncio
from collections.abc import Callable
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from planloom_cli.retry_calls import with_retries
from planloom_cli.service import Service

WAITING = "waiting for a worker"
TERMINAL = ("completed", "failed", "stopped")
FASTEST_POLL_SECONDS = 0.5
LINES_POLL_SECONDS = 1.0


async def follow(service: Service, plan_id: str, console: Console) -> dict[str, Any]:
    """Return the last plan_status of *plan_id*; shows a progress bar on a terminal, else a line for each change."""
    if not console.is_terminal:
        return await _poll(service, plan_id, LINES_POLL_SECONDS, _lines(console), console)
    with Progress(
        TextColumn("{task.completed:>2.0f}/{task.total:.0f}"),
        BarColumn(),
        TextColumn("{task.description}"),
        TimeElapsedColumn(),
        console=console,
    ) as bar:
        task = bar.add_task(WAITING, total=30)

        def show(status: dict[str, Any]) -> None:
            bar.update(
                task,
                completed=status["steps_completed"],
                total=status["steps_total"],
                description=_doing(status),
            )

        return await _poll(service, plan_id, FASTEST_POLL_SECONDS, show, console)


async def _poll(
    service: Service, plan_id: str, fastest: float, show: Callable[[dict[str, Any]], None], console: Console
) -> dict[str, Any]:
    while True:
        # a lost request does not affect the plan: repeat it
        status = await with_retries(lambda: service.look(f"plans/{plan_id}"), console.print)
        show(status)
        if status["state"] in TERMINAL:
            return status
        # the delay that the service suggests suits agents; people want to see short drafts progress
        suggested = status.get("poll_after_sec") or fastest
        await asyncio.sleep(fastest if suggested <= 5 else min(suggested, 10.0))


def _doing(status: dict[str, Any]) -> str:
    if position := status.get("queue_position"):
        return f"waiting in the queue, position {position}"
    doing: str = status["current_step"] or (WAITING if status["state"] == "pending" else status["state"])
    return doing


def _lines(console: Console) -> Callable[[dict[str, Any]], None]:
    last: list[tuple[int, str]] = []

    def show(status: dict[str, Any]) -> None:
        now = (status["steps_completed"], _doing(status))
        if last != [now]:
            last[:] = [now]
            console.print(f"{now[0]:>2}/{status['steps_total']} {now[1]}", highlight=False)

    return show
