"""References in arguments keep types, reach into values, and stay as written where they name nothing."""

from typing import Any

import pytest

from planloom.planes.graphs.variables import references, resolve

VARIABLES: dict[str, Any] = {
    "n": 3,
    "none": None,
    "yes": True,
    "text": "t",
    "api": {"host": "a.example", "versions": [{"name": "v1"}, {"name": "v2"}]},
    "rows": [[1, 2], [3]],
}


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("plain", "plain"),
        ("${n}", 3),
        ("${none}", None),
        ("${yes}", True),
        ("${api}", VARIABLES["api"]),
        ("${api.host}", "a.example"),
        ("${api.versions[1].name}", "v2"),
        ("${api.versions.1.name}", "v2"),
        ("${rows[0][1]}", 2),
        ("${rows.-1}", [3]),
        ("n=${n}, ${text}!", "n=3, t!"),
        ("${yes} ${none}", "true null"),
        ("all: ${rows}", "all: [[1, 2], [3]]"),
        ({"a": ["${n}", {"b": "${text}"}], "c": 1.5}, {"a": [3, {"b": "t"}], "c": 1.5}),
        (None, None),
        (False, False),
        ("$n {n} ${", "$n {n} ${"),
    ],
)
def test_a_reference_becomes_its_value(given: Any, expected: Any) -> None:
    resolved = resolve(given, VARIABLES)
    assert resolved.value == expected
    assert type(resolved.value) is type(expected)
    assert resolved.unresolved == []


@pytest.mark.parametrize("path", ["nobody", "api.port", "api.versions[9].name", "n.x", "text.0"])
def test_what_names_nothing_stays_and_is_listed(path: str) -> None:
    resolved = resolve({"a": f"${{{path}}}", "b": f"x ${{{path}}}"}, VARIABLES)
    assert resolved.value == {"a": f"${{{path}}}", "b": f"x ${{{path}}}"}
    assert resolved.unresolved == [path, path]


def test_references_are_found_in_nested_values() -> None:
    assert list(references({"a": ["${x}", "${y.z} and ${ x }"], "b": 1})) == ["x", "y.z", "x"]
