"""Say which model profiles this environment makes available, what the others lack, and whether endpoints answer."""

import json
from collections.abc import Mapping
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from planloom.domain.plans import ModelProfile
from planloom.models.profiles import Models, all_profiles
from planloom.wiring import make_models
from planloom_cli.check_endpoints import check_endpoints
from planloom_cli.model_environment import model_environment


def models(
    check: Annotated[
        bool, typer.Option(help="Ask each endpoint for its list of models: is it there, is the key good?")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Answer with one line of JSON on standard output.")] = False,
) -> None:
    """Say which models a service started from here would have, and why others are missing.

    Nothing is called without --check, and no model is asked with it.
    """
    environment = model_environment()
    found = make_models(environment)
    there = {name: list(found.names(name)) for name in found.available()}
    answer: dict[str, Any] = {
        "available": there,
        "unavailable": dict(found.unavailable()),
        "missing": {name: lacking for name in all_profiles() if (lacking := found.missing(name))},
    } | ({"endpoints": check_endpoints(environment)} if check else {})
    if as_json:
        typer.echo(json.dumps(answer))
        return
    Console(width=140, highlight=False).print(_table(found, there))
    for name, said in answer.get("endpoints", {}).items():
        typer.echo(f"{name}: {said}")


def _table(found: Models, there: Mapping[ModelProfile, list[str]]) -> Table:
    table = Table("profile", "model", "", box=None)
    for name in all_profiles():
        for model in there.get(name, []):
            table.add_row(name, model, "available")
        for key, why in found.missing(name).items():
            table.add_row(name, key, f"not available: {why}")
    return table
