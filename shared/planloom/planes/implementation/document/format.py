"""What get_plan_format returns beside the schema: the rules with their codes, the limits, and plans to learn from."""

import json
from functools import cache
from importlib.resources import files

from planloom.planes.implementation.document.codes import CODES
from planloom.planes.implementation.document.limits import LIMITS
from planloom.planes.implementation.document.schema import Document

#: In the order in which they teach: small and whole, then a wide one, then a migration with risks and rollback.
EXAMPLES = ("rate_limit", "flaky_test", "split_table")


@cache
def constraints() -> Document:
    """Return the rules beyond the schema, by code, and the limits; nobody may change it."""
    return {
        "graph": "steps[] with dependsOn[] are a directed graph without circles; a step follows all it depends on.",
        "rules": [{"code": each.code, "severity": each.severity, "rule": each.rule} for each in CODES],
        "limits": LIMITS,
        "extension": "Unknown fields are refused everywhere but under metadata. Viewers keep node positions in "
        "metadata.layout.nodes[] as {id, x, y}.",
        "planId": "Given by create_plan; null or absent before.",
    }


@cache
def examples() -> list[Document]:
    """Return valid plans without warnings; nobody may change them."""
    folder = files(__package__) / "examples"
    return [json.loads((folder / f"{name}.json").read_text(encoding="utf-8")) for name in EXAMPLES]
