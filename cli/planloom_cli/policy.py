"""`planloom policy`: the operator says what programs of an account must not do."""

from typing import Annotated

import typer

from planloom.core.endpoint import Effect
from planloom.core.errors import InvalidArgument
from planloom.planes import PLANES, SHARED
from planloom.planes.programs.declared import set_policy
from planloom.planes.programs.verdict import Policy
from planloom.wiring.programs import entity_store
from planloom_cli import exits
from planloom_cli.operate import AsOperator, checked_account
from planloom_cli.options import bundled

policy = typer.Typer(help="Deny programs of an account entities, calls or effects.", no_args_is_help=True)

Account = Annotated[str, typer.Argument(help="Name of the account.")]


@policy.command()
@bundled
def show(account: Account, to: AsOperator) -> None:
    """Show what programs of an account must not do."""
    with to.ports() as ports:
        _say(to, account, entity_store(*ports.table).policy(checked_account(account)))


@policy.command("set")
@bundled
def set_(
    account: Account,
    to: AsOperator,
    deny: Annotated[
        list[str] | None, typer.Option(help="An entity or a call: Run, Run.delete. May be repeated.")
    ] = None,
    deny_effect: Annotated[list[Effect] | None, typer.Option(help="Calls with this effect. May be repeated.")] = None,
) -> None:
    """Replace what programs of an account must not do; without options they may do everything."""
    wanted = Policy(deny=tuple(deny or ()), deny_effects=tuple(deny_effect or ()))
    with to.ports() as ports:
        try:
            set_policy(entity_store(*ports.table), (*PLANES, *SHARED), checked_account(account), wanted)
        except InvalidArgument as error:
            exits.leave(exits.REFUSED, error.message)
    _say(to, account, wanted)


def _say(to: AsOperator, account: str, found: Policy) -> None:
    denied = [*found.deny, *(f"every call that {each}" for each in found.deny_effects)]
    said = f"{account}: denied are {', '.join(denied)}" if denied else f"{account}: nothing is denied"
    to.say({"account": account, **found.model_dump(mode="json")}, said)
