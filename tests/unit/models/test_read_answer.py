"""Reading replies: which are accepted, and the errors of invalid ones."""

import json

import pytest

from planloom.core.frozen import Answer
from planloom.models.chat_model import Reply
from planloom.models.errors import AnswerInvalid
from planloom.models.read_answer import MOST_CHARACTERS, MOST_COMPLAINTS, read_answer
from tests.unit.models.asking import Row, Table

GOOD = {"rows": [{"title": "The oven", "size": "large"}, {"title": "The mixer", "size": "small"}], "note": "As seen."}


class Rows(Answer):
    """Any number of rows."""

    rows: list[Row]


def complaint(text: str, answer: type[Answer] = Table) -> str:
    with pytest.raises(AnswerInvalid) as found:
        read_answer(Reply(text, "complete"), answer)
    return found.value.message


@pytest.mark.parametrize(
    "around",
    ["{}", "```json\n{}\n```", "Here it is:\n{}\nAnything else?", "Two {s}, so </think>\n{}", "<think>{a}</think>{}"],
)
def test_json_is_found_between_fences_and_courtesies(around: str) -> None:
    good = GOOD | {"note": "A </think> in a note is a note."}
    text = around.replace("{}", json.dumps(good))
    assert read_answer(Reply(text, "complete"), Table) == Table.model_validate(good)


def test_complaints_are_few_and_short_without_text_of_the_model() -> None:
    said = "secret words of the model " * 20
    found = complaint(json.dumps({"rows": [{"title": "a", "size": said}] * 30}), Rows)

    assert len(found.splitlines()) == MOST_COMPLAINTS + 1
    assert len(found) < 3000
    assert "secret" not in found
    assert found.splitlines()[0] == "rows.0.title: String should have at least 5 characters"
    assert found.splitlines()[-1] == "and 48 more errors"


@pytest.mark.parametrize("text", ["", "I would rather not.", "null", "[]", "{", "{}"])
def test_text_that_is_no_answer_is_invalid(text: str) -> None:
    assert complaint(text)


def test_an_endless_answer_is_not_parsed() -> None:
    assert "150,000" in complaint(json.dumps(GOOD | {"note": "x" * MOST_CHARACTERS}))


def test_control_characters_are_dropped_and_line_breaks_kept() -> None:
    text = json.dumps(GOOD | {"note": "a\x00b\x1b[31m\nc \\u0000 d"})
    assert read_answer(Reply(text, "complete"), Table).note == "ab[31m\nc \\u0000 d"


def test_half_a_character_is_no_text() -> None:
    assert complaint(json.dumps(GOOD | {"note": "half \ud83d"}))
