"""What the commands of `planloom graph` have in common: the service, ids by their first characters, variables."""

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Annotated, Any, TypeVar

import typer

from planloom_cli import exits
from planloom_cli.reach import AtService, reach
from planloom_cli.service import Service, ServiceError

T = TypeVar("T")


@dataclass(frozen=True)
class AtGraphs(AtService):
    """The service of a command that is about graphs."""

    def reach(self, work: Callable[[Service], Awaitable[T]]) -> T:
        """Return the result of *work* with the tools of graphs."""
        address = self.running()
        return reach(replace(address, mcp_url=f"{address.mcp_url}/graphs"), work)


GraphId = Annotated[str, typer.Argument(help="ID of the graph, or its first characters.")]
RunId = Annotated[str, typer.Argument(help="ID of the run, or its first characters.")]
Var = Annotated[list[str] | None, typer.Option("--var", help="A variable as name=value; the value is JSON or text.")]
MaxConcurrency = Annotated[int, typer.Option(min=1, max=64, help="Steps that run at the same time.")]


def variables(given: list[str] | None) -> dict[str, Any]:
    """Return variables written as name=value; leave where one is written otherwise."""
    wrong = [each for each in given or [] if "=" not in each]
    if wrong:
        exits.leave(exits.REFUSED, f"'{wrong[0]}' is no variable. Write --var name=value.")
    return {name: parsed(value) for name, _, value in (each.partition("=") for each in given or [])}


def parsed(text: str) -> Any:
    """Return *text* as the JSON that it is, else as text."""
    try:
        return json.loads(text)
    except ValueError:
        return text


async def whole_graph_id(service: Service, text: str) -> str:
    """Return the id of the graph that begins with *text*."""
    return await _whole(service, text, "plan_list", "plans", "plan_id")


async def whole_run_id(service: Service, text: str) -> str:
    """Return the id of the run that begins with *text*."""
    return await _whole(service, text, "run_list", "runs", "run_id")


async def _whole(service: Service, text: str, tool: str, rows: str, field: str) -> str:
    """Return the id that begins with *text* among the newest hundred; *text* itself where it is whole."""
    if len(text) >= 36:
        return text
    found = [row[field] for row in (await service.call(tool, limit=100))[rows] if row[field].startswith(text)]
    if len(found) == 1:
        return str(found[0])
    said = f"Several begin with '{text}': {', '.join(found[:8])}. Write more of the ID." if found else None
    lister = "planloom graph list --runs" if rows == "runs" else "planloom graph list"
    raise ServiceError("NOT_FOUND", said or f"Nothing begins with '{text}'. Run `{lister}`.")
