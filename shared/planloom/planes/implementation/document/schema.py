"""The JSON Schema of implementation plans, version 1.0.0, as the specification has it."""

import json
from functools import cache
from importlib.resources import files
from typing import Any

from planloom.planes.implementation.errors import UnsupportedSchemaVersion

#: A plan: any JSON object until it has been checked.
Document = dict[str, Any]

VERSION = "1.0.0"
SUPPORTED = (VERSION,)


@cache
def schema() -> Document:
    """Return the schema (draft 2020-12); nobody may change it."""
    text = (files(__package__) / f"planflow-{VERSION}.json").read_text(encoding="utf-8")
    return dict(json.loads(text))


def definition(name: str) -> Document:
    """Return one of the schema's ``$defs``: step, target, verification, output, rollback or action."""
    return dict(schema()["$defs"][name])


def supported(version: str | None) -> str:
    """Return *version*, the newest for None. Raises UnsupportedSchemaVersion."""
    if version is None:
        return VERSION
    if version not in SUPPORTED:
        raise UnsupportedSchemaVersion(
            f"schemaVersion '{version[:40]}' is not supported. Send '{VERSION}'.", supported=list(SUPPORTED)
        )
    return version
