"""`planloom graph`: graphs of tool calls, their runs, and the tool servers that they call."""

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer
from rich.console import Console
from rich.table import Table
from typer.core import TyperGroup

from planloom_cli import exits
from planloom_cli.graph_view import follow_run
from planloom_cli.options import bundled
from planloom_cli.reach import AtService, reach
from planloom_cli.service import Service, ServiceError
from planloom_cli.watch import graph as graph_of_plan

T = TypeVar("T")

#: States in which a run has ended, with the exit code of the command.
ENDS = {
    "completed": 0,
    "failed": exits.FAILED,
    "blocked": exits.FAILED,
    "waiting": exits.FAILED,
    "stopped": exits.STOPPED,
}


class GraphCommands(TyperGroup):
    """`planloom graph ID` shows the steps of a strategic plan; with the name of a command it is about tool calls."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command that *args* begins with."""
        return super().resolve_command(ctx, args if args and args[0] in self.commands else ["plan", *args])


graph = typer.Typer(
    cls=GraphCommands,
    help="Run graphs of tool calls; `planloom graph ID` shows the steps of a strategic plan.",
    no_args_is_help=True,
)
servers = typer.Typer(help="Add, list, test and remove the tool servers that graphs call.", no_args_is_help=True)


@dataclass(frozen=True)
class AtGraphs(AtService):
    """The service of a command that is about graphs."""

    def reach(self, work: Callable[[Service], Awaitable[T]]) -> T:
        """Return the result of *work* with the tools of graphs."""
        address = self.running()
        return reach(replace(address, mcp_url=f"{address.mcp_url}/graphs"), work)


GraphId = Annotated[str, typer.Argument(help="ID of the graph, or its first characters.")]
RunId = Annotated[str, typer.Argument(help="ID of the run, or its first characters.")]
Source = Annotated[
    str, typer.Argument(help="A goal in words, or a file with the graph as JSON; '-' is stdin.", show_default=False)
]
Var = Annotated[list[str] | None, typer.Option("--var", help="A variable as name=value; the value is JSON or text.")]
#: Seconds between two questions whether a graph is drafted.
DRAFT_PAUSE = 2.0


@graph.command("create")
@bundled
def create(
    source: Source,
    at: AtGraphs,
    server: Annotated[
        list[str] | None, typer.Option("--server", help="Draft with the tools of this server only.")
    ] = None,
    var: Var = None,
) -> None:
    """Let a model draft a graph for a goal, or store one from a file, such as a plan file of mcp-cli."""
    if not source.strip():
        exits.leave(exits.REFUSED, "There is no goal. Say what is to be achieved, or name a file.")
    if any(char.isspace() for char in source) and not Path(source).exists():
        found = at.reach(lambda service: _drafted(service, source, server or [], _variables(var or [])))
        lines = [f"graph {found['plan_id']}", found["text"]]
        at.say(found, "\n".join([*lines, f"Run it: planloom graph run {found['plan_id']}"]))
        return
    found = at.call("plan_create", graph=_document(Path(source)))
    lines = [f"graph {found['plan_id']}", *found["steps"], *map(_problem, found["problems"])]
    at.say(found, "\n".join([*lines, f"Run it: planloom graph run {found['plan_id']}"]))


@graph.command("list")
@bundled
def list_(
    at: AtGraphs,
    runs: Annotated[bool, typer.Option("--runs", help="List runs instead.")] = False,
    limit: Annotated[int, typer.Option(min=1, max=100, help="How many to list.")] = 20,
) -> None:
    """List your graphs, last saved first, or your runs, newest first."""
    found = at.call("run_list" if runs else "plan_list", limit=limit)
    rows = found["runs" if runs else "plans"]
    if at.as_json or not rows:
        at.say(found, "There are none yet." if not rows else "")
        return
    table = Table("run" if runs else "graph", "state" if runs else "revision", "steps", "time (UTC)", "title", box=None)
    for row in rows:
        time = row["created_at" if runs else "updated_at"][:16].replace("T", " ")
        state = row["state"] if runs else str(row["revision"])
        table.add_row(row["run_id" if runs else "plan_id"], state, str(row["step_count"]), time, row["title"][:50])
    Console(width=140).print(table)


@graph.command("show")
@bundled
def show(
    graph_id: GraphId,
    at: AtGraphs,
    mermaid: Annotated[bool, typer.Option("--mermaid", help="Print a Mermaid flowchart.")] = False,
) -> None:
    """Show the steps of a graph: which run in parallel, and what each waits for."""

    async def work(service: Service) -> dict[str, Any]:
        return await service.call("plan_get", plan_id=await _graph_id(service, graph_id))

    found = at.reach(work)
    at.say(found, found["mermaid"].rstrip() if mermaid else found["text"])


