"""What becomes of a plan: opened, shared, compared, exported, archived, deleted."""

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
    plan_id: Annotated[str | None, typer.Argument(help="Id of the plan; without it, the viewer opens.")] = None,
    print_url: Annotated[
        bool, typer.Option("--print-url", help="Print a link that works for an hour; save and open nothing.")
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
    """Save everything that is kept of a plan as one zip, with a manifest of hashes."""

    async def work(service: Service) -> str:
        info = await service.call("plan_export", plan_id=plan_id)
        return str(write_file(output, info["plan_id"], "export", await fetch_file(info)))

    saved = at.reach(work)
    at.say({"export": saved}, saved)


def diff(
    plan_id: PlanId,
    other_plan_id: Annotated[str, typer.Argument(help="The plan to compare it with.")],
    at: AtService,
    step: Annotated[str, typer.Option(help="016 compares that section alone, uncut.")] = "",
) -> None:
    """Show what differs between two plans: the prompt, then section by section."""
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
            typer.echo(f"(cut here: --step {section['path'][:3]} shows all of it)")


def share(
    plan_id: PlanId,
    at: AtService,
    days: Annotated[int, typer.Option(min=1, max=365, help="How long the link works.")] = 30,
    revoke: Annotated[bool, typer.Option("--revoke", help="Revoke every shared link of the plan instead.")] = False,
) -> None:
    """Make a link that opens the report of a plan without a key, for whoever has it."""
    if revoke:
        found = at.call("plan_unshare", plan_id=plan_id)
        said = f"{found['revoked']} links revoked"
    else:
        found = at.call("plan_share", plan_id=plan_id, days=days)
        said = found["url"]
    at.say(found, said)


def archive(
    plan_id: PlanId,
    at: AtService,
    undo: Annotated[bool, typer.Option("--undo", help="Take the plan back.")] = False,
) -> None:
    """Take a plan out of the list and freeze it; it can still be read."""
    found = at.call("plan_archive", plan_id=plan_id, archived=not undo)
    at.say(found, "archived" if found["archived"] else "in use again")


def rm(
    plan_id: PlanId,
    at: AtService,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Delete a plan for good, with all its files; `planloom archive` hides it without losing it."""
    if not yes and not typer.confirm(f"Delete plan {plan_id} and all its files for good?", err=True):
        exits.leave(exits.INTERRUPTED, "nothing was deleted.")
    found = at.call("plan_delete", plan_id=plan_id)
    at.say(found, found["message"])
