"""`planloom graph`: graphs of tool calls, their runs, and the tool servers that they call."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from typer.core import TyperGroup

from planloom_cli import exits
from planloom_cli.graph_options import (
    AtGraphs,
    GraphId,
    MaxConcurrency,
    RunId,
    Var,
    parsed,
    variables,
    whole_graph_id,
    whole_run_id,
)
from planloom_cli.graph_schedules import budgets, schedules
from planloom_cli.graph_servers import servers
from planloom_cli.graph_view import SIGNS, follow_run
from planloom_cli.options import bundled
from planloom_cli.reach import AtService
from planloom_cli.service import Service, ServiceError
from planloom_cli.watch import graph as graph_of_plan

#: States in which a run has ended, with the exit code of the command.
ENDS = {
    "completed": 0,
    "failed": exits.FAILED,
    "blocked": exits.FAILED,
    "waiting": exits.FAILED,
    "stopped": exits.STOPPED,
}


#: What to do with a run, by its state.
NEXT = {
    "running": ("Follow it: planloom graph follow {run}",),
    "completed": ("Its results: planloom graph steps {run}",),
    "waiting": ("Let the step run, or not: planloom graph approve {run} {step} [--reject]",),
    "blocked": (
        "Find out whether the calls were made, then: planloom graph resume {run} --on-unknown retry|skip|value",
    ),
    **dict.fromkeys(
        ("failed", "stopped"),
        ("What its steps came to: planloom graph steps {run}", "Continue it: planloom graph resume {run}"),
    ),
}
#: Characters of a result in a list of steps.
SHORT = 100


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


Source = Annotated[
    str, typer.Argument(help="A goal in words, or a file with the graph as JSON; '-' is stdin.", show_default=False)
]
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
        found = at.reach(lambda service: _drafted(service, source, server or [], variables(var)))
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
        return await service.call("plan_get", plan_id=await whole_graph_id(service, graph_id))

    found = at.reach(work)
    at.say(found, found["mermaid"].rstrip() if mermaid else found["text"])


@graph.command("run")
@bundled
def run(
    graph_id: GraphId,
    at: AtGraphs,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be called; call nothing.")] = False,
    var: Var = None,
    max_concurrency: MaxConcurrency = 4,
    budget: Annotated[int | None, typer.Option(min=0, help="Calls of tools at most.")] = None,
    shared_budget: Annotated[str | None, typer.Option(help="Budget whose calls the run shares with others.")] = None,
    deadline: Annotated[float | None, typer.Option(help="Seconds after which the run is ended as failed.")] = None,
    allow_destructive: Annotated[
        bool, typer.Option("--allow-destructive", help="Call destructive tools without an approval.")
    ] = False,
    detach: Annotated[bool, typer.Option("--detach", help="Print the ID of the run and end.")] = False,
) -> None:
    """Run a graph and show its steps as they end. The run continues when this command is interrupted.

    The exit code is 0 where the run completed, 5 where it was stopped, and 1 where it failed or needs you.
    """
    given = variables(var)

    async def work(service: Service) -> dict[str, Any]:
        plan_id = await whole_graph_id(service, graph_id)
        if dry_run:
            return await service.call("plan_dry_run", plan_id=plan_id, variables=given)
        started = await service.call(
            "plan_execute",
            plan_id=plan_id,
            variables=given,
            max_concurrency=max_concurrency,
            budget=budget,
            shared_budget=shared_budget,
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


@graph.command("quote")
@bundled
def quote(graph_id: GraphId, at: AtGraphs, var: Var = None, max_concurrency: MaxConcurrency = 4) -> None:
    """Say what a run would take: calls of tools, destructive steps, time. Nothing is called."""
    given = variables(var)

    async def work(service: Service) -> dict[str, Any]:
        plan_id = await whole_graph_id(service, graph_id)
        return await service.call("plan_quote", plan_id=plan_id, variables=given, max_concurrency=max_concurrency)

    found = at.reach(work)
    lines = [f"calls: {found['calls']} at least"]
    lines += [f"retries may add: {found['retries']}"] if found["retries"] else []
    named = {"destructive": "need an approval", "conditional": "may be skipped", "open_ended": "calls not known yet"}
    lines += [f"{said}: steps {', '.join(found[name])}" for name, said in named.items() if found[name]]
    seconds = "not known: no run of it has completed"
    if found["seconds"] is not None:
        seconds = f"{found['seconds']:.1f} s by the last {found['measured_runs']} completed runs"
    at.say(found, "\n".join([*lines, f"time: {seconds}"]))


@graph.command("follow")
@bundled
def follow(run_id: RunId, at: AtGraphs) -> None:
    """Show what happens in a run until it ends or waits, with the exit codes of `planloom graph run`."""

    async def work(service: Service) -> dict[str, Any]:
        return await follow_run(service, await whole_run_id(service, run_id), quiet=at.as_json)

    _ended(at, at.reach(work), detach=False)


@graph.command("steps")
@bundled
def steps(
    run_id: RunId,
    at: AtGraphs,
    step: Annotated[str | None, typer.Argument(help="Index of one step: prints its whole result as JSON.")] = None,
    item: Annotated[int | None, typer.Option(min=0, help="One item of the step's for_each.")] = None,
) -> None:
    """Show what each step of a run came to, or the whole result of one step."""
    if step is not None:
        found = at.reach(lambda service: _step(service, run_id, step, item))
        at.say(found, found["error"] or json.dumps(found["value"], ensure_ascii=False, indent=2))
        return
    rows = at.reach(lambda service: _all_steps(service, run_id))
    at.say({"steps": rows}, "\n".join(map(_step_line, rows)))


@graph.command("trace")
@bundled
def trace(run_id: RunId, at: AtGraphs) -> None:
    """Print a run as an OpenTelemetry trace: OTLP as JSON, as collectors take it at /v1/traces."""

    async def work(service: Service) -> dict[str, Any]:
        return await service.call("run_trace", run_id=await whole_run_id(service, run_id))

    typer.echo(json.dumps(at.reach(work)))


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
    given = None if value is None else parsed(value)

    async def work(service: Service) -> dict[str, Any]:
        found = await whole_run_id(service, run_id)
        await service.call("run_resume", run_id=found, on_unknown=on_unknown, value=given)
        return await follow_run(service, found, quiet=at.as_json)

    _ended(at, at.reach(work), detach=False)


@graph.command("stop")
@bundled
def stop(run_id: RunId, at: AtGraphs) -> None:
    """Stop a run; finished steps are kept, and `planloom graph resume` continues it."""

    async def work(service: Service) -> dict[str, Any]:
        return await service.call("run_stop", run_id=await whole_run_id(service, run_id))

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
        return await service.call(
            "run_approve", run_id=await whole_run_id(service, run_id), step=step, approved=not reject
        )

    found = at.reach(work)
    at.say(found, f"run {found['run_id']}: step {step} {'rejected' if reject else 'approved'}")


@graph.command("delete")
@bundled
def delete(graph_id: GraphId, at: AtGraphs) -> None:
    """Delete a graph with all its revisions; its runs stay."""

    async def work(service: Service) -> dict[str, Any]:
        return await service.call("plan_delete", plan_id=await whole_graph_id(service, graph_id))

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


graph.add_typer(servers, name="servers")
graph.add_typer(schedules, name="schedule")
graph.add_typer(budgets, name="budget")


def _ended(at: AtGraphs, found: dict[str, Any], detach: bool) -> None:
    lines = [f"run {found['run_id']}: {found['state']}"]
    if found["failure"]:
        lines.append(found["failure"]["message"])
    waiting = " ".join(found["progress"]["waiting"][:1])
    at.say(
        found, "\n".join([*lines, *(each.format(run=found["run_id"], step=waiting) for each in NEXT[found["state"]])])
    )
    if not detach:
        raise typer.Exit(ENDS[found["state"]])


async def _step(service: Service, run_id: str, step: str, item: int | None) -> dict[str, Any]:
    return await service.call("run_step", run_id=await whole_run_id(service, run_id), step=step, item=item)


async def _all_steps(service: Service, run_id: str) -> list[dict[str, Any]]:
    found, after, whole = [], 0, await whole_run_id(service, run_id)
    while after is not None:
        page = await service.call("run_steps", run_id=whole, after=after)
        found += page["steps"]
        after = page["next"]
    return found


def _step_line(step: dict[str, Any]) -> str:
    shown = json.dumps(step["value"], ensure_ascii=False)
    if step["value"] is None and step["value_bytes"] > len("null"):
        shown = f"{step['value_bytes']:,} bytes"
    said = step["error"] or (shown if step["state"] == "completed" else "")
    said = said if len(said) <= SHORT else f"{said[:SHORT]}…"
    return f"{SIGNS.get(step['state'], '○')} {step['step']} {step['tool']} {step['state']} {said}".rstrip()


def _document(file: Path) -> Any:
    try:
        return json.loads(sys.stdin.read() if str(file) == "-" else file.read_text(encoding="utf-8"))
    except OSError as error:
        exits.leave(exits.REFUSED, f"{file} cannot be read: {error.strerror}.")
    except ValueError as error:
        exits.leave(exits.REFUSED, f"{file} is not JSON: {error}.")


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
