"""`planloom edit`: edit a file of a plan in an editor, or replace it by a local file; typed text is never lost."""

import sys
import tempfile
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Annotated, Any, NoReturn

import click
import typer

from planloom.core.errors import InvalidArgument
from planloom_cli import exits
from planloom_cli.call_once import call_once
from planloom_cli.change import Start, Wait, go_on
from planloom_cli.files import ArtifactPath, read_text
from planloom_cli.options import Output, PlanId
from planloom_cli.reach import AtService
from planloom_cli.retry_calls import say
from planloom_cli.save_files import write_new
from planloom_cli.service import Service, ServiceError

Sent = dict[str, Any]


def edit(
    plan_id: PlanId,
    path: ArtifactPath,
    at: AtService,
    file: Annotated[
        Path | None, typer.Option("--file", "-f", help="File with the new content; without it, your editor opens.")
    ] = None,
    expected_sha256: Annotated[
        str | None, typer.Option(help="Edit only if the file has this hash, which `planloom files ID PATH` prints.")
    ] = None,
    undo: Annotated[bool, typer.Option("--undo", help="Restore the version before the current one.")] = False,
    version: Annotated[
        str | None, typer.Option(help="With --undo: the version to restore; `planloom versions` lists them.")
    ] = None,
    start: Start = True,
    wait: Wait = True,
    output: Output = Path(),
) -> None:
    """Edit a file of an ended plan. Only the steps that depend on it are repeated.

    A failed or stopped plan is changed in place; continue it with `planloom resume`. A completed plan is not changed:
    the edit makes a derived plan.
    """
    if file and undo:
        exits.leave(exits.REFUSED, "--file and --undo exclude each other. Use one of them.")
    if version and not undo:
        exits.leave(exits.REFUSED, "--version needs --undo. Add --undo to restore that version.")
    asked = {"plan_id": plan_id, "path": path, "start": start}
    if undo:
        restored: Sent = {**asked, "version": version, "expected_sha256": expected_sha256}
        done = at.reach(lambda service: call_once(service, "plan_artifact_undo", **restored))
    elif file:
        done = _send_file(at, asked, _read(file), expected_sha256)
    else:
        done = _send_typed(at, asked, expected_sha256, output)
    for lost in done["edits_lost"]:
        say(f"your edit of {lost} was replaced by text made from the JSON. `planloom versions` lists your version.")
    go_on(done, at, output, wait)


def _send_file(at: AtService, asked: Sent, content: str, expected_sha256: str | None) -> dict[str, Any]:
    async def work(service: Service) -> dict[str, Any]:
        sha256 = expected_sha256
        if sha256 is None:
            text, sha256 = await read_text(service, asked["plan_id"], asked["path"])
            if content == text:
                _leave_unchanged(asked)
        return await call_once(service, "plan_artifact_edit", **asked, content=content, expected_sha256=sha256)

    return at.reach(work)


def _send_typed(at: AtService, asked: Sent, expected_sha256: str | None, output: Path) -> dict[str, Any]:
    """Open the editor and send the text; if the service does not accept it, save it in *output*."""
    text, sha256 = at.reach(lambda service: read_text(service, asked["plan_id"], asked["path"]))
    if expected_sha256 not in (None, sha256):
        exits.leave(
            exits.REFUSED,
            f"{asked['path']} was changed since you read it (its sha256 is {sha256}). Read it again, then edit it.",
        )
    content = click.edit(text, extension=Path(asked["path"]).suffix)
    if content is None or content == text:
        _leave_unchanged(asked)
    try:
        while True:
            done = at.reach(partial(_send, asked=asked, content=content, sha256=sha256))
            if not isinstance(done, ServiceError):
                return done
            say(f"{done.code}: {done.message}")
            if not (sys.stdin.isatty() and typer.confirm("Open the editor again?", default=True, err=True)):
                raise typer.Exit(exits.REFUSED)
            content = click.edit(content, extension=Path(asked["path"]).suffix) or content
    except BaseException:
        # after any error, also Ctrl-C: typed text must not be lost
        saved = _save(asked["path"], content, output)
        retry = f"planloom edit {asked['plan_id']} {asked['path']} --file {saved} --expected-sha256 {sha256}"
        say(f"your text was saved in {saved}. When the problem is solved, run: {retry}")
        raise


async def _send(service: Service, asked: Sent, content: str, sha256: str) -> dict[str, Any] | ServiceError:
    """Send an edit; return the error if the user can correct the text."""
    try:
        return await call_once(service, "plan_artifact_edit", **asked, content=content, expected_sha256=sha256)
    except ServiceError as error:
        if error.code == InvalidArgument.code:
            return error
        raise


def _save(path: str, content: str, output: Path) -> Path:
    with suppress(OSError):
        return write_new(output, Path(path).name, content.encode())
    return write_new(Path(tempfile.mkdtemp(prefix="planloom-")), Path(path).name, content.encode())


def _leave_unchanged(asked: Sent) -> NoReturn:
    exits.leave(exits.REFUSED, f"{asked['path']} was not changed: the new text equals the current text.")


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        exits.leave(exits.REFUSED, f"The file {file} cannot be read as text: {error}. Use a UTF-8 text file.")
