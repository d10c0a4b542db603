"""The schema as plain functions, to pass quickly over what fits; what does not fit is left to the JSON Schema library.

The library alone is too slow for plans of hundreds of steps. They may say no to a value that fits, never yes to one
that does not; tests hold that against the library.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

Check = Callable[[Any], bool]
Schema = Mapping[str, Any]

_ANNOTATIONS = frozenset({"$schema", "$id", "$defs", "title"})
_TYPES: Mapping[str, Check] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "null": lambda value: value is None,
}


def quick_check(schema: Schema) -> Check:
    """Compile *schema*. Raises ValueError for a keyword that is not known here."""
    return _Compiler(schema).compile(schema)


def whole_text(pattern: str) -> re.Pattern[str]:
    """Compile *pattern* as JSON Schema means it: ``$`` is the end, where Python lets a line break follow."""
    return re.compile(re.sub(r"(?<!\\)\$$", r"\\Z", pattern))


class _Compiler:
    def __init__(self, root: Schema) -> None:
        self._root = root
        self._known: dict[str, Check] = {}

    def compile(self, schema: Schema) -> Check:
        checks = [self._keyword(name, value, schema) for name, value in schema.items() if name not in _ANNOTATIONS]
        return _all_of(checks)

    def _keyword(self, name: str, value: Any, schema: Schema) -> Check:
        build = _KEYWORDS.get(name)
        if build:
            return build(value)
        inner: Mapping[str, Callable[[], Check]] = {
            "$ref": lambda: self._reference(value),
            "properties": lambda: self._properties(value, schema.get("additionalProperties", True)),
            "additionalProperties": lambda: _one_of(value in (True, False)),
            "items": lambda: self._items(value),
            "allOf": lambda: self._conditions(value),
        }
        if name not in inner:
            raise ValueError(f"keyword {name} is not known to the quick check")
        return inner[name]()

    def _reference(self, reference: str) -> Check:
        name = reference.removeprefix("#/$defs/")
        if name not in self._known:
            self._known[name] = self.compile(self._root["$defs"][name])
        return self._known[name]

    def _properties(self, properties: Mapping[str, Schema], others: bool) -> Check:
        checks = {name: self.compile(schema) for name, schema in properties.items()}

        def check(value: Any) -> bool:
            if not isinstance(value, dict):
                return False
            for name, inner in value.items():
                known = checks.get(name)
                if not (known(inner) if known else others):
                    return False
            return True

        return check

    def _items(self, schema: Schema) -> Check:
        check = self.compile(schema)

        def each(value: Any) -> bool:
            if not isinstance(value, list):
                return False
            for item in value:  # noqa: SIM110 - quicker than all(), and a plan has thousands
                if not check(item):
                    return False
            return True

        return each

    def _conditions(self, conditions: list[Schema]) -> Check:
        """Compile ``allOf`` of: if a field is this constant, then that schema; a table, since one at most applies."""
        table: dict[str, Check] = {}
        fields = set()
        for each in conditions:
            ((field, constant),) = each["if"]["properties"].items()
            fields.add(field)
            if each.keys() != {"if", "then"} or constant.keys() != {"const"} or not isinstance(constant["const"], str):
                raise ValueError("allOf is known to the quick check as a list of: if a field is this text, then that")
            table[constant["const"]] = self.compile(each["then"])
        (field,) = fields

        def check(value: Any) -> bool:
            # an absent field meets every condition: the library's business
            if not isinstance(value, dict) or not isinstance(value.get(field), str):
                return False
            found = table.get(value[field])
            return found is None or found(value)

        return check


def _all_of(checks: list[Check]) -> Check:
    def check(value: Any) -> bool:
        for each in checks:  # noqa: SIM110 - quicker than all(), and a plan has thousands
            if not each(value):
                return False
        return True

    return check


def _one_of(known: bool) -> Check:
    if not known:
        raise ValueError("additionalProperties is known to the quick check as true or false")
    return lambda value: True  # noqa: ARG005 - "properties" looks at it


def _type(kinds: str | list[str]) -> Check:
    checks = [_TYPES[kind] for kind in ([kinds] if isinstance(kinds, str) else kinds)]
    return checks[0] if len(checks) == 1 else lambda value: any(check(value) for check in checks)


def _unique(wanted: bool) -> Check:
    def check(value: Any) -> bool:
        texts = isinstance(value, list) and all(isinstance(item, str) for item in value)
        return texts and len(set(value)) == len(value)

    return check if wanted else lambda value: True  # noqa: ARG005


def _least(bound: float) -> Check:
    return lambda value: isinstance(value, int | float) and value >= bound


def _most(bound: float) -> Check:
    return lambda value: isinstance(value, int | float) and value <= bound


def _required(names: list[str]) -> Check:
    wanted = frozenset(names)
    return lambda value: isinstance(value, dict) and wanted <= value.keys()


def _enum(values: list[Any]) -> Check:
    texts = frozenset(value for value in values if isinstance(value, str))
    return lambda value: isinstance(value, str) and value in texts


def _pattern(pattern: str) -> Check:
    search = whole_text(pattern).search
    return lambda value: isinstance(value, str) and search(value) is not None


#: Lengths are those of texts where the value may be null: null has none.
_KEYWORDS: Mapping[str, Callable[[Any], Check]] = {
    "type": _type,
    "enum": _enum,
    "pattern": _pattern,
    "required": _required,
    "uniqueItems": _unique,
    "minimum": _least,
    "maximum": _most,
    "minLength": lambda bound: lambda value: value is None or (isinstance(value, str) and len(value) >= bound),
    "maxLength": lambda bound: lambda value: isinstance(value, str) and len(value) <= bound,
    "minItems": lambda bound: lambda value: isinstance(value, list) and len(value) >= bound,
    "maxItems": lambda bound: lambda value: isinstance(value, list) and len(value) <= bound,
}