@graph.command("run")
@bundled
def run(
    graph_id: GraphId,
    at: AtGraphs,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be called; call nothing.")] = False,
    var: Var = None,
    max_concurrency: Annotated[int, typer.Option(min=1, max=64, help="Steps that run at once.")] = 4,
    budget: Annotated[int | None, typer.Option(min=0, help="Calls of tools at most.")] = None,
    deadline: Annotated[float | None, typer.Option(help="Seconds after which the run is ended as failed.")] = None,
    allow_destructive: Annotated[
        bool, typer.Option("--allow-destructive", help="Call destructive tools without an approval.")
    ] = False,
    detach: Annotated[bool, typer.Option("--detach", help="Print the ID of the run and end.")] = False,
) -> None:
    """Run a graph and show its steps as they end. The run continues when this command is interrupted.

    The exit code is 0 where the run completed, 5 where it was stopped, and 1 where it failed or needs you.
    """
    variables = _variables(var or [])

    async def work(service: Service) -> dict[str, Any]:
        plan_id = await _graph_id(service, graph_id)
        if dry_run:
            return await service.call("plan_dry_run", plan_id=plan_id, variables=variables)
        started = await service.call(
            "plan_execute",
            plan_id=plan_id,
            variables=variables,
            max_concurrency=max_concurrency,
            budget=budget,
            deadline_sec=deadline,
            allow_destructive=allow_destructive,
            wait_sec=0,
        )
        for problem in started["problems"]:
            typer.echo(_problem(problem), err=True)
        return started if detach else await follow_run(service, started["run_id"], quiet=at.as_json)

    found = at.reach(work)
    if dry_run:
        lines = [f"○ {step['step']}. {step['tool']} {json.dumps(step['args'])}" for step in found["steps"]]
        at.say(found, "\n".join([*lines, *map(_problem, found["problems"])]))
        return
    _ended(at, found, detach)


@graph.command("resume")
@bundled
def resume(
    run_id: RunId,
    at: AtGraphs,
    on_unknown: Annotated[
        str | None, typer.Option(help="What to do about calls that may have been made: retry, skip, value.")
    ] = None,
    value: Annotated[str | None, typer.Option(help="Result of those calls as JSON, with --on-unknown value.")] = None,
) -> None:
    """Continue a run that failed, was stopped or is blocked; what completed is not run again."""
    given = None if value is None else _parsed(value)

    async def work(service: Service) -> dict[str, Any]:
        found = await _run_id(service, run_id)
        await service.call("run_resume", run_id=found, on_unknown=on_unknown, value=given)
        return await follow_run(service, found, quiet=at.as_json)

    _ended(at, at.reach(work), detach=False)


@graph.command("stop")
@bundled
def stop(run_id: RunId, at: AtGraphs) -> None:
    """Stop a run; finished steps are kept, and `planloom graph resume` continues it."""

    async def work(service: Service) -> dict[str, Any]:
        return await service.call("run_stop", run_id=await _run_id(service, run_id))

    found = at.reach(work)
    at.say(found, f"run {found['run_id']}: {found['state']}")


@graph.command("approve")
@bundled
def approve(
    run_id: RunId,
    step: Annotated[str, typer.Argument(help="Index of the step that waits.")],
    at: AtGraphs,
    reject: Annotated[bool, typer.Option("--reject", help="Reject the step: it fails, and the run with it.")] = False,
) -> None:
    """Approve a step that waits, or reject it."""

    async def work(service: Service) -> dict[str, Any]:
        return await service.call("run_approve", run_id=await _run_id(service, run_id), step=step, approved=not reject)

    found = at.reach(work)
    at.say(found, f"run {found['run_id']}: step {step} {'rejected' if reject else 'approved'}")


@graph.command("delete")
@bundled
def delete(graph_id: GraphId, at: AtGraphs) -> None:
    """Delete a graph with all its revisions; its runs stay."""

    async def work(service: Service) -> dict[str, Any]:
        return await service.call("plan_delete", plan_id=await _graph_id(service, graph_id))

    found = at.reach(work)
    at.say(found, f"Deleted {found['deleted']}.")


@graph.command("plan")
@bundled
def plan(
    plan_id: Annotated[str, typer.Argument(help="ID of a strategic plan.")],
    at: AtService,
    mermaid: Annotated[bool, typer.Option("--mermaid", help="Print a Mermaid flowchart.")] = False,
) -> None:
    """Show the steps of a strategic plan, their states, and the steps that they depend on."""
    graph_of_plan(plan_id, at, mermaid)


