"""Propose entities for an HTTP API from its OpenAPI description; a person or an agent looks at them before they count.

Two paths make an entity: ``GET /items``, which answers with a list, and ``GET /items/{id}``. ``POST /items`` and calls
below ``/items/{id}`` become its capabilities.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from planloom.core.endpoint import Effect
from planloom.core.entities import (
    Capability,
    CapabilityArgument,
    Entity,
    EntityField,
    FieldType,
    GetCall,
    ListCall,
    Paging,
)

#: Entities that one description proposes at most, and fields of one.
MOST_ENTITIES, MOST_FIELDS = 50, 40
_SIZES = ("limit", "per_page", "page_size", "pagesize", "size", "max_results", "count")
_CURSORS = ("cursor", "page_token", "pagetoken", "next_token", "after", "starting_after", "continuation")
_NEXT = ("next_cursor", "next_page_token", "nextpagetoken", "next_token", "next", "cursor", "continuation")
_LISTS = ("items", "data", "results", "values", "entries", "records")
_TYPES: Mapping[str, FieldType] = {
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "array": "list",
    "object": "object",
}
_METHODS = {"post": Effect.CHANGES, "put": Effect.CHANGES, "patch": Effect.CHANGES, "delete": Effect.DESTROYS}

Json = Mapping[str, Any]


def propose(description: Json, server: str) -> list[Entity]:
    """Return the entities that an OpenAPI *description* (3.x, as JSON) allows for, with the backend ``http:<server>``.

    What is not understood is left out; a description without lists proposes nothing.
    """
    paths = description.get("paths")
    if not isinstance(paths, Mapping):
        return []
    found: dict[str, Entity] = {}
    for path in paths:
        try:
            entity = _Resource(description, paths, str(path)).entity(server)
        except (TypeError, ValueError, AttributeError, LookupError):
            continue  # the description is somebody else's text: a part of it that makes no sense is left out
        if entity is not None and len(found) < MOST_ENTITIES:
            found.setdefault(entity.name, entity)
    return list(found.values())


@dataclass
class _Resource:
    """What a description says of one path of lists, and of the paths below it."""

    description: Json
    paths: Json
    path: str

    def entity(self, server: str) -> Entity | None:
        """Return the entity whose rows ``GET`` of the path lists, None where it lists none."""
        listed = self._of(self.path, "get")
        response = self._response(listed)
        where, row = self._rows(response)
        fields = list(self._fields(row))
        name = _entity_name(self.path)
        if not fields or not name:
            return None
        needs = tuple(_names(self.path))
        known = [each.name for each in fields]
        key = next((each for each in ("id", "uuid", "key", "name") if each in known), known[0])
        fields += [EntityField(name=each) for each in needs if each not in known]
        filters = dict.fromkeys(needs, "") | self._filters(listed, {field.name for field in fields})
        return Entity(
            name=name,
            description=str(listed.get("summary", ""))[:200],
            backend=f"http:{server}",
            key=key,
            fields=tuple(fields),
            list=ListCall(
                operation=f"GET {self.path}",
                rows=where,
                paging=self._paging(listed, response),
                filters={field: parameter or field for field, parameter in filters.items()},
                needs=needs,
            ),
            get=self._get() if not needs else None,
            capabilities=tuple(self._capabilities()),
        )

    def _get(self) -> GetCall | None:
        path = self._item()
        return GetCall(operation=f"GET {path}", key=_names(path)[-1]) if self._has(path, "get") else None

    def _item(self) -> str:
        """Return the path of one item, such as ``/items/{id}``; empty where there is none."""
        pattern = re.compile(rf"{re.escape(self.path.rstrip('/'))}/\{{\w+\}}/?")
        return next((str(path) for path in self.paths if pattern.fullmatch(str(path))), "")

    def _capabilities(self) -> Iterator[Capability]:
        if self._has(self.path, "post"):
            yield self._capability("create", "post", self.path, "")
        item = self._item()
        if not item:
            return
        key = _names(item)[-1]
        for method, name in (("put", "replace"), ("patch", "update"), ("delete", "delete")):
            if self._has(item, method):
                yield self._capability(name, method, item, key)
        for path in map(str, self.paths):
            verb = path.removeprefix(f"{item.rstrip('/')}/")
            if path != verb and re.fullmatch(r"[A-Za-z]\w*", verb) and self._has(path, "post"):
                yield self._capability(verb, "post", path, key)

    def _capability(self, name: str, method: str, path: str, key: str) -> Capability:
        operation = self._of(path, method)
        body = self._resolved(_at(operation, "requestBody", "content", "application/json", "schema"))
        required = set(body.get("required", ()))
        places = [each for each in _names(path) if each != key]
        arguments = [CapabilityArgument(name=each, type="any", required=True) for each in places]
        arguments += [
            CapabilityArgument(name=each, type=self._type(schema), required=each in required)
            for each, schema in self._properties(body)
            if each not in places and each != key and re.fullmatch(r"[A-Za-z_]\w*", each)
        ]
        return Capability(
            name=name,
            operation=f"{method.upper()} {path}",
            effect=_METHODS[method],
            key=key,
            arguments=tuple(arguments[:MOST_FIELDS]),
            repeatable=method in ("put", "delete"),
            description=str(operation.get("summary", ""))[:200],
        )

    def _rows(self, response: Json) -> tuple[str, Json]:
        """Return where a page has its rows, and the schema of one."""
        if response.get("type") == "array":
            return ".", self._resolved(response.get("items"))
        lists = {name: self._resolved(schema) for name, schema in self._properties(response)}
        lists = {name: schema for name, schema in lists.items() if schema.get("type") == "array"}
        name = next((each for each in _LISTS if each in lists), next(iter(lists), ""))
        return (name, self._resolved(lists[name].get("items"))) if name else ("", {})

    def _fields(self, row: Json) -> Iterator[EntityField]:
        for name, schema in list(self._properties(row))[:MOST_FIELDS]:
            kind = self._type(schema)
            values = tuple(each for each in self._resolved(schema).get("enum", ()) if isinstance(each, str))
            if re.fullmatch(r"[A-Za-z]\w*", name):
                yield EntityField(name=name, type="object" if kind == "any" else kind, values=values)

    def _filters(self, operation: Json, fields: set[str]) -> dict[str, str]:
        return {name: name for name in self._parameters(operation) if name in fields}

    def _paging(self, operation: Json, response: Json) -> Paging:
        parameters = self._parameters(operation)
        by_lower = {name.lower(): name for name in parameters}
        size = next((by_lower[each] for each in _SIZES if each in by_lower), "")
        most = parameters[size].get("maximum") if size else None
        pages: dict[str, Any] = {"size": size, "most": most if isinstance(most, int) and 0 < most < 100 else 100}
        following = {name.lower(): name for name, _ in self._properties(response)}
        token = next((following[each] for each in _NEXT if each in following), "")
        cursor = next((by_lower[each] for each in _CURSORS if each in by_lower), "")
        if cursor and token:
            return Paging(style="cursor", parameter=cursor, next=token, **pages)
        if "offset" in by_lower:
            return Paging(style="offset", parameter=by_lower["offset"], **pages)
        if "page" in by_lower:
            return Paging(style="page", parameter=by_lower["page"], first=1, **pages)
        return Paging(**pages)

    def _parameters(self, operation: Json) -> dict[str, Json]:
        """Return the schemas of the parameters in the query, by name."""
        found = [self._resolved(each) for each in operation.get("parameters", ())]
        return {each["name"]: self._resolved(each.get("schema")) for each in found if each.get("in") == "query"}

    def _has(self, path: str, method: str) -> bool:
        return isinstance(_at(self.paths, path, method), Mapping)

    def _of(self, path: str, method: str) -> Json:
        found = _at(self.paths, path, method)
        return found if isinstance(found, Mapping) else {}

    def _response(self, operation: Json) -> Json:
        content = self._resolved(_at(operation, "responses", "200")).get("content", {})
        return self._resolved(_at(content, "application/json", "schema"))

    def _properties(self, schema: Json) -> Iterator[tuple[str, Any]]:
        for part in (schema, *map(self._resolved, schema.get("allOf", ()))):
            properties = part.get("properties")
            if isinstance(properties, Mapping):
                yield from ((str(name), each) for name, each in properties.items())

    def _type(self, schema: Any) -> Any:
        found = self._resolved(schema)
        kind = found.get("type")
        kind = next((each for each in kind if each != "null"), None) if isinstance(kind, list) else kind
        if kind == "string":
            return "time" if found.get("format") in ("date-time", "date") else "text"
        return _TYPES.get(str(kind), "any")

    def _resolved(self, schema: Any) -> Json:
        """Return *schema*, or what its reference within the description names."""
        for _ in range(8):
            ref = schema.get("$ref") if isinstance(schema, Mapping) else None
            if not isinstance(ref, str):
                break
            schema = _at(self.description, *ref.removeprefix("#/").split("/")) if ref.startswith("#/") else {}
        return schema if isinstance(schema, Mapping) else {}


def _at(value: Any, *names: str) -> Any:
    for name in names:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def _names(path: str) -> list[str]:
    return re.findall(r"\{(\w+)\}", path)


def _entity_name(path: str) -> str:
    """Return ``OrderItem`` for ``/v1/orders/{id}/order-items``."""
    last = path.rstrip("/").rpartition("/")[2]
    words = re.findall(r"[A-Za-z][a-z0-9]*", last)
    if not words or "{" in last:
        return ""
    words[-1] = _singular(words[-1])
    return "".join(word.capitalize() for word in words)


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word
