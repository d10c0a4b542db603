"""Change a plan from the command line: edit a file, have steps made again, validate anew."""

import json
from pathlib import Path
from typing import Annotated, Any

import click
import typer
from rich.console import Console

from planloom_cli import exits
from planloom_cli.control import Profile, again
from planloom_cli.draft import bring_home, tell
from planloom_cli.options import Output, PlanId
from planloom_cli.reach import AtService
from planloom_cli.service import Service

ArtifactPath = Annotated[str, typer.Argument(help="The file: 016-2-expert_criticism.md")]
Wait = Annotated[bool, typer.Option("--wait/--no-wait", help="Follow a derived plan to its end and save its files.")]


def edit(
    plan_id: PlanId,
    path: ArtifactPath,
    at: AtService,
    file: Annotated[Path | None, typer.Option("--file", "-f", help="The new content; else your editor opens.")] = None,
    undo: Annotated[bool, typer.Option("--undo", help="Put the version before the current one back.")] = False,
    wait: Wait = True,
    output: Output = Path(),
) -> None:
    """Edit a file of a plan that has ended; only what depends on it is made again.

    A failed or stopped plan is changed in place: `planloom resume` goes on from there. A completed one stays as it is,
    and a plan derived from it is drafted.
    """
    if file and undo:
        exits.leave(exits.REFUSED, "give --file or --undo, not both.")
    given = _read(file) if file else None

    async def work(service: Service) -> dict[str, Any]:
        if undo:
            return await service.call("plan_artifact_undo", plan_id=plan_id, path=path)
        text, sha256 = await _current(service, plan_id, path)
        content = given if given is not None else click.edit(text, extension=Path(path).suffix)
        if content is None or content == text:
            exits.leave(exits.REFUSED, f"{path} was not changed.")
        return await service.call(
            "plan_artifact_edit", plan_id=plan_id, path=path, content=content, expected_sha256=sha256
        )

    _go_on(at.reach(work), at, output, wait)


def invalidate(
    plan_id: PlanId,
    names: Annotated[list[str], typer.Argument(help="Steps (016, expert_criticism) or files (016-2-....md).")],
    at: AtService,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be made, at what cost.")] = False,
    wait: Wait = True,
    output: Output = Path(),
) -> None:
    """Have steps of a plan that has ended made again, and what depends on them."""
    files = [name for name in names if "." in name]
    asked = {"stages": [name for name in names if "." not in name], "artifacts": files, "dry_run": dry_run}
    done = at.call("plan_invalidate", plan_id=plan_id, **asked)
    if not at.as_json:
        for step in done["steps"]:
            cost = f"{step['cost']['calls']} calls" if step.get("cost") else "never finished"
            typer.echo(f"{step['step']:<28} {step['why']:<8} {cost}")
        most = done["cost_at_most"]
        tokens = f"{most['input_tokens']:,} tokens read, {most['output_tokens']:,} written"
        typer.echo(f"at most {most['calls']} calls, {tokens}")
        for lost in done["edits_lost"]:
            typer.echo(f"your edit of {lost} would be made again from scratch")
    if dry_run:
        if at.as_json:
            typer.echo(json.dumps(done))
        return
    _go_on(done, at, output, wait)


def validate(plan_id: PlanId, at: AtService, profile: Profile = None, output: Output = Path()) -> None:
    """Review a drafted plan anew, over what is there: review, premortem, self-audit and report, in a derived plan."""
    tell(again(at, output, "plan_validate", plan_id=plan_id, model_profile=profile), at.as_json)


async def _current(service: Service, plan_id: str, path: str) -> tuple[str, str]:
    """Return the text of the file as it is now, and its hash."""
    parts: list[str] = []
    offset: int | None = 0
    sha256 = ""
    while offset is not None:
        part = await service.call("plan_artifact_read", plan_id=plan_id, path=path, offset=offset)
        if sha256 not in ("", part["sha256"]):
            exits.leave(exits.REFUSED, f"{path} was changed while it was read. Try again.")
        sha256, offset = part["sha256"], part.get("next_offset")
        parts.append(part["text"])
    return "".join(parts), sha256


def _go_on(done: dict[str, Any], at: AtService, output: Path, wait: bool) -> None:
    """Follow the plan that a change derived, if it was started; say what to do next where it was not."""
    if not wait or done["state"] in ("failed", "stopped", "completed"):
        at.say(done, done["next_steps"])
        return
    console = Console(stderr=True)
    console.print(f"plan {done['plan_id']}, derived from {done['derived_from']}", highlight=False)
    tell(at.reach(lambda service: bring_home(service, done["plan_id"], output, console)), at.as_json)


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        exits.leave(exits.REFUSED, f"{file} cannot be read as text: {error}")
