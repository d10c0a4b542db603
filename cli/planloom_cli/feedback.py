"""`planloom feedback`: lists the feedback of callers for the operator."""

import json
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from planloom.planes.strategic.services.feedback import list_feedback
from planloom_cli.operate import AsOperator, checked_account


def feedback(
    to: AsOperator,
    account: Annotated[str | None, typer.Option(help="List only feedback of this account.")] = None,
) -> None:
    """List the feedback of callers, newest first, with your AWS credentials or --local."""
    with to.ports() as ports:
        found = list_feedback(ports.feedback, checked_account(account) if account else None)
    if to.as_json:
        typer.echo(json.dumps([each.model_dump(mode="json") for each in found]))
        return
    table = Table("given (UTC)", "account", "rating", "about", "plan", "text", box=None)
    for each in found:
        at = each.given_at.isoformat()[:16]
        table.add_row(at, each.account, str(each.rating), each.category, each.plan_id or "", each.text)
    Console(width=160, highlight=False, markup=False).print(table)