@servers.command("add")
@bundled
def add_server(
    name: Annotated[str, typer.Argument(help="Name of the server: small letters, digits, hyphens.")],
    address: Annotated[str, typer.Argument(help="URL of its MCP endpoint (streamable HTTP).")],
    at: AtGraphs,
    header: Annotated[
        list[str] | None, typer.Option("--header", help="A header of each request, as Name:value; kept as a secret.")
    ] = None,
    trusted: Annotated[
        bool, typer.Option("--trusted", help="Believe its tools' hints: read-only, idempotent, destructive.")
    ] = False,
) -> None:
    """Add a tool server, or replace the one of that name, and list its tools."""
    split = [each.partition(":") for each in header or []]
    headers = {name.strip(): value.strip() for name, _, value in split}
    found = at.call("tool_server_add", name=name, url=address, headers=headers, trusted=trusted)
    at.say(found, f"{name}: {found['tool_count']} tools" if not found["error"] else f"{name}: {found['error']}")


@servers.command("list")
@bundled
def list_servers(at: AtGraphs) -> None:
    """List your tool servers."""
    found = at.call("tool_server_list")
    if at.as_json or not found["servers"]:
        at.say(found, "There are none yet. Add one: planloom graph servers add NAME URL")
        return
    table = Table("server", "tools", "trusted", "URL", box=None)
    for each in found["servers"]:
        table.add_row(each["name"], str(each["tool_count"]), "yes" if each["trusted"] else "no", each["url"])
    Console(width=140).print(table)


@servers.command("test")
@bundled
def test_server(name: Annotated[str, typer.Argument(help="Name of the server.")], at: AtGraphs) -> None:
    """List the tools of a server now."""
    found = at.call("tool_server_test", name=name)
    at.say(found, "\n".join(f"{tool['name']}: {tool['description'][:100]}" for tool in found["tools"]))


@servers.command("remove")
@bundled
def remove_server(name: Annotated[str, typer.Argument(help="Name of the server.")], at: AtGraphs) -> None:
    """Remove a tool server and the secret of its headers."""
    found = at.call("tool_server_remove", name=name)
    at.say(found, f"Removed {found['deleted']}.")


graph.add_typer(servers, name="servers")


def _ended(at: AtGraphs, found: dict[str, Any], detach: bool) -> None:
    lines = [f"run {found['run_id']}: {found['state']}"]
    if found["failure"]:
        lines.append(found["failure"]["message"])
    at.say(found, "\n".join([*lines, *([] if found["state"] == "completed" else found["next_steps"])]))
    if not detach:
        raise typer.Exit(ENDS[found["state"]])


def _document(file: Path) -> Any:
    try:
        return json.loads(sys.stdin.read() if str(file) == "-" else file.read_text(encoding="utf-8"))
    except OSError as error:
        exits.leave(exits.REFUSED, f"{file} cannot be read: {error.strerror}.")
    except ValueError as error:
        exits.leave(exits.REFUSED, f"{file} is not JSON: {error}.")


def _variables(given: list[str]) -> dict[str, Any]:
    wrong = [each for each in given if "=" not in each]
    if wrong:
        exits.leave(exits.REFUSED, f"'{wrong[0]}' is no variable. Write --var name=value.")
    return {name: _parsed(value) for name, _, value in (each.partition("=") for each in given)}


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _problem(problem: dict[str, Any]) -> str:
    return f"{problem['severity']}: {problem['path'] or '/'}: {problem['message']} {problem['hint']}".rstrip()


async def _drafted(service: Service, goal: str, servers: list[str], variables: dict[str, Any]) -> dict[str, Any]:
    """Return the graph that a model drafted for *goal*; wait for it as long as it takes."""
    made = await service.call("plan_create", goal=goal, servers=servers, variables=variables)
    while True:
        found = await service.call("plan_get", plan_id=made["plan_id"])
        draft = found.get("draft")
        if not draft:
            return found
        if draft["error"] or draft["state"] not in ("running", "waiting"):
            raise ServiceError("GRAPH_NOT_READY", draft["error"] or f"The run that drafts it is {draft['state']}.")
        await asyncio.sleep(DRAFT_PAUSE)


async def _graph_id(service: Service, text: str) -> str:
    return await _whole(service, text, "plan_list", "plans", "plan_id")


async def _run_id(service: Service, text: str) -> str:
    return await _whole(service, text, "run_list", "runs", "run_id")


async def _whole(service: Service, text: str, tool: str, rows: str, field: str) -> str:
    """Return the id that begins with *text* among the newest hundred; *text* itself where it is whole."""
    if len(text) >= 36:
        return text
    found = [row[field] for row in (await service.call(tool, limit=100))[rows] if row[field].startswith(text)]
    if len(found) == 1:
        return str(found[0])
    said = f"Several begin with '{text}': {', '.join(found[:8])}. Write more of the ID." if found else None
    raise ServiceError("NOT_FOUND", said or f"Nothing begins with '{text}'. Run `planloom graph list`.")
