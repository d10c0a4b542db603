"""Make the least answer that a schema allows, which says of every text that it is missing."""

import re
from datetime import date
from typing import Any, TypeVar

from planloom.domain.frozen import Answer
from planloom.models.model import schema_of

A = TypeVar("A", bound=Answer)

MISSING = "Missing: the model gave no usable answer. "
#: Names for fields with a pattern: the first that matches is taken.
NAMES = ("missing", "1.1", "A1", "B1", "L1", "N1", "R1", "XXX")


def blank_answer(answer: type[A], day: date) -> A:
    """Return an *answer* with its required fields alone, its least numbers and its first choices; every date is *day*.

    Raises StopIteration where no name fits a pattern, ValidationError where validators ask for more than the schema.
    """
    schema = schema_of(answer)
    return answer.model_validate(_value(schema, schema.get("$defs", {}), day))


def _value(schema: dict[str, Any], defined: dict[str, Any], day: date) -> Any:
    if "$ref" in schema:
        return _value(defined[schema["$ref"].rpartition("/")[2]], defined, day)
    if "anyOf" in schema:
        return _value(schema["anyOf"][0], defined, day)
    if "enum" in schema or "const" in schema:
        return schema.get("const", schema.get("enum", [None])[0])
    kind = schema["type"]
    if kind == "object":
        return {name: _value(schema["properties"][name], defined, day) for name in schema.get("required", ())}
    if kind == "array":
        return [_value(schema["items"], defined, day)] * schema.get("minItems", 0)
    return _text(schema, day) if kind == "string" else _scalar(schema)


def _text(schema: dict[str, Any], day: date) -> str:
    if schema.get("format") == "date":
        return day.isoformat()
    if "pattern" in schema:
        return next(name for name in NAMES if re.search(schema["pattern"], name))
    least: int = schema.get("minLength", 0)
    whole: str = (MISSING * (least // len(MISSING) + 1)).strip()
    most: int = schema.get("maxLength", len(whole))
    return whole[:most].ljust(least, ".")


def _scalar(schema: dict[str, Any]) -> float | bool | None:
    if schema["type"] in ("boolean", "null"):
        return False if schema["type"] == "boolean" else None
    if "exclusiveMinimum" not in schema:
        least: float = schema.get("minimum", 0)
        return least
    low: float = schema["exclusiveMinimum"]
    return low + 1 if schema["type"] == "integer" else (low + schema.get("maximum", low + 2)) / 2
