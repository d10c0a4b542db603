"""Reads corrections of facts from a file: the edited output of `planloom facts --json`."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import ValidationError

from planloom.planes.strategic.facts.given import FactsGiven
from planloom_cli import exits

FactsFile = Annotated[
    Path | None,
    typer.Option("--facts", help="File with corrected facts: the output of `planloom facts --json`, edited by you."),
]


def facts_given(file: Path | None) -> dict[str, Any] | None:
    """Return the corrections in *file* in the format of plan_create; end the command if they are invalid."""
    if file is None:
        return None
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        exits.leave(
            exits.REFUSED,
            f"The file {file} cannot be read as JSON: {error}. Use the output of `planloom facts --json`.",
        )
    if not isinstance(found, dict):
        exits.leave(exits.REFUSED, f"The file {file} is not a JSON object. Use the output of `planloom facts --json`.")
    # the output of plan_facts has other fields as well
    known = {name: value for name, value in found.items() if name in FactsGiven.model_fields}
    try:
        given = FactsGiven.model_validate(known)
    except ValidationError as error:
        wrong = "; ".join(f"{'.'.join(str(part) for part in each['loc'])}: {each['msg']}" for each in error.errors())
        exits.leave(exits.REFUSED, f"The file {file} has invalid facts: {wrong}. Correct them and repeat the command.")
    return given.model_dump(mode="json", exclude_unset=True)
