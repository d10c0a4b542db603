import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planloom.planes.strategic.spine.patch import Applied, Change, apply_patch, as_json_patch
from planloom.planes.strategic.spine.repair import repaired
from tests.unit.strategic.spine.spines import TODAY, small_spine

FIELDS = ["", "title", "likely", "needs", "options", "end", "start", "not_before", "id", "owner", "papers", "nothing"]
VALUES = [
    "",
    "12",
    "-3",
    '"P1"',
    "P9",
    "null",
    "[]",
    '["P1", "P2"]',
    '{"title": "Dig", "likely": 3}',
    "[[",
    "1e999",
    "x" * 900,
]


def applied(*changes: Change) -> Applied:
    return apply_patch(small_spine(), changes, TODAY)


def changed(op: str, row: str, field: str = "", value: object = "") -> Applied:
    return applied(Change(op=op, id=row, field=field, value=value if isinstance(value, str) else json.dumps(value)))


@settings(max_examples=80)
@given(
    st.lists(
        st.builds(
            Change,
            op=st.sampled_from(["set", "append", "increase", "add", "remove"]),
            id=st.sampled_from(["P1", "p 02", "P", "P7", "D1", "frame", "A1", "G1", "packages", "zz", "", "V", "V1"]),
            field=st.sampled_from(FIELDS),
            value=st.sampled_from(VALUES) | st.text(max_size=20),
        ),
        max_size=6,
    )
)
def test_whatever_is_changed_the_spine_holds_together(changes: list[Change]):
    found = apply_patch(small_spine(), changes, TODAY)
    assert len(found.applied) + len(found.refused) == len(changes)
    assert repaired(found.spine, TODAY) == (found.spine, ())


@pytest.mark.parametrize(
    ("row", "field", "value", "path"),
    [
        ("P1", "likely", 9, "/packages/P1/likely"),
        ("p 01", "Done when", "It is signed", "/packages/P1/done_when"),
        ("P3", "not_before", "2027-08-27", "/packages/P3/not_before"),
        ("frame", "end", None, "/frame/end"),
        ("R2", "title", 7, "/roles/R2/title"),
    ],
)
def test_a_field_is_set(row: str, field: str, value: object, path: str):
    found = changed("set", row, field, value)
    expected = str(value) if field == "title" else value
    assert as_json_patch(small_spine(), found.spine) == [{"op": "replace", "path": path, "value": expected}]
    assert not found.refused


@pytest.mark.parametrize("value", [["P1"], "P1", [{"id": "P1"}], {"id": "P1"}])
def test_needs_are_set_in_any_form(value: object):
    assert [need.id for need in changed("set", "P3", "needs", value).spine.packages[2].needs] == ["P1"]


@pytest.mark.parametrize(
    ("op", "row", "field", "value"),
    [
        ("set", "P99", "likely", "3"),
        ("set", "P1", "likely", "many"),
        ("set", "P1", "likely", "-4"),
        ("set", "P1", "id", '"P7"'),
        ("set", "P1", "colour", '"red"'),
        ("set", "frame", "start", "soon"),
        ("add", "X", "", "{}"),
        ("add", "L", "", "[1]"),
        ("add", "N", "", "{}"),
        ("remove", "frame", "", ""),
        ("remove", "L44", "", ""),
    ],
)
def test_a_change_that_does_not_fit_is_refused_and_changes_nothing(op: str, row: str, field: str, value: str):
    found = changed(op, row, field, value)
    assert (found.spine, found.applied, len(found.refused)) == (small_spine(), (), 1)


def test_an_added_row_gets_the_wished_id_or_a_free_one():
    row = '{"title": "Dig", "needs": ["P1"], "owner": "Buyer"}'
    found = applied(
        *(Change(op="add", id=each, value=row.replace("Dig", each)) for each in ("P", "P9", "P1", "packages"))
    )
    assert [change.id for change in found.applied] == ["P4", "P9", "P10", "P11"]
    assert found.spine.packages[3].owner == "R2"


def test_what_named_a_removed_row_no_longer_does():
    found = changed("remove", "P2")
    assert found.spine.packages[1].needs == []
    paths = {op["path"].split("/")[2] for op in as_json_patch(small_spine(), found.spine)}
    assert paths == {"P2", "P3", "D1", "G1", "L1", "K1"}
    assert found.repairs


def test_the_last_package_is_not_removed():
    found = applied(*(Change(op="remove", id=each) for each in ("P1", "P2", "P3")))
    assert [package.id for package in found.spine.packages] == ["P3"]


def test_a_text_that_is_too_long_is_clipped():
    assert len(changed("set", "P1", "title", "word " * 100).spine.packages[0].title) <= 320


def test_added_and_removed_rows_are_operations():
    after = changed("add", "Q", "", {"text": "Who pays?"}).spine
    assert [(op["op"], op["path"]) for op in as_json_patch(small_spine(), after)] == [("add", "/questions/Q1")]
    assert as_json_patch(after, small_spine()) == [{"op": "remove", "path": "/questions/Q1"}]


def test_items_are_appended_to_a_list_and_those_that_it_has_stay_once():
    found = changed("append", "P3", "needs", "P1")
    before = [need.id for need in small_spine().packages[2].needs]
    assert [need.id for need in found.spine.packages[2].needs] == list(dict.fromkeys([*before, "P1"]))
    assert not found.refused


def test_a_number_is_increased_by_the_value_and_decreased_by_a_negative_one():
    likely = small_spine().packages[0].likely
    assert changed("increase", "P1", "high", 40).spine.packages[0].high == small_spine().packages[0].high + 40
    assert changed("increase", "P1", "likely", "-1").spine.packages[0].likely == likely - 1


@pytest.mark.parametrize(
    ("op", "field", "value"),
    [("append", "title", "x"), ("increase", "title", 3), ("increase", "likely", "many"), ("increase", "likely", -9999)],
)
def test_a_relative_change_that_does_not_fit_its_field_is_refused(op: str, field: str, value: object):
    found = changed(op, "P1", field, value)
    assert found.spine == small_spine()
    assert len(found.refused) == 1


def test_a_list_above_its_limit_is_cut_and_what_is_left_out_is_said():
    ids = [f"P{n}" for n in range(1, 31)]
    found = changed("set", "K1", "hits", ids)
    assert (found.refused, found.repairs[0]) == ((), "K1: hits has the first 24 of 30 items.")
    assert found.spine.risks[0].hits == [each for each in ids if each in found.spine.by_id()]
