"""`planloom models`: lists the model profiles of this environment, and what is missing for the others."""

import json
from collections.abc import Mapping
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from planloom.models.profile import ModelProfile
from planloom.models.profiles import Models, all_profiles
from planloom.wiring.models import make_models
from planloom_cli.check_endpoints import check_endpoints
from planloom_cli.model_environment import model_environment


def models(
    check: Annotated[
        bool, typer.Option(help="Request the list of models from each endpoint, to check the URL and the key.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one line of JSON on standard output.")] = False,
) -> None:
    """List the models that a service started with this environment has, and why others are missing.

    Sends requests only with --check, and never calls a model.
    """
    environment = model_environment()
    found = make_models(environment)
    available = {name: list(found.names(name)) for name in found.available()}
    answer: dict[str, Any] = {
        "available": available,
        "unavailable": dict(found.unavailable()),
        "missing": {name: missing for name in all_profiles() if (missing := found.missing(name))},
    } | ({"endpoints": check_endpoints(environment)} if check else {})
    if as_json:
        typer.echo(json.dumps(answer))
        return
    Console(width=140, highlight=False).print(_table(found, available))
    for name, result in answer.get("endpoints", {}).items():
        typer.echo(f"{name}: {result}")


def _table(found: Models, available: Mapping[ModelProfile, list[str]]) -> Table:
    table = Table("profile", "model", "", box=None)
    for name in all_profiles():
        for model in available.get(name, []):
            table.add_row(name, model, "available")
        for key, reason in found.missing(name).items():
            table.add_row(name, key, f"not available: {reason}")
    return table
