"""What operations of a program do with rows that are there."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from planloom.core.expressions import Column
from planloom.core.expressions import parse as parse_condition
from planloom.core.paths import PathNotFound, value_at
from planloom.core.times import comparable
from planloom.planes.programs.sources import Row


def value_in(row: Any, path: str) -> Any:
    """Return the value at *path* in *row*, None where there is none; the row itself for an empty path."""
    if not path:
        return row
    if isinstance(row, Mapping) and path in row:
        return row[path]
    try:
        return value_at(row, path)
    except (PathNotFound, ValueError):
        return None


def matching(rows: Iterable[Row], where: str, others: Mapping[str, Any]) -> list[Row]:
    """Return the rows for which the condition holds; *others* are further names in it."""
    condition = parse_condition(where)
    return [row for row in rows if condition.holds({**others, **row})]


def columns(rows: Sequence[Row], one: bool) -> Mapping[str, Any]:
    """Return what a condition sees of another node: its row, or of many rows a list of values for each field."""
    if one:
        return rows[0] if rows else {}
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: Column(row.get(name) for row in rows) for name in names}


def projected(rows: Iterable[Row], fields: Sequence[str]) -> list[Row]:
    """Return the rows with *fields* alone."""
    return [{name: value_in(row, name) for name in fields} for row in rows]


def ordered(rows: Iterable[Row], keys: Sequence[str]) -> list[Row]:
    """Return the rows in order of *keys*; one that begins with ``-`` is descending. Rows without a value come last."""
    found = list(rows)
    for key in reversed(keys):
        name = key.removeprefix("-")
        having = [row for row in found if value_in(row, name) is not None]
        without = [row for row in found if value_in(row, name) is None]
        found = sorted(having, key=_by(name), reverse=key.startswith("-")) + without
    return found


def _by(name: str) -> Callable[[Row], tuple[int, Any]]:
    def key(row: Row) -> tuple[int, Any]:
        value = value_in(row, name)
        if isinstance(value, int | float):
            return 0, value
        return (1, comparable(value)) if isinstance(value, str) else (2, _text(value))

    return key


def aggregated(rows: Iterable[Row], by: Sequence[str], functions: Sequence[Sequence[str]]) -> list[Row]:
    """Return one row for each group of equal values of *by*, in the order of their first rows."""
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(_text([value_in(row, name) for name in by]), []).append(row)
    if not by:
        groups.setdefault(_text([]), [])
    return [
        {name: value_in(members[0], name) for name in by}
        | {
            f"{function}_{name}" if name else function: _aggregate(members, function, name)
            for function, name in functions
        }
        for members in groups.values()
    ]


def _aggregate(rows: Sequence[Row], function: str, name: str) -> Any:
    if not name:
        return len(rows)
    values = [value for row in rows if (value := value_in(row, name)) is not None]
    if function == "count":
        return len(values)
    if function in ("min", "max"):
        found = ordered([{"v": value} for value in values], ["v" if function == "min" else "-v"])
        return found[0]["v"] if found else None
    numbers = [value for value in values if isinstance(value, int | float) and not isinstance(value, bool)]
    if function == "sum":
        return sum(numbers)
    return sum(numbers) / len(numbers) if numbers else None


def distinct(rows: Iterable[Row], fields: Sequence[str]) -> list[Row]:
    """Return the first of the rows that are equal, in *fields* where any are named."""
    found: dict[str, Row] = {}
    for row in rows:
        found.setdefault(_text([value_in(row, name) for name in fields] if fields else row), row)
    return list(found.values())


def combined(left: Sequence[Row], sign: str, right: Sequence[Row], key: str) -> list[Row]:
    """Return the union, intersection or difference of two sets of rows, compared by their *key*; each row once."""
    known = {_text(value_in(row, key)) for row in right}
    if sign == "union":
        return _once([*left, *right], key, lambda _: True)
    return _once(left, key, lambda each: (each in known) is (sign == "intersect"))


def _once(rows: Iterable[Row], key: str, keep: Callable[[str], bool]) -> list[Row]:
    found: dict[str, Row] = {}
    for row in rows:
        each = _text(value_in(row, key))
        if keep(each):
            found.setdefault(each, row)
    return list(found.values())


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)
