"""Commands for drafted plans: open, export, diff, share, archive, rm."""

import json
import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from planloom_cli import exits
from planloom_cli.options import Output, PlanId
from planloom_cli.reach import AtService
from planloom_cli.save_files import fetch_file, file_info, save_file, write_file
from planloom_cli.service import Service
from planloom_cli.view import view_plan


def open_(
    at: AtService,
    plan_id: Annotated[str | None, typer.Argument(help="ID of the plan; without it, the viewer opens.")] = None,
    print_url: Annotated[
        bool, typer.Option("--print-url", help="Print a link that is valid for an hour; save and open nothing.")
    ] = False,
    output: Output = Path(),
) -> None:
    """Save the report of a plan and open it in the browser; without an ID, open the viewer."""
    if plan_id is None:
        viewer = view_plan(at.running(), None, browser=not print_url)
        at.say({"url": viewer}, viewer)
        return

    async def work(service: Service) -> dict[str, str]:
        if print_url:
            return {"url": (await file_info(service, plan_id, "report"))["download_url"]}
        return {"report": str(await save_file(service, plan_id, "report", output))}

    found = at.reach(work)
    if "report" in found:
        webbrowser.open(Path(found["report"]).resolve().as_uri())
    at.say(found, next(iter(found.values())))


def export(
    plan_id: PlanId,
    at: AtService,
    output: Output = Path(),
) -> None:
    """Save all stored data of a plan as one zip, with a manifest of hashes."""

    async def work(service: Service) -> str:
        info = await service.call("plan_export", plan_id=plan_id)
        return str(write_file(output, info["plan_id"], "export", await fetch_file(info)))

    saved = at.reach(work)
    at.say({"export": saved}, saved)


def diff(
    plan_id: PlanId,
    other_plan_id: Annotated[str, typer.Argument(help="The plan to compare it with.")],
    at: AtService,
    step: Annotated[str, typer.Option(help="Step to compare alone and in full, such as 016.")] = "",
) -> None:
    """Show the differences between two plans: the prompt, then each section."""
    found = at.call("plan_diff", plan_id=plan_id, other_plan_id=other_plan_id, step=step)
    if at.as_json:
        typer.echo(json.dumps(found))
        return
    changed = [section for section in found["sections"] if section["change"] != "same"]
    typer.echo(f"{len(changed)} of {len(found['sections'])} sections differ.")
    for section in changed:
        counts = f"+{section['lines_added']} -{section['lines_removed']}"
        typer.echo(f"\n## {section['title']} ({section['change']}, {counts})\n{section['diff']}")
        if section["truncated"]:
            typer.echo(f"(truncated: --step {section['path'][:3]} shows the whole difference)")


def share(
    plan_id: PlanId,
    at: AtService,
    days: Annotated[int, typer.Option(min=1, max=365, help="Days for which the link is valid.")] = 30,
    revoke: Annotated[bool, typer.Option("--revoke", help="Revoke all shared links of the plan instead.")] = False,
) -> None:
    """Create a link to the report of a plan that anyone can open without a key."""
    if revoke:
        found = at.call("plan_unshare", plan_id=plan_id)
        text = f"{found['revoked']} links revoked"
    else:
        found = at.call("plan_share", plan_id=plan_id, days=days)
        text = found["url"]
    at.say(found, text)


def archive(
    plan_id: PlanId,
    at: AtService,
    undo: Annotated[bool, typer.Option("--undo", help="Move the plan back to the list.")] = False,
) -> None:
    """Remove a plan from the list and make it read-only."""
    found = at.call("plan_archive", plan_id=plan_id, archived=not undo)
    at.say(found, "archived" if found["archived"] else "restored")


def rm(
    plan_id: PlanId,
    at: AtService,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask for confirmation.")] = False,
) -> None:
    """Delete a plan and all its files permanently; `planloom archive` hides it instead."""
    if not yes and not typer.confirm(f"Delete plan {plan_id} and all its files permanently?", err=True):
        exits.leave(exits.INTERRUPTED, f"Plan {plan_id} was not deleted.")
    found = at.call("plan_delete", plan_id=plan_id)
    at.say(found, found["message"])
