"""`planloom graph servers`: the tool servers that graphs call."""

from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from planloom_cli.graph_options import AtGraphs
from planloom_cli.options import bundled

servers = typer.Typer(help="Add, list, test and remove the tool servers that graphs call.", no_args_is_help=True)


@servers.command("add")
@bundled
def add_server(
    name: Annotated[str, typer.Argument(help="Name of the server: small letters, digits, hyphens.")],
    address: Annotated[
        str, typer.Argument(help="URL of its MCP endpoint (streamable HTTP), or of an HTTP API for programs.")
    ],
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
