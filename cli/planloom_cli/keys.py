"""`planloom keys`: the operator of a service creates, lists and revokes API keys."""

import json
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from planloom.accounts.keys import ApiKey
from planloom.accounts.make_key import list_keys, make_key, revoke_key
from planloom.core.errors import InvalidArgument
from planloom_cli import exits
from planloom_cli.operate import AsOperator, checked_account
from planloom_cli.options import bundled

keys = typer.Typer(help="Manage API keys of a service, with your AWS credentials or --local.", no_args_is_help=True)


@keys.command()
@bundled
def create(
    account: Annotated[str, typer.Option(help="Account of the key; a new name creates a new account.")],
    to: AsOperator,
) -> None:
    """Create a key for an account. It is printed once; only its hash is stored."""
    checked_account(account)
    with to.ports() as ports:
        key = make_key(ports.keys, ports.clock, account)
    to.say({"account": account, "key": key}, key)


@keys.command("list")
@bundled
def list_(
    account: Annotated[str, typer.Option(help="Name of the account.")],
    to: AsOperator,
) -> None:
    """List the keys of an account: first characters, creation, last use and revocation; never the whole key."""
    with to.ports() as ports:
        found = [_shown(key) for key in list_keys(ports.keys, checked_account(account))]
    if to.as_json:
        typer.echo(json.dumps(found))
        return
    table = Table("key", "created (UTC)", "last used", "revoked", box=None)
    for key in found:
        table.add_row(
            key["key"], key["created_at"][:16], key["last_used_on"] or "never", (key["revoked_at"] or "")[:16]
        )
    Console(width=100, highlight=False).print(table)


@keys.command()
@bundled
def revoke(
    key: Annotated[str, typer.Argument(help="The key, or its first characters as `planloom keys list` prints them.")],
    account: Annotated[str, typer.Option(help="Name of the account.")],
    to: AsOperator,
) -> None:
    """Revoke a key. It stops working within a minute."""
    with to.ports() as ports:
        try:
            revoked = _shown(revoke_key(ports.keys, ports.clock, checked_account(account), key))
        except InvalidArgument as error:
            exits.leave(exits.REFUSED, error.message)
    to.say(revoked, f"{revoked['key']} is revoked.")


def _shown(key: ApiKey) -> dict[str, Any]:
    shown = key.model_dump(mode="json", exclude={"digest", "shown"})
    return {"key": f"{key.shown}...", **shown}
