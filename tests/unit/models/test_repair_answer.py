"""Answers that do not fit: what is repaired at once, what is removed at the last, and what stays wrong."""

import json
from datetime import date
from typing import Any, Literal

import pytest
from pydantic import Field

from planloom.core.frozen import Answer
from planloom.models.chat_model import Finish, Reply
from planloom.models.errors import AnswerInvalid, AnswerTruncated
from planloom.models.read_answer import read_answer
from planloom.models.repair_answer import cut, nearest


class Step(Answer):
    """A step."""

    id: str = Field(pattern=r"^[a-z0-9-]{2,20}$")
    text: str = Field(min_length=5, max_length=60)
    size: Literal["small", "large", "very large"]
    weight: int = Field(ge=1, le=5)
    by: date
    notes: list[str] = Field(default_factory=list, max_length=2)


class Steps(Answer):
    """Steps."""

    steps: list[Step] = Field(min_length=1, max_length=3)
    note: str = Field(default="", max_length=20)


GOOD: dict[str, Any] = {
    "id": "lay-pipes",
    "text": "Lay the pipes.",
    "size": "small",
    "weight": 2,
    "by": "2027-05-01",
    "notes": [],
}
LONG = "The pipes come on Monday. They are laid by Friday. Then it rains for a month."


def step(**changed: Any) -> dict[str, Any]:
    return GOOD | changed


def read(*steps: dict[str, Any], finish: Finish = "complete", **more: Any) -> Steps:
    return read_answer(Reply(json.dumps({"steps": steps} | more), finish), Steps)


@pytest.mark.parametrize(
    ("field", "given", "taken"),
    [
        ("text", LONG, "The pipes come on Monday. They are laid by Friday."),
        ("size", "Very-Large", "very large"),
        ("size", "larg", "large"),
        ("id", "Lay Pipes", "lay-pipes"),
        ("weight", 6, 5),
        ("weight", 2.4, 2),
        ("by", "2027-02-30", "2027-02-28"),
        ("by", "2027-05-01T09:30:00Z", "2027-05-01"),
        ("notes", "only one", ["only one"]),
        ("notes", ["a", "b", "c"], ["a", "b"]),
        ("notes", [7], ["7"]),
    ],
)
def test_values_with_an_obvious_meaning_are_repaired(field: str, given: Any, taken: Any) -> None:
    found = read(step(**{field: given}))

    assert found == Steps.model_validate({"steps": [step(**{field: taken})]})
    assert found.items_left_out == 0


@pytest.mark.parametrize(
    ("field", "given"),
    [("text", "a"), ("size", "medium"), ("id", "計画"), ("weight", 95), ("by", "soon"), ("by", "2027-05-99")],
)
def test_values_without_an_obvious_meaning_are_not_repaired(field: str, given: Any) -> None:
    with pytest.raises(AnswerInvalid, match=f"steps.0.{field}") as found:
        read(step(**{field: given}))
    assert found.value.rest is None


def test_an_object_is_taken_once_in_a_list_as_long_as_enough_are_left() -> None:
    assert read(step(), step(), step(id="other")) == read(step(), step(id="other"))


def test_remaining_errors_are_reported_and_the_rest_is_kept() -> None:
    with pytest.raises(AnswerInvalid) as found:
        read(step(), step(text="a"), step(id="other", text=LONG), note=5.5)

    assert found.value.message == "steps.1.text: String should have at least 5 characters"
    rest = found.value.rest
    assert isinstance(rest, Steps)
    assert ([each.id for each in rest.steps], rest.note, rest.items_left_out) == (["lay-pipes", "other"], "5.5", 1)


def test_an_answer_of_which_more_than_half_is_wrong_has_no_rest() -> None:
    with pytest.raises(AnswerInvalid) as found:
        read(step(), step(text="a"), step(text="b"))
    assert found.value.rest is None


def test_complete_items_of_a_truncated_answer_are_kept() -> None:
    text = json.dumps({"steps": [step(), step(id="other"), step(id="third")]})
    with pytest.raises(AnswerTruncated) as found:
        read_answer(Reply(text[:-30], "truncated"), Steps)

    rest = found.value.rest
    assert isinstance(rest, Steps)
    assert ([each.id for each in rest.steps], rest.items_left_out) == (["lay-pipes", "other"], 1)


@pytest.mark.parametrize(
    ("text", "limit", "kept"),
    [
        ("Short.", 20, "Short."),
        ("One day. Two days. Three", 20, "One day. Two days."),
        ("One. Then a long sentence that runs on", 20, "One. Then a long…"),
        ("第一天。第二天。第三天，很长", 9, "第一天。第二天。"),
        ("a" * 30, 20, "a" * 19 + "…"),
        ("ab", 1, "…"),
    ],
)
def test_a_text_is_cut_at_the_end_of_a_sentence_or_a_word(text: str, limit: int, kept: str) -> None:
    assert cut(text, limit) == kept


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("Lease contract", "lease-contract"),
        ("lease_contracts", "lease-contract"),
        ("2.03", "2.3"),
        ("WP 2.3", "2.3"),
        ("2.3 Lease of R1", None),
        ("2.4", None),
        ("R12", None),
        ("r01", "R1"),
        ("harbour", None),
    ],
)
def test_an_id_is_matched_with_the_nearest_and_a_number_with_no_other(said: str, meant: str | None) -> None:
    assert nearest(said, ["lease-contract", "2.3", "R1"]) == meant
