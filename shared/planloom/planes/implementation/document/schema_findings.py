"""Check a plan against its schema, and say what does not fit in the words of a plan instead of the schema's."""

import importlib
from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from functools import cache
from typing import Any

from planloom.planes.implementation.document.findings import Finding, pointer, shown
from planloom.planes.implementation.document.quick_check import quick_check, whole_text
from planloom.planes.implementation.document.schema import SUPPORTED, VERSION, Document, schema

#: What each pattern of the schema asks for, in words.
_PATTERNS = {
    "^S[0-9]+$": "Step ids are S and a number: S1, S2, S10.",
    "^R[0-9]+$": "Risk ids are R and a number: R1, R2.",
}
_TYPES = {"object": "an object", "array": "a list", "string": "a text", "integer": "a whole number", "null": "null"}


def schema_findings(plan: Document) -> Iterator[Finding]:
    """Yield an error for all that does not fit the schema, in the order of the plan's fields; none where it fits."""
    if _fits()(plan):
        return
    for error in _validator().iter_errors(plan):
        at = tuple(error.absolute_path)
        yield from _EXPLAINED[error.validator](error, at)


@cache
def _fits() -> Callable[[Any], bool]:
    return quick_check(schema())


@cache
def _validator() -> Any:
    # on the first plan that does not fit: the import costs 0.1 s
    jsonschema = importlib.import_module("jsonschema")
    standard = jsonschema.Draft202012Validator

    def items(validator: Any, inner: Any, value: Any, _: Any) -> Iterator[Any]:
        if isinstance(value, list):
            fits = quick_check({**inner, "$defs": schema()["$defs"]})
            for index, item in enumerate(value):
                if not fits(item):
                    yield from validator.descend(item, inner, path=index)

    def pattern(_: Any, wanted: str, value: Any, __: Any) -> Iterator[Any]:
        if isinstance(value, str) and not whole_text(wanted).search(value):
            yield jsonschema.ValidationError(f"{value!r} does not match {wanted!r}")

    return jsonschema.validators.extend(standard, {"items": items, "pattern": pattern})(schema())


def _required(error: Any, at: tuple[Any, ...]) -> Iterator[Finding]:
    conditional = "then" in error.absolute_schema_path
    if conditional and "type" not in error.instance:
        return  # every condition holds where there is no type; that it is missing is a finding of its own
    for name in error.validator_value:
        if name in error.instance:
            continue
        if conditional:
            yield _missing_for_type(error, at, name)
        else:
            hint = _described(error.schema.get("properties", {}).get(name, {}))
            yield Finding(pointer(*at, name), "MISSING_FIELD", f"{_place(at)} has no {name}.", hint)


def _missing_for_type(error: Any, at: tuple[Any, ...], name: str) -> Finding:
    kind = error.instance["type"]
    what = "action" if "actions" in at else "verification"
    needs = " and ".join(error.validator_value)
    return Finding(
        pointer(*at, name),
        f"MISSING_{what.upper()}_FIELD",
        f"{_place(at)} is of type {kind} and has no {name}.",
        f"{kind} needs {needs}.",
    )


def _unknown(error: Any, at: tuple[Any, ...]) -> Iterator[Finding]:
    known = list(error.schema["properties"])
    for name in error.instance:
        if name not in known:
            close = get_close_matches(name, known, 1)
            hint = f"Did you mean {close[0]}?" if close else "Leave it out, or keep it under the plan's metadata."
            yield Finding(
                pointer(*at, name), "UNKNOWN_FIELD", f"{_place(at)} has a field {shown(name)} that is unknown.", hint
            )


def _enum(error: Any, at: tuple[Any, ...]) -> Iterator[Finding]:
    values = [str(value) for value in error.validator_value]
    close = get_close_matches(str(error.instance), values, 1)
    hint = (f"Did you mean {close[0]}? " if close else "") + "It is one of: " + ", ".join(values) + "."
    yield Finding(pointer(*at), "NOT_ALLOWED", f"{_place(at)} is '{shown(error.instance)}'.", hint)


def _pattern(error: Any, at: tuple[Any, ...]) -> Iterator[Finding]:
    if at == ("schemaVersion",):
        message = f"schemaVersion '{shown(error.instance)}' is not supported."
        hint = f"Set it to {VERSION}. Supported: {', '.join(SUPPORTED)}."
        yield Finding(pointer(*at), "UNSUPPORTED_SCHEMA_VERSION", message, hint)
        return
    hint = _PATTERNS.get(error.validator_value, f"It must match {error.validator_value}.")
    yield Finding(pointer(*at), "BAD_FORMAT", f"{_place(at)} is '{shown(error.instance)}'.", hint)


def _type(error: Any, at: tuple[Any, ...]) -> Iterator[Finding]:
    wanted = error.validator_value if isinstance(error.validator_value, list) else [error.validator_value]
    needed = " or ".join(_TYPES.get(kind, f"a {kind}") for kind in wanted)
    yield Finding(pointer(*at), "WRONG_TYPE", f"{_place(at)} must be {needed}, not {_kind_of(error.instance)}.")


def _bound(code: str, words: str) -> Callable[[Any, tuple[Any, ...]], Iterator[Finding]]:
    def explain(error: Any, at: tuple[Any, ...]) -> Iterator[Finding]:
        found = error.instance if isinstance(error.instance, int | float) else len(error.instance)
        problem = words.format(bound=error.validator_value, found=found)
        yield Finding(pointer(*at), code, f"{_place(at)} {problem}.")

    return explain


def _unique(_: Any, at: tuple[Any, ...]) -> Iterator[Finding]:
    yield Finding(pointer(*at), "DUPLICATE_ITEM", f"{_place(at)} names something twice.", "Name each once.")


_EXPLAINED: Mapping[str, Callable[[Any, tuple[Any, ...]], Iterator[Finding]]] = {
    "required": _required,
    "additionalProperties": _unknown,
    "enum": _enum,
    "pattern": _pattern,
    "type": _type,
    "minLength": _bound("TOO_SHORT", "has {found} characters; at least {bound} are needed"),
    "maxLength": _bound("TOO_LONG", "has {found} characters; at most {bound} are taken"),
    "minItems": _bound("TOO_FEW_ITEMS", "has {found} entries; at least {bound} are needed"),
    "maxItems": _bound("TOO_MANY_ITEMS", "has {found} entries; at most {bound} are taken"),
    "minimum": _bound("OUT_OF_RANGE", "is {found}; it must be at least {bound}"),
    "maximum": _bound("OUT_OF_RANGE", "is {found}; it must be at most {bound}"),
    "uniqueItems": _unique,
}


def _place(at: tuple[Any, ...]) -> str:
    return shown(pointer(*at), 120) or "The plan"


def _described(field: Mapping[str, Any]) -> str | None:
    """Say what a missing field may hold, where the schema lists it."""
    if "enum" in field:
        return "It is one of: " + ", ".join(field["enum"]) + "."
    if field.get("type") == "array" and not field.get("minItems"):
        return "Send an empty list where there is nothing to name."
    return _PATTERNS.get(field.get("pattern", ""))


def _kind_of(value: object) -> str:
    if isinstance(value, bool):
        return "true or false"
    kinds: tuple[tuple[type | tuple[type, ...], str], ...] = (
        (dict, "an object"),
        (list, "a list"),
        (str, "a text"),
        ((int, float), "a number"),
    )
    return next((name for kind, name in kinds if isinstance(value, kind)), "null")
