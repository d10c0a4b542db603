"""References to variables in arguments: ``${name}``, ``${name.field}``, ``${name[0].field}``."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from planloom.core.paths import PathNotFound, parts_of, value_at

_REFERENCE = re.compile(r"\$\{([^${}]+)\}")


@dataclass(frozen=True)
class Simulated:
    """A placeholder for the result of a call that a dry run does not make; a path into it is a placeholder too."""

    text: str

    def at(self, path: str) -> "Simulated":
        """Return the placeholder for the value at *path* in it."""
        return Simulated(f"{self.text[:-1]}.{path}>")


@dataclass
class Resolved:
    """A value with its references replaced, and those that name nothing, kept as they were written."""

    value: Any
    unresolved: list[str] = field(default_factory=list)


def resolve(value: Any, variables: Mapping[str, Any]) -> Resolved:
    """Return *value* with every reference to *variables* replaced.

    A text that is one reference becomes the value itself, with its type; a reference within a text becomes text: JSON
    for lists, objects, booleans and null. What names nothing stays as it is written and is listed.
    """
    resolved = Resolved(None)
    resolved.value = _replaced(value, variables, resolved.unresolved)
    return resolved


def references(value: Any) -> Iterator[str]:
    """Yield the path of every reference in *value*, in order."""
    if isinstance(value, str):
        yield from (found.strip() for found in _REFERENCE.findall(value))
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from references(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from references(each)


def variable_of(path: str) -> str:
    """Return the variable that *path* begins with. Raises ValueError where it is no path."""
    return parts_of(path)[0]


def _replaced(value: Any, variables: Mapping[str, Any], unresolved: list[str]) -> Any:
    if isinstance(value, str):
        return _text(value, variables, unresolved) if "${" in value else value
    if isinstance(value, Mapping):
        return {name: _replaced(each, variables, unresolved) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_replaced(each, variables, unresolved) for each in value]
    return value


def _text(text: str, variables: Mapping[str, Any], unresolved: list[str]) -> Any:
    if whole := _REFERENCE.fullmatch(text):
        return _shown(_looked_up(whole, variables, unresolved))

    def replaced(found: re.Match[str]) -> str:
        value = _shown(_looked_up(found, variables, unresolved))
        return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)

    return _REFERENCE.sub(replaced, text)


def _looked_up(found: re.Match[str], variables: Mapping[str, Any], unresolved: list[str]) -> Any:
    path = found.group(1).strip()
    try:
        return _simulated(path, variables) or value_at(variables, path)
    except (PathNotFound, ValueError):
        unresolved.append(path)
        return found.group()


def _simulated(path: str, variables: Mapping[str, Any]) -> Simulated | None:
    name, *rest = parts_of(path)
    value = variables.get(name)
    if not isinstance(value, Simulated):
        return None
    return value.at(".".join(rest)) if rest else value


def _shown(value: Any) -> Any:
    return value.text if isinstance(value, Simulated) else value
