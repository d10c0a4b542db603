"""Patches keep what the goal sets, say what they changed, and fit a spine that was changed meanwhile."""

import json
from typing import Any

import pytest

from planloom.planes.strategic.spine.patch import Change
from planloom.planes.strategic.spine.rows import Gate, Need, Package
from planloom.planes.strategic.spine.spine import TABLES
from planloom.planes.strategic.stages.patching import CHANGES, changes_made, next_id, patched, renumbered
from tests.unit.strategic.stages.contexts import TODAY
from tests.unit.strategic.stages.plans import SPINE


def change(op: Any, id_: str, field: str = "", value: Any = None) -> Change:
    return Change(op=op, id=id_, field=field, value="" if value is None else json.dumps(value), reason="It is late.")


@pytest.mark.parametrize(
    "refused",
    [
        change("set", "N1", "due", "2029-01-01"),
        change("set", "n 01", "Due", "2029-01-01"),
        change("remove", "N1"),
        change("remove", "C1"),
        change("set", "frame", "end", "2029-01-01"),
        change("set", "Frame", "budget", 2_000_000),
    ],
)
def test_what_the_goal_sets_is_not_changed(refused: Change) -> None:
    spine, patch = patched("one", SPINE, [refused], TODAY)
    assert spine == SPINE
    assert patch.changes == ()
    assert len(patch.refused) == 1


def test_a_change_is_said_with_the_words_of_its_row_the_old_value_and_the_new() -> None:
    spine, patch = patched("one", SPINE, [change("set", "P2", "likely", 100)], TODAY)
    assert spine.by_id()["P2"].likely == 100
    assert patch.changed == ("P2 Build the hull, likely: 120 working days → 100 working days (It is late)",)


def test_added_and_removed_rows_and_lists_are_said_too() -> None:
    row = {"title": "Hire a second skipper", "owner": "R1", "likely": 5}
    needs = [{"id": "P1"}, {"id": "P4", "lag": 2}]
    changes = [change("add", "P4", value=row), change("set", "P3", "needs", needs), change("remove", "K1")]
    spine, patch = patched("one", SPINE, changes, TODAY)
    assert [need.id for need in spine.by_id()["P3"].needs] == ["P1", "P4"]
    assert patch.changed[0] == "P4 Hire a second skipper: added (It is late)"
    assert "P2 → P1, P4 FS+2" in patch.changed[1]
    assert patch.changed[2] == "K1 No crossing: removed (It is late)"


@pytest.mark.parametrize(("reason", "left"), [("It is late.", ["G1", "P1"]), ("G1 comes later.", ["P1"])])
def test_a_task_waits_for_its_gate_unless_the_reason_says_otherwise(reason: str, left: list[str]) -> None:
    first = SPINE.packages[2].model_copy(update={"needs": [Need(id="P2"), Need(id="G1")]})
    gate = Gate(id="G1", title="Go on", frees=["P3"])
    before = SPINE.model_copy(update={"packages": (*SPINE.packages[:2], first), "gates": (gate,)})
    off = change("set", "P3", "needs", [{"id": "P1"}]).model_copy(update={"reason": reason})
    spine, patch = patched("one", before, [off], TODAY)
    assert sorted(need.id for need in spine.by_id()["P3"].needs) == left
    assert len(patch.repairs) == len(left) - 1


def test_a_relative_change_is_said_as_old_and_new_too() -> None:
    spine, patch = patched("two", SPINE, [change("increase", "L1", "rate", -50_000)], TODAY)
    assert spine.by_id()["L1"].rate == 350_000
    assert "EUR 400,000 → EUR 350,000" in patch.changed[0]
    assert changes_made((patch,)) == "1 field set"


def test_rows_that_two_authors_gave_the_same_id_are_told_apart() -> None:
    now = SPINE.model_copy(update={"packages": (*SPINE.packages, Package(id="P4", title="Insure the hull"))})
    changes = [change("add", "P4", value={"id": "P4", "title": "Train"}), change("set", "P3", "needs", [{"id": "P4"}])]
    spine, _ = patched("two", now, renumbered(changes, SPINE, now), TODAY)
    assert spine.by_id()["P4"].title == "Insure the hull"
    assert spine.by_id()["P5"].title == "Train"
    assert [need.id for need in spine.by_id()["P3"].needs] == ["P5"]


def test_changes_for_the_spine_as_it_is_stay_as_they_are() -> None:
    changes = [change("add", "P4", value={"title": "Train"})]
    assert list(renumbered(changes, SPINE, SPINE)) == changes


def test_the_next_id_follows_the_highest_number_of_its_letter() -> None:
    assert next_id("P", ["P2", "P11", "L40", "frame"]) == "P12"
    assert next_id("Q", []) == "Q1"


def test_an_author_is_shown_every_table_with_every_field() -> None:
    for name, (letter, kind) in TABLES.items():
        line = next(line for line in CHANGES.splitlines() if line.startswith(f"- {letter} {name}:"))
        assert all(field in line for field in kind.model_fields if field != "id")


def test_several_fields_of_a_row_are_set_at_once_and_those_of_the_goal_stay() -> None:
    spine, patch = patched("one", SPINE, [change("set", "P2", value={"likely": 100, "low": 80})], TODAY)
    assert (spine.by_id()["P2"].low, spine.by_id()["P2"].likely) == (80, 100)
    assert [each.field for each in patch.changes] == ["likely", "low"]
    kept, refused = patched("one", SPINE, [change("set", "frame", value={"end": "2029-01-01"})], TODAY)
    assert (kept, len(refused.refused)) == (SPINE, 1)
