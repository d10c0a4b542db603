"""Say which model profiles this environment makes available, and what the others lack."""

import json
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from planloom.settings import EndpointSettings
from planloom.wiring import make_models


def models(
    as_json: Annotated[bool, typer.Option("--json", help="Answer with one line of JSON on standard output.")] = False,
) -> None:
    """Say which models a service started from here would have, and why others are missing. Nothing is called."""
    found = make_models(EndpointSettings.read())
    there = {name: list(found.names(name)) for name in found.available()}
    missing = dict(found.unavailable())
    if as_json:
        typer.echo(json.dumps({"available": there, "unavailable": missing}))
        return
    table = Table("profile", "models", box=None)
    for name, models_ in there.items():
        table.add_row(name, ", ".join(models_))
    for name, why in missing.items():
        table.add_row(name, f"not available: {why}")
    Console(width=140, highlight=False).print(table)
