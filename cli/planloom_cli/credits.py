"""`planloom credits`: the operator shows and adds credits of an account."""

import json
from typing import Annotated

import typer

from planloom.planes.strategic.services.credits import add_credits
from planloom_cli import exits
from planloom_cli.operate import AsOperator, checked_account
from planloom_cli.options import bundled

credits_ = typer.Typer(help="Show and add credits of an account, if the service uses credits.", no_args_is_help=True)

Account = Annotated[str, typer.Argument(help="Name of the account.")]
NEWEST = 20


@credits_.command()
@bundled
def show(account: Account, to: AsOperator) -> None:
    """Show the balance and the newest entries of the ledger."""
    with to.ports() as ports:
        balance = ports.credits.balance(checked_account(account))
        entries = [entry.model_dump(mode="json", exclude={"account"}) for entry in ports.credits.entries(account)]
    if to.as_json:
        typer.echo(json.dumps({"account": account, "balance": balance, "entries": entries[-NEWEST:]}))
        return
    typer.echo(f"{account}: {balance} credits")
    for entry in entries[-NEWEST:]:
        typer.echo(
            f"{entry['at'][:16]}  {entry['amount']:+6}  {entry['kind']:<8}  {entry['note'] or entry['entry_id']}"
        )


@credits_.command()
@bundled
def add(
    account: Account,
    amount: Annotated[int, typer.Argument(help="Number of credits; a stage costs 1, a whole plan 30.")],
    to: AsOperator,
    note: Annotated[str, typer.Option(help="Reason, written to the ledger.")] = "",
) -> None:
    """Add credits to an account and print its balance."""
    if amount < 1:
        exits.leave(exits.REFUSED, f"The amount {amount} is too small. Add 1 credit or more.")
    with to.ports() as ports:
        balance = add_credits(ports.billing, ports.new_id, checked_account(account), amount, note[:200])
    to.say({"account": account, "balance": balance}, f"{account}: {balance} credits")
