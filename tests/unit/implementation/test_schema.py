"""The schema is the specification's, and what passes quickly over plans agrees with the library."""

import copy
import hashlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from planloom.planes.implementation.document.quick_check import quick_check
from planloom.planes.implementation.document.schema import schema, supported
from planloom.planes.implementation.document.schema_findings import schema_findings
from planloom.planes.implementation.errors import UnsupportedSchemaVersion
from tests.corpus.base import base
from tests.corpus.cases import CASES, Case
from tests.unit.implementation.test_check_plan import JSON, PLACES, set_in

#: SHA-256 of the schema as the specification prints it, from its first brace to its last, as JSON with sorted keys.
SPECIFIED = "510aa71f5c7053b2462f976e1683be75af0e39ab4bc16026542646a526ff6403"

LIBRARY = Draft202012Validator(schema())


def test_the_schema_is_the_specifications() -> None:
    text = json.dumps(schema(), sort_keys=True, separators=(",", ":"))
    assert hashlib.sha256(text.encode()).hexdigest() == SPECIFIED
    Draft202012Validator.check_schema(schema())


def test_versions_that_are_not_there_are_refused() -> None:
    assert (supported(None), supported("1.0.0")) == ("1.0.0", "1.0.0")
    with pytest.raises(UnsupportedSchemaVersion):
        supported("1.0")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_corpus_says_rightly_whether_a_plan_fits_the_schema(case: Case) -> None:
    assert (next(iter(schema_findings(case.plan)), None) is None) == case.fits_schema
    if not ends_a_pattern_with_a_break(case):
        assert LIBRARY.is_valid(case.plan) == case.fits_schema


def ends_a_pattern_with_a_break(case: Case) -> bool:
    """Python's ``$`` lets a line break follow, JSON Schema's does not: there the library alone is wrong."""
    return "\\n" in case.name


@given(st.sampled_from(PLACES), JSON)
def test_the_quick_check_never_passes_what_the_library_refuses(path: str, value: Any) -> None:
    plan = base()
    try:
        set_in(plan, path, value)
    except (KeyError, IndexError, TypeError):
        return
    if quick_check(schema())(plan):
        assert LIBRARY.is_valid(plan)
        assert list(schema_findings(plan)) == []
    else:
        assert LIBRARY.is_valid(plan) == (next(iter(schema_findings(plan)), None) is None)


def test_the_quick_check_passes_the_base_so_that_the_library_stays_away() -> None:
    assert quick_check(schema())(base())


@pytest.mark.parametrize(
    "change",
    [
        {"format": "date"},
        {"additionalProperties": {"type": "string"}},
        {"allOf": [{"if": {"properties": {"type": {"const": 1}}}, "then": {"required": ["x"]}}]},
        {"allOf": [{"if": {"properties": {"type": {"const": "a"}}}, "then": {}, "else": {}}]},
    ],
)
def test_a_schema_with_words_that_the_quick_check_does_not_know_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="quick check"):
        quick_check(copy.deepcopy(schema()) | change)
