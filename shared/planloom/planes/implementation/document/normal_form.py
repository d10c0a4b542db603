"""One spelling for plans that mean the same: fields in the schema's order, absent optional lists as empty ones."""

from typing import Any

from planloom.planes.implementation.document.schema import Document, schema


def normal_form(plan: Document) -> Document:
    """Return *plan*, which is valid, in normal form; it is valid as well, and its own normal form."""
    ordered: Document = _normal(plan, schema())
    return ordered


def _normal(value: Any, shape: Document) -> Any:
    if "$ref" in shape:
        shape = schema()["$defs"][shape["$ref"].rsplit("/", 1)[-1]]
    if isinstance(value, list) and "items" in shape:
        return [_normal(item, shape["items"]) for item in value]
    if not isinstance(value, dict) or "properties" not in shape:
        return value
    fields = {name: _field(value, name, inner) for name, inner in shape["properties"].items()}
    return {name: inner for name, inner in fields.items() if inner is not None or name in value}


def _field(value: Document, name: str, shape: Document) -> Any:
    if name in value:
        return _normal(value[name], shape)
    return [] if shape.get("type") == "array" and not shape.get("minItems") else None
