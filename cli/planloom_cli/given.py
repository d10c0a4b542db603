"""Corrections of a goal's facts from a file: what `planloom facts --json` printed, edited."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import ValidationError

from planloom.facts.given import FactsGiven
from planloom_cli import exits

FactsFile = Annotated[
    Path | None,
    typer.Option(
        "--facts", help="File with corrections of the facts: what `planloom facts --json` printed, edited by you."
    ),
]


def facts_given(file: Path | None) -> dict[str, Any] | None:
    """Return the corrections in *file* as plan_create takes them; end the command where they do not fit."""
    if file is None:
        return None
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        exits.leave(exits.REFUSED, f"{file} cannot be read as JSON: {error}")
    if not isinstance(found, dict):
        exits.leave(exits.REFUSED, f"{file} is not a JSON object. Write `planloom facts --json` into it and edit that.")
    # what plan_facts shows beside the facts that can be corrected is left out
    known = {name: value for name, value in found.items() if name in FactsGiven.model_fields}
    try:
        given = FactsGiven.model_validate(known)
    except ValidationError as error:
        wrong = "; ".join(f"{'.'.join(str(part) for part in each['loc'])}: {each['msg']}" for each in error.errors())
        exits.leave(exits.REFUSED, f"{file}: {wrong}")
    return given.model_dump(mode="json", exclude_unset=True)
