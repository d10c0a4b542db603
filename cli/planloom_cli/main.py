"""The `planloom` command: run the service here, draft plans, look at them and fetch them."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from planloom import __version__
from planloom_cli.change import edit, invalidate, validate
from planloom_cli.control import resume, retry
from planloom_cli.credits import credits_
from planloom_cli.draft import Drafted, draft_plan, example_named, goal_from, tell
from planloom_cli.examples import examples
from planloom_cli.finished import archive, diff, export, open_, rm, share
from planloom_cli.keys import keys
from planloom_cli.local_service import local_service
from planloom_cli.next_step import failure, next_step
from planloom_cli.operate import repair
from planloom_cli.options import AsJson, Key, Output, PlanId, State, Url
from planloom_cli.reach import pointed_at, reach, running
from planloom_cli.save_files import save_file
from planloom_cli.service import Service
from planloom_cli.show_models import models
from planloom_cli.up import keep_up
from planloom_cli.watch import graph, logs

app = typer.Typer(
    help="Turn a goal into a strategic plan. `planloom draft` does it here, without an account or a key.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
app.add_typer(keys, name="keys")
app.add_typer(credits_, name="credits")
app.add_typer(examples, name="examples")
app.command()(repair)
app.command()(models)
app.command()(resume)
app.command()(retry)
app.command()(edit)
app.command()(invalidate)
app.command()(validate)
app.command()(logs)
app.command()(graph)
for command in (export, diff, share, archive, rm):
    app.command()(command)
app.command("open")(open_)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"planloom {__version__}")
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Strategic plans from a goal in prose."""


@app.command()
def up(
    state: State,
    port: Annotated[int | None, typer.Option(help="On 127.0.0.1; by default the last one used, or a free one.")] = None,
    as_json: AsJson = False,
) -> None:
    """Run the service here, on an embedded AWS, until Ctrl-C; print how agents reach it."""
    keep_up(state, port, as_json)


@app.command()
def draft(
    state: State,
    goal: Annotated[str | None, typer.Argument(help="The goal, in quotes; or use --file or --example.")] = None,
    file: Annotated[Path | None, typer.Option("--file", "-f", help="Text file with the goal; '-' is stdin.")] = None,
    example: Annotated[str | None, typer.Option(help="An example prompt; `planloom examples` lists them.")] = None,
    profile: Annotated[str, typer.Option(help="Model profile: baseline, premium, frontier, custom.")] = "baseline",
    output: Output = Path(),
    url: Url = None,
    key: Key = None,
    as_json: AsJson = False,
) -> None:
    """Draft a plan: progress as it goes, then the report and the zip on disk.

    Uses the service at --url, else the one that `planloom up` runs, else starts one for the time of the draft.
    """
    prompt = goal_from(goal, file, example)
    console = Console(stderr=True)

    async def work(service: Service) -> Drafted:
        text = await example_named(service, example) if example else prompt
        return await draft_plan(service, text, profile, output, console)

    address = pointed_at(url, key, state)
    if address:
        done = reach(address, work)
    else:
        with local_service(state, None, console.print) as started:
            done = reach(started, work)
    tell(done, as_json)


@app.command()
def status(plan_id: PlanId, state: State, url: Url = None, key: Key = None, as_json: AsJson = False) -> None:
    """Say how a plan is doing."""
    found = _call(url, key, state, "plan_status", plan_id=plan_id)
    if as_json:
        typer.echo(json.dumps(found))
        return
    step = f", at {found['current_step']}" if found["current_step"] else ""
    typer.echo(f"{found['state']}: {found['steps_completed']} of {found['steps_total']} steps{step}")
    if found["state"] == "failed":
        typer.echo(failure(found))
    if found["state"] in ("failed", "stopped"):
        typer.echo(next_step(found))


@app.command("list")
def list_(
    state: State,
    limit: Annotated[int, typer.Option(min=1, max=50, help="How many.")] = 10,
    archived: Annotated[bool, typer.Option("--archived", help="Those that are archived instead.")] = False,
    url: Url = None,
    key: Key = None,
    as_json: AsJson = False,
) -> None:
    """List your plans, newest first."""
    found = _call(url, key, state, "plan_list", limit=limit, **({"archived": True} if archived else {}))
    if as_json:
        typer.echo(json.dumps(found))
        return
    table = Table("plan", "state", "%", "created (UTC)", "goal", box=None)
    for plan in found["plans"]:
        created = plan["created_at"][:16].replace("T", " ")
        percent = f"{plan['progress_percentage']:.0f}"
        table.add_row(plan["plan_id"], plan["state"], percent, created, plan["prompt_excerpt"][:60])
    if found["plans"]:
        Console(width=140).print(table)
    else:
        typer.echo(found["message"])


@app.command()
def stop(plan_id: PlanId, state: State, url: Url = None, key: Key = None, as_json: AsJson = False) -> None:
    """Stop a plan; what its finished stages made is kept."""
    found = _call(url, key, state, "plan_stop", plan_id=plan_id)
    typer.echo(json.dumps(found) if as_json else found["state"])


@app.command()
def download(
    plan_id: PlanId,
    state: State,
    output: Output = Path(),
    url: Url = None,
    key: Key = None,
    as_json: AsJson = False,
) -> None:
    """Save the zip and the report of a plan; one that failed or was stopped has a zip alone, which ends with code 2."""
    saved: dict[str, str] = {}

    async def work(service: Service) -> None:
        for name in ("zip", "report"):
            saved[name] = str(await save_file(service, plan_id, name, output))

    try:
        reach(running(url, key, state), work)
    finally:
        if saved:
            typer.echo(json.dumps(saved) if as_json else "\n".join(saved.values()))


@app.command()
def mcp(state: State, url: Url = None, key: Key = None) -> None:
    """Serve the tools on standard input and output, for MCP clients that start their servers themselves.

    Uses the service at --url, else the one that `planloom up` runs, else starts one until the client hangs up.
    """
    from planloom_cli.mcp_proxy import say, serve

    address = pointed_at(url, key, state)
    if address:
        serve(address)
        return
    with local_service(state, None, say) as started:
        serve(started)


@app.command()
def view(
    state: State,
    plan_id: Annotated[str | None, typer.Argument(help="A plan of either kind; without it, the list of all.")] = None,
    url: Url = None,
    key: Key = None,
    browser: Annotated[bool, typer.Option(help="Open it; with --no-browser its address is printed alone.")] = True,
) -> None:
    """Open the viewer in your browser; it signs in with your API key."""
    from planloom_cli.view import view_plan

    typer.echo(view_plan(running(url, key, state), plan_id, browser))


def _call(url: str | None, key: str | None, state: Path, tool: str, **arguments: Any) -> dict[str, Any]:
    return reach(running(url, key, state), lambda service: service.call(tool, **arguments))
