"""`planloom status`, `list` and `download`."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from planloom_cli.next_step import failure, next_step
from planloom_cli.options import Output, PlanId
from planloom_cli.reach import AtService
from planloom_cli.save_files import save_file
from planloom_cli.service import Service


def status(
    at: AtService,
    plan_id: Annotated[
        str | None, typer.Argument(help="ID of the plan; without it, the plan that you created last.")
    ] = None,
) -> None:
    """Show the state and progress of a plan."""
    found = at.call("plan_status", plan_id=plan_id) if plan_id else at.call("plan_get_latest")
    step = f", at {found['current_step']}" if found["current_step"] else ""
    lines = [f"{found['state']}: {found['steps_completed']} of {found['steps_total']} steps{step}"]
    if found["state"] == "failed":
        lines.append(failure(found))
    if not plan_id:
        lines.insert(0, f"plan {found['plan_id']}")
    at.say(found, "\n".join([*lines, next_step(found)]).rstrip())


def list_(
    at: AtService,
    limit: Annotated[int, typer.Option(min=1, max=50, help="Number of plans.")] = 10,
    archived: Annotated[bool, typer.Option("--archived", help="List archived plans instead.")] = False,
) -> None:
    """List your plans, newest first."""
    found = at.call("plan_list", limit=limit, **({"archived": True} if archived else {}))
    if at.as_json or not found["plans"]:
        at.say(found, found["message"])
        return
    table = Table("plan", "state", "%", "created (UTC)", "goal", box=None)
    for plan in found["plans"]:
        created = plan["created_at"][:16].replace("T", " ")
        percent = f"{plan['progress_percentage']:.0f}"
        table.add_row(plan["plan_id"], plan["state"], percent, created, plan["prompt_excerpt"][:60])
    Console(width=140).print(table)


def download(plan_id: PlanId, at: AtService, output: Output = Path()) -> None:
    """Save the zip and the report of a plan. A failed or stopped plan has only a zip; the exit code is then 2."""
    saved: dict[str, str] = {}

    async def work(service: Service) -> None:
        for name in ("zip", "report"):
            saved[name] = str(await save_file(service, plan_id, name, output))

    try:
        at.reach(work)
    finally:
        if saved:
            at.say(saved, "\n".join(saved.values()))
