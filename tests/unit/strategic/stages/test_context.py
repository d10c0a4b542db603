"""What a context puts before a model, and what it makes of answers that print what they must not, or that are lost."""

import asyncio
from typing import Any

import pytest

from planloom.core.frozen import Answer
from planloom.models.errors import AnswerInvalid, AnswerRefused, ModelError, ModelServerError
from planloom.models.model import Part, Question
from planloom.planes.strategic.quality.answers import Patches
from planloom.planes.strategic.run_errors import NotNeeded
from planloom.planes.strategic.stages.context import REWRITTEN, StageContext
from planloom.planes.strategic.stages.missing import left_out, shortened, with_missing
from planloom.planes.strategic.stages.stage import StageResult
from tests.unit.strategic.stages.contexts import PROMPT, make_context

WRONG, RIGHT = "The ferryman is [insert name].", "The ferrymen share a cable."


class Said(Answer):
    """Anything."""

    word: str


class Models:
    """Answers in turn; an error in place of an answer is raised. Keeps what was asked."""

    def __init__(self, *answers: str | ModelError) -> None:
        self.answers = list(answers)
        self.asked: list[Question[Any]] = []

    def __call__(self, question: Question[Any]) -> Any:
        self.asked.append(question)
        answer = self.answers.pop(0)
        if isinstance(answer, ModelError):
            raise answer
        return {"patches": [{"path": "word", "text": answer}]} if question.answer is Patches else {"word": answer}

    def context(self) -> StageContext:
        return make_context("choice", answers=self)


def said(models: Models) -> str:
    """Return what a stage gets that asks *models* once."""
    return asyncio.run(models.context().ask("call", "Say yes.", (Part("own", "mine"),), Said)).word


def test_the_goal_is_in_what_all_calls_share_and_the_material_in_its_order() -> None:
    models = Models(RIGHT)
    said(models)

    (question,) = models.asked
    assert question.shared.endswith(f"<goal>\n{PROMPT}\n</goal>")
    assert question.context == (Part("own", "mine"),)


def test_a_field_with_a_placeholder_is_asked_for_once_more_with_what_is_wrong() -> None:
    models = Models(WRONG, RIGHT)

    assert said(models) == RIGHT
    assert [question.name for question in models.asked] == ["call", "call-again"]
    first, again = models.asked
    assert again.context[: len(first.context)] == first.context, "what calls share stays at the front"
    assert again.context[-1].text.startswith("- word: “[insert name]” is a placeholder")


def test_a_second_text_is_kept_however_wrong_it_is() -> None:
    models = Models(WRONG, "The ferryman is TBD.")

    assert said(models) == "The ferryman is TBD."
    assert len(models.asked) == 2


def test_a_valid_answer_is_kept_where_the_second_cannot_be_had() -> None:
    assert said(Models(WRONG, AnswerRefused("It refused."))) == WRONG


def test_a_text_too_long_to_be_given_anew_is_not_asked_for_again() -> None:
    models = Models(long := WRONG + " And so on." * REWRITTEN)

    assert said(models) == long
    assert len(models.asked) == 1


def test_a_part_that_is_lost_is_none_and_the_section_says_so() -> None:
    context = Models(AnswerInvalid("no JSON")).context()

    found = asyncio.run(context.ask_part("first_look", "Say yes.", (), Said))

    assert found is None
    assert context.with_missing(StageResult()).missing == (left_out("“first look”"),)


def test_a_part_is_named_as_its_stage_names_it() -> None:
    context = Models(AnswerInvalid("no JSON")).context()

    asyncio.run(context.ask_part("call", "Say yes.", (), Said, part="the ferry's timetable"))

    assert context.with_missing(StageResult()).missing == (left_out("the ferry's timetable"),)


@pytest.mark.parametrize("error", [AnswerInvalid("no JSON"), ModelServerError("down")])
def test_a_call_that_must_be_answered_fails_with_its_error(error: ModelError) -> None:
    with pytest.raises(type(error)):
        said(Models(error))


def test_a_model_that_is_down_fails_a_part_too() -> None:
    with pytest.raises(ModelServerError):
        asyncio.run(Models(ModelServerError("down")).context().ask_part("call", "Say yes.", (), Said))


def test_the_section_says_how_many_items_did_not_fit() -> None:
    async def answer(_: Question[Any]) -> Said:
        return Said(word=RIGHT).leaving_out(2)

    context = make_context("choice")
    context = StageContext(**{**vars(context), "answer": answer})
    asyncio.run(context.ask("call", "Say yes.", (), Said))

    assert context.with_missing(StageResult()).missing == (shortened("“call”", 2),)


def test_what_is_missing_is_below_the_heading() -> None:
    page = with_missing("# Choice\n\nIt is this one.", ["The judge was lost."])

    assert page == "# Choice\n\n> **Missing.** The judge was lost.\n\nIt is this one."


def test_a_section_of_a_stage_that_is_not_needed_may_not_be_read() -> None:
    with pytest.raises(NotNeeded):
        make_context("choice").text("risks")
