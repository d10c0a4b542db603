"""`planloom files` and `planloom versions`: list and print files of a plan, with the hashes that edits need."""

from typing import Annotated, Any

import typer

from planloom_cli import exits
from planloom_cli.options import PlanId
from planloom_cli.reach import AtService
from planloom_cli.service import Service

ArtifactPath = Annotated[str, typer.Argument(help="Path of the file, such as 016-2-expert_criticism.md.")]


def files(
    plan_id: PlanId,
    at: AtService,
    path: Annotated[str | None, typer.Argument(help="File to print; without it, all files are listed.")] = None,
) -> None:
    """List the files of a plan, or print one file, with its hash on standard error."""
    if path is None:
        found = at.reach(lambda service: _listed(service, plan_id))
        lines = (f"{file['sha256']}  {file['size']:>9,}  {file['path']}" for file in found["artifacts"])
        at.say(found, "\n".join(lines))
        return
    text, sha256 = at.reach(lambda service: read_text(service, plan_id, path))
    if at.as_json:
        at.say({"plan_id": plan_id, "path": path, "sha256": sha256, "text": text}, "")
        return
    typer.echo(f"sha256 {sha256}", err=True)
    typer.echo(text, nl=False)


def versions(plan_id: PlanId, path: ArtifactPath, at: AtService) -> None:
    """List the versions of a file in the last 90 days, newest first; `planloom edit --undo` restores one."""
    found = at.call("plan_artifact_versions", plan_id=plan_id, path=path)
    lines = (
        f"{each['version']}  {each['updated_at'][:16].replace('T', ' ')}  {each['size']:>9,}  {each['sha256'] or '-'}"
        f"{'  current' if each['current'] else ''}"
        for each in found["versions"]
    )
    at.say(found, "\n".join(lines))


async def read_text(service: Service, plan_id: str, path: str) -> tuple[str, str]:
    """Return the current text of a file and its hash; end the command if it is changed while it is read."""
    parts: list[str] = []
    offset: int | None = 0
    sha256 = ""
    while offset is not None:
        part = await service.call("plan_artifact_read", plan_id=plan_id, path=path, offset=offset)
        if sha256 not in ("", part["sha256"]):
            exits.leave(exits.REFUSED, f"The file {path} was changed while it was read. Repeat the command.")
        sha256, offset = part["sha256"], part.get("next_offset")
        parts.append(part["text"])
    return "".join(parts), sha256


async def _listed(service: Service, plan_id: str) -> dict[str, Any]:
    """Return all pages of plan_artifacts as one response."""
    found: dict[str, Any] = await service.call("plan_artifacts", plan_id=plan_id)
    after = found.pop("next_after", None)
    while after:
        page = await service.call("plan_artifacts", plan_id=plan_id, after=after)
        found["artifacts"] += page["artifacts"]
        after = page.get("next_after")
    return found
