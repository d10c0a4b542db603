"""The `planloom` command: all its commands, and those that run the service locally."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from planloom import __version__
from planloom_cli import exits
from planloom_cli.change import invalidate, validate
from planloom_cli.control import resume, retry, stop
from planloom_cli.credits import credits_
from planloom_cli.draft import Drafted, draft_plan, example_named, goal_from, print_result
from planloom_cli.edit import edit
from planloom_cli.examples import examples
from planloom_cli.facts import facts
from planloom_cli.facts_file import FactsFile, facts_given
from planloom_cli.feedback import feedback
from planloom_cli.files import files, versions
from planloom_cli.finished import archive, diff, export, open_, rm, share
from planloom_cli.graph import graph
from planloom_cli.keys import keys
from planloom_cli.local_service import local_service
from planloom_cli.look import download, list_, status
from planloom_cli.operate import repair
from planloom_cli.options import SERVED, AsJson, Output, State, bundled
from planloom_cli.policy import policy
from planloom_cli.reach import AtService, Pointer, reach
from planloom_cli.run import run
from planloom_cli.service import Service
from planloom_cli.show_models import models
from planloom_cli.up import keep_up
from planloom_cli.watch import logs
from planloom_cli.webhook import webhook
from planloom_cli.workflow import workflow
from planloom_cli.workflow_work import work

app = typer.Typer(
    help="Turn a goal into a strategic plan. `planloom draft` runs on this machine, without an account or a key.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)


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


def draft(
    at: AtService,
    goal: Annotated[str | None, typer.Argument(help="The goal, in quotes; or use --file or --example.")] = None,
    file: Annotated[Path | None, typer.Option("--file", "-f", help="Text file with the goal; '-' is stdin.")] = None,
    example: Annotated[str | None, typer.Option(help="An example prompt; `planloom examples` lists them.")] = None,
    profile: Annotated[str, typer.Option(help="Model profile: baseline, premium, frontier, custom.")] = "baseline",
    derived_from: Annotated[str | None, typer.Option(help="ID of the plan that this one is derived from.")] = None,
    given: FactsFile = None,
    detail: Annotated[str, typer.Option(help="Length of the plan: brief, standard, full.")] = "standard",
    output: Output = Path(),
) -> None:
    """Draft a plan, show its progress, and save the report and the zip.

    Uses the service at --url, else the one that `planloom up` runs, else starts one for this draft.
    """
    prompt = goal_from(goal, file, example)
    corrected = facts_given(given)
    console = Console(stderr=True)

    async def work(service: Service) -> Drafted:
        text = await example_named(service, example) if example else prompt
        return await draft_plan(service, text, profile, derived_from, corrected, detail, output, console)

    address = at.address()
    if address:
        done = reach(address, work)
    else:
        with local_service(at.state, None, console.print) as started:
            done = reach(started, work)
    print_result(done, at.as_json)


def up(
    state: State,
    port: Annotated[
        int | None, typer.Option(help="Port on 127.0.0.1; by default the last one used, or a free one.")
    ] = None,
    as_json: AsJson = False,
    as_deployed: Annotated[
        bool,
        typer.Option("--as-deployed", help="Give each Lambda its own bundle, environment and role, as in AWS; slower."),
    ] = False,
) -> None:
    """Run the service on this machine, on an embedded AWS, until Ctrl-C; print its URLs and key."""
    keep_up(state, port, as_json, as_deployed=as_deployed)


def mcp(
    at: Pointer,
    tools: Annotated[
        str, typer.Option(help=f"Tools to serve: {', '.join(f'{name} ({SERVED[name].mcp_path})' for name in SERVED)}.")
    ] = "plans",
) -> None:
    """Serve the tools over MCP on standard input and output (stdio).

    Uses the service at --url, else the one that `planloom up` runs, else starts one until the client disconnects.
    """
    from planloom_cli.mcp_proxy import say, serve

    if tools not in SERVED:
        exits.leave(exits.REFUSED, f"There are no tools '{tools}'. Use one of: {', '.join(SERVED)}.")
    address = at.address()
    if address:
        serve(address, tools)
        return
    with local_service(at.state, None, say) as started:
        serve(started, tools)


def view(
    at: Pointer,
    plan_id: Annotated[str | None, typer.Argument(help="ID of a plan of any kind; without it, the list opens.")] = None,
    browser: Annotated[bool, typer.Option(help="Open the browser, or only print the URL.")] = True,
) -> None:
    """Open the viewer in your browser; it signs in with your API key."""
    from planloom_cli.view import view_plan

    typer.echo(view_plan(at.running(), plan_id, browser))


#: In the order of `planloom --help`: what a newcomer needs comes first.
PANELS = {
    "Draft plans": (draft, facts, up, mcp, view, models),
    "Inspect a plan": (status, list_, logs, open_, download, files, versions, export, diff),
    "Change a plan": (stop, resume, retry, edit, invalidate, validate),
    "Share, archive or delete a plan": (share, archive, rm),
    "Operate a service": (repair, feedback),
}
for panel, commands in PANELS.items():
    for command in commands:
        app.command(command.__name__.rstrip("_"), rich_help_panel=panel)(bundled(command))
app.add_typer(examples, name="examples", rich_help_panel="Draft plans")
app.add_typer(graph, name="graph", rich_help_panel="Run graphs of tool calls")
app.add_typer(webhook, name="webhook", rich_help_panel="Operate a service")
app.add_typer(workflow, name="workflow", rich_help_panel="Run workflows")
app.command("run", rich_help_panel="Run programs")(run)
app.command("work", rich_help_panel="Run workflows")(work)
app.add_typer(keys, name="keys", rich_help_panel="Operate a service")
app.add_typer(credits_, name="credits", rich_help_panel="Operate a service")
app.add_typer(policy, name="policy", rich_help_panel="Operate a service")
