"""Values of ids and arguments as JSON, with references to the nodes that they come from."""

import json
from collections.abc import Iterable, Mapping
from operator import itemgetter
from typing import Any, Protocol

from planloom.core.entities import CapabilityArgument
from planloom.planes.programs import syntax as s
from planloom.planes.programs.names import nearest, suggestion
from planloom.planes.programs.shapes import Shape


class Names(Protocol):
    """What is known where a value is: bindings and shapes by node, and where to complain."""

    bindings: dict[str, str]
    shapes: dict[str, Shape]
    used: set[str]

    def complain(self, message: str, at: s.Place, nearest: str = "") -> None:
        """Keep a problem."""

    def check_fields(self, shape: Shape, paths: Iterable[s.Ref]) -> None:
        """Complain of paths that rows of *shape* do not have."""


class Values:
    """The values of one node's arguments, and the nodes that they refer to: inputs after the first, its source."""

    def __init__(self, compiler: Names, of: str = "") -> None:
        self.of = of
        self._compiler = compiler
        self._nodes: list[str] = []

    @property
    def inputs(self) -> tuple[str, ...]:
        """The inputs of a node without a source."""
        return (self.of, *self._nodes) if self.of else tuple(self._nodes)

    @property
    def others(self) -> tuple[str, ...]:
        """The inputs beside the source."""
        return tuple(self._nodes)

    def place(self, node: str) -> int:
        """Return the place of *node* among the inputs."""
        if node not in self._nodes:
            self._nodes.append(node)
        return self._nodes.index(node) + bool(self.of)

    def ref(self, node: str, path: str) -> dict[str, Any]:
        """Return the reference to a field of *node*'s row."""
        return {"$ref": [self.place(node), path]}

    def use(self, ref: s.Ref) -> str:
        """Return what a condition calls the binding that *ref* begins with, with the rest of its path."""
        node, path = self._bound(ref)
        return f"_{self.place(node)}.{path}"

    def _bound(self, ref: s.Ref) -> tuple[str, str]:
        compiler = self._compiler
        compiler.used.add(ref.first)
        node = compiler.bindings[ref.first]
        shape = compiler.shapes[node]
        path = ref.path[len(ref.first) :].lstrip(".") or (shape.entity.key if shape.entity else "id")
        compiler.check_fields(shape, (s.Ref(path, ref.at),))
        return node, path

    def encode(self, value: s.Value, argument: CapabilityArgument | None, key: bool = False) -> Any:
        """Return *value* as JSON, with references to inputs and to ``each``."""
        match value:
            case s.Literal():
                self._check(value, argument)
                return value.value
            case s.ListOf():
                return [self.encode(item, None) for item in value.items]
            case s.ObjectOf():
                return self._object(value)
            case s.Ref():
                return self._reference(value, argument, key)
            case s.Moment():
                return {"$time": value.text}

    def _object(self, value: s.ObjectOf) -> dict[str, Any]:
        if any(name.startswith("$") for name, _ in value.items):
            self._compiler.complain("Names that begin with $ cannot be used in objects.", s.Place())
        return {name: self.encode(each, None) for name, each in sorted(value.items, key=itemgetter(0))}

    def _reference(self, ref: s.Ref, argument: CapabilityArgument | None, key: bool) -> Any:
        compiler = self._compiler
        if ref.first == "each" and self.of:
            return self._each(ref)
        if ref.first in compiler.bindings:
            node, path = self._bound(ref)
            if key and not compiler.shapes[node].one:
                said = f"{ref.first} has many rows: use {ref.first}.for_each(…(each.id))."
                compiler.complain(said, ref.at)
            return self.ref(node, path)
        if "[" in ref.path or "." in ref.path:
            known = [*compiler.bindings, *(["each"] if self.of else [])]
            said = f"Nothing is bound to {ref.first}. {suggestion(ref.first, known) or 'Put texts in quotes.'}"
            compiler.complain(said, ref.at, nearest(ref.first, known))
        self._check(s.Literal(ref.path, ref.at), argument)
        return ref.path

    def _each(self, ref: s.Ref) -> dict[str, Any]:
        shape = self._compiler.shapes[self.of]
        path = ref.path[len("each") :].lstrip(".")
        if path == "id" and shape.entity and "id" not in (shape.fields or ()):
            path = shape.entity.key
        if path:
            self._compiler.check_fields(shape, (s.Ref(path, ref.at),))
        return {"$each": path}

    def _check(self, literal: s.Literal, argument: CapabilityArgument | None) -> None:
        if argument is None or literal.value is None:
            return
        given = literal.value
        said = ""
        if argument.values and given not in argument.values:
            said = f"{argument.name} is never {given}. {suggestion(str(given), argument.values)}"
        elif argument.type in _TYPES and not _is(given, argument.type):
            said = f"{argument.name} must be a {argument.type}, and not {json.dumps(given)[:40]}."
        if said:
            self._compiler.complain(said, literal.at, nearest(str(given), argument.values))


_TYPES: Mapping[str, tuple[type, ...]] = {"text": (str,), "number": (int, float), "boolean": (bool,), "time": (str,)}


def _is(value: Any, kind: str) -> bool:
    return isinstance(value, _TYPES[kind]) and (kind == "boolean" or not isinstance(value, bool))
