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
from planloom_cli.operate import AsOperator, checked_account
from planloom_cli.options import bundled

keys = typer.Typer(help="API keys of a service: with your AWS credentials, or --local.", no_args_is_help=True)


@keys.command()
@bundled
def create(
    account: Annotated[str, typer.Option(help="Whose plans the key opens; a new name is a new account.")],
    to: AsOperator,
) -> None:
    """Make a key for an account; it is shown once, and stored as a hash."""
    checked_account(account)
    with to.world() as world:
        key = make_key(world, account)
    to.say({"account": account, "key": key}, key)


@keys.command("list")
@bundled
def list_(
    account: Annotated[str, typer.Option(help="Whose keys.")],
    to: AsOperator,
) -> None:
    """List the keys of an account: how each begins, when it was made, last used and revoked; never the key."""
    with to.world() as world:
        found = [_shown(key) for key in list_keys(world, checked_account(account))]
    if to.as_json:
        typer.echo(json.dumps(found))
        return
    table = Table("key begins", "made (UTC)", "last used", "revoked", box=None)
    for key in found:
        table.add_row(
            key["key"], key["created_at"][:16], key["last_used_on"] or "never", (key["revoked_at"] or "")[:16]
        )
    Console(width=100, highlight=False).print(table)


@keys.command()
@bundled
def revoke(
    key: Annotated[str, typer.Argument(help="The key, or how it begins, as the list shows it.")],
    account: Annotated[str, typer.Option(help="Whose key.")],
    to: AsOperator,
) -> None:
    """Revoke a key: it opens nothing any more, after a minute at most."""
    with to.world() as world:
        try:
            revoked = _shown(revoke_key(world, checked_account(account), key))
        except InvalidArgument as error:
            exits.leave(exits.REFUSED, error.message)
    to.say(revoked, f"{revoked['key']} is revoked.")


def _shown(key: ApiKey) -> dict[str, Any]:
    shown = key.model_dump(mode="json", exclude={"digest", "shown"})
    return {"key": f"{key.shown}...", **shown}
