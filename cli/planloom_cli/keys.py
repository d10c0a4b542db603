"""API keys of a service: made, listed and revoked by its operator."""

import json
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from planloom.domain.errors import InvalidArgument
from planloom.domain.keys import ApiKey
from planloom.services.make_key import list_keys, make_key, revoke_key
from planloom_cli import exits
from planloom_cli.operate import AsJson, Local, Stack, checked_account, operated
from planloom_cli.options import State

keys = typer.Typer(help="API keys of a service: with your AWS credentials, or --local.", no_args_is_help=True)


@keys.command()
def create(
    account: Annotated[str, typer.Option(help="Whose plans the key opens; a new name is a new account.")],
    state: State,
    stack: Stack = "PlanloomStack",
    local: Local = False,
    as_json: AsJson = False,
) -> None:
    """Make a key for an account; it is shown once, and stored as a hash."""
    checked_account(account)
    with operated(stack, local, state) as world:
        key = make_key(world, account)
    typer.echo(json.dumps({"account": account, "key": key}) if as_json else key)


@keys.command("list")
def list_(
    account: Annotated[str, typer.Option(help="Whose keys.")],
    state: State,
    stack: Stack = "PlanloomStack",
    local: Local = False,
    as_json: AsJson = False,
) -> None:
    """List the keys of an account: how each begins, when it was made, last used and revoked; never the key."""
    with operated(stack, local, state) as world:
        found = [_shown(key) for key in list_keys(world, checked_account(account))]
    if as_json:
        typer.echo(json.dumps(found))
        return
    table = Table("key begins", "made (UTC)", "last used", "revoked", box=None)
    for key in found:
        table.add_row(
            key["key"], key["created_at"][:16], key["last_used_on"] or "never", (key["revoked_at"] or "")[:16]
        )
    Console(width=100, highlight=False).print(table)


@keys.command()
def revoke(
    key: Annotated[str, typer.Argument(help="The key, or how it begins, as the list shows it.")],
    account: Annotated[str, typer.Option(help="Whose key.")],
    state: State,
    stack: Stack = "PlanloomStack",
    local: Local = False,
    as_json: AsJson = False,
) -> None:
    """Revoke a key: it opens nothing any more, after a minute at most."""
    with operated(stack, local, state) as world:
        try:
            revoked = _shown(revoke_key(world, checked_account(account), key))
        except InvalidArgument as error:
            exits.leave(exits.REFUSED, error.message)
    typer.echo(json.dumps(revoked) if as_json else f"{revoked['key']} is revoked.")


def _shown(key: ApiKey) -> dict[str, Any]:
    shown = key.model_dump(mode="json", exclude={"digest", "shown"})
    return {"key": f"{key.shown}...", **shown}
