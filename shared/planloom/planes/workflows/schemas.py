"""The schemas of drafts, in which ``required`` is a field of each property, and JSON Schema that they compile to."""

from collections.abc import Iterator, Mapping
from typing import Any

from planloom.core.problems import Problem

TYPES = ("object", "array", "string", "number", "integer", "boolean", "null")
#: Keywords that JSON Schema has with the same meaning. ``pattern`` is not among them: it could take for ever.
SAME = (
    "title", "description", "default", "examples", "enum", "const", "minLength", "maxLength", "minimum", "maximum",
    "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minItems", "maxItems", "uniqueItems", "minProperties",
    "maxProperties",
)  # fmt: skip
DEEPEST = 20
KNOWN = frozenset({"type", "required", "properties", "items", "additionalProperties", *SAME})


def to_json_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the JSON Schema of a valid *schema* of a draft."""
    made = {name: schema[name] for name in ("type", *SAME) if name in schema}
    properties = schema.get("properties")
    if properties is not None:
        made["properties"] = {name: to_json_schema(each) for name, each in properties.items()}
        made["required"] = [name for name, each in properties.items() if each.get("required") is True]
    if "items" in schema:
        made["items"] = to_json_schema(schema["items"])
    if "additionalProperties" in schema:
        made["additionalProperties"] = schema["additionalProperties"]
    return made


def schema_problems(schema: Any, path: str, depth: int = 0) -> Iterator[Problem]:
    """Yield what is wrong with *schema*, which is at *path* of the draft."""
    if not isinstance(schema, Mapping):
        yield _problem(path, "A schema is an object with type, required, properties and items.")
        return
    if depth > DEEPEST:
        yield _problem(path, f"The schema is nested more than {DEEPEST} deep.", "Describe the inner part in words.")
        return
    for name in schema:
        if name not in KNOWN:
            yield _problem(f"{path}/{pointer_part(name)}", f"“{name}” is not a keyword of schemas.", _KEYWORDS)
    yield from _type_problems(schema, path)
    yield from _keyword_problems(schema, path)
    properties = schema.get("properties", {})
    if not isinstance(properties, Mapping):
        yield _problem(f"{path}/properties", "properties is an object: a schema for each name.")
    else:
        for name, each in properties.items():
            yield from schema_problems(each, f"{path}/properties/{pointer_part(name)}", depth + 1)
    if "items" in schema:
        yield from schema_problems(schema["items"], f"{path}/items", depth + 1)


_KEYWORDS = f"Keywords: {', '.join(sorted(KNOWN))}."


def _type_problems(schema: Mapping[str, Any], path: str) -> Iterator[Problem]:
    kind = schema.get("type")
    kinds = kind if isinstance(kind, list) and kind else [kind]
    wrong = [each for each in kinds if each not in TYPES]
    if kind is None and not {"enum", "const"} & set(schema):
        yield _problem(f"{path}/type", "The schema has no type.", f"Types: {', '.join(TYPES)}.")
    elif kind is not None and wrong:
        yield _problem(f"{path}/type", f"“{str(wrong[0])[:60]}” is not a type.", f"Types: {', '.join(TYPES)}.")


def _keyword_problems(schema: Mapping[str, Any], path: str) -> Iterator[Problem]:
    if not isinstance(schema.get("required", False), bool):
        hint = 'Write "required": true in the property itself instead of a list of names in its object.'
        yield _problem(f"{path}/required", "required is true or false.", hint)
    if not isinstance(schema.get("additionalProperties", False), bool):
        yield _problem(f"{path}/additionalProperties", "additionalProperties is true or false.")
    if "enum" in schema and not (isinstance(schema["enum"], list) and schema["enum"]):
        yield _problem(f"{path}/enum", "enum is a list of the allowed values.")
    for name in ("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"):
        value = schema.get(name, 0)
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            yield _problem(f"{path}/{name}", f"{name} is a whole number, 0 or more.")
    for name in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"):
        value = schema.get(name, 1)
        if isinstance(value, bool) or not isinstance(value, int | float) or (name == "multipleOf" and value <= 0):
            yield _problem(f"{path}/{name}", f"{name} is a number.")


def pointer_part(name: str) -> str:
    """Return *name* as a part of a JSON Pointer."""
    return name.replace("~", "~0").replace("/", "~1")


def _problem(path: str, message: str, hint: str = "") -> Problem:
    return Problem(path=path, code="INVALID_SCHEMA", message=message, hint=hint)
