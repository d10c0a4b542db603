"""What a desk puts before a model: the goal to all calls, the claims before the rest, in few words."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

import pytest

from planloom.domain.claims import Claim, Register
from planloom.domain.frozen import Answer
from planloom.domain.model_errors import AnswerInvalid, AnswerRefused, AnswerTruncated, ModelError, ModelServerError
from planloom.knowledge.brief import make_brief
from planloom.models.blank_answer import blank_answer
from planloom.models.model import Part, Question
from planloom.quality.answers import Patch, Patches
from planloom.stages.desk import About, Desk
from planloom.stages.missing import computed, left_out, shortened, with_missing
from planloom.stages.settled import TITLE
from planloom.stages.stage import StageResult
from tests.unit.stated_facts import stated_facts as read_facts

GOAL = "Open a bakery in Lisbon by 1 May 2027 for €240,000."
TODAY = date(2026, 11, 2)


class Said(Answer):
    """Anything."""

    word: str


def claim(name: str, text: str, source: str, value: str | None = "5") -> Claim:
    return Claim(id=f"start.{name}", text=text, kind="fact", value=value, unit="people", source=source)


def asked(*claims: Claim) -> Question[Answer]:
    """Return what reaches the model when a stage asks with one part of its own."""
    caught: list[Question[Answer]] = []

    async def answer(question: Question[Answer]) -> Answer:
        caught.append(question)
        return Said(word="yes")

    desk = desk_with(answer, *claims)
    asyncio.run(desk.ask("call", "Say yes.", (Part("own", "mine"),), Said, lambda: Said(word="no")))
    return caught[0]


def test_claims_come_before_what_is_the_calls_own() -> None:
    context = asked(claim("a", "Five bakers", "stage:team")).context

    assert context == (Part(TITLE, "start.a: Five bakers [5 people]"), Part("own", "mine"))


def test_the_goal_stands_in_what_all_calls_share() -> None:
    assert asked().shared.endswith(f"<goal>\n{GOAL}\n</goal>")


class Models:
    """Answers in turn; an error in place of an answer is raised. Keeps what was asked."""

    def __init__(self, *answers: str | ModelError) -> None:
        self.answers = list(answers)
        self.asked: list[Question[Answer]] = []

    async def __call__(self, question: Question[Answer]) -> Answer:
        self.asked.append(question)
        answer = self.answers.pop(0)
        if isinstance(answer, ModelError):
            raise answer
        if question.answer is Patches:
            return Patches(patches=[Patch(path="word", text=answer)])
        return Said(word=answer)


def sent_to(models: Models, *, outline_only: bool = False) -> str:
    """Return what a stage gets that asks *models* once."""
    budget = Claim(
        id="start.budget",
        text="The budget of the whole is EUR 240,000",
        kind="fact",
        value="240000",
        unit="EUR",
        source="prompt:0-9",
    )
    desk = desk_with(models, budget, outline_only=outline_only)
    return asyncio.run(desk.ask("call", "Say yes.", (), Said, lambda: Said(word="no"))).word


def desk_with(
    answer: Callable[[Question[Answer]], Awaitable[Answer]], *claims: Claim, outline_only: bool = False
) -> Desk:
    return Desk(
        stage="purpose",
        prompt=GOAL,
        brief=make_brief(GOAL, read_facts(GOAL, TODAY), TODAY),
        register=Register(claims),
        about=About("p", "custom", ("m",), datetime(2026, 11, 2, tzinfo=UTC), outline_only=outline_only),
        results={},
        texts={},
        answer=answer,
    )


WRONG, RIGHT = "The baker is [insert name].", "The partners bake."


def test_a_field_with_a_placeholder_is_asked_for_once_more_with_what_is_wrong() -> None:
    models = Models(WRONG, RIGHT)

    assert sent_to(models) == RIGHT
    assert [question.name for question in models.asked] == ["call", "call-again"]
    first, again = models.asked
    assert again.context[: len(first.context)] == first.context, "what calls share stays at the front"
    assert again.context[-1].text.startswith("- word: “[insert name]” is a placeholder")


def test_a_second_text_is_kept_however_wrong_it_is() -> None:
    models = Models(WRONG, "The baker is TBD.")

    assert sent_to(models) == "The baker is TBD."
    assert len(models.asked) == 2


def test_a_valid_answer_is_kept_where_the_second_cannot_be_had() -> None:
    assert sent_to(Models(WRONG, AnswerRefused("It refused."))) == WRONG


def test_an_answer_without_a_fault_is_asked_for_once() -> None:
    models = Models(RIGHT)

    assert sent_to(models) == RIGHT
    assert len(models.asked) == 1


def test_the_outline_is_never_asked_twice() -> None:
    models = Models(WRONG)

    assert sent_to(models, outline_only=True) == WRONG
    assert len(models.asked) == 1


def lost(models: Models, **asked: Any) -> tuple[str, tuple[str, ...]]:
    """Return what a stage gets whose model gives no usable answer, and what its section says of that."""
    desk = desk_with(models)
    said = asyncio.run(desk.ask("the-call", "Say yes.", (), Said, lambda: Said(word="computed"), **asked))
    return said.word, desk.with_missing(StageResult()).missing


def test_what_the_model_does_not_answer_is_computed_and_the_section_says_so() -> None:
    assert lost(Models(AnswerInvalid("It does not fit."))) == ("computed", (computed("“the call”"),))


def test_a_required_answer_that_is_lost_fails_the_stage() -> None:
    with pytest.raises(AnswerTruncated):
        lost(Models(AnswerTruncated("It was cut off.")), required=True)


def test_a_model_that_is_down_fails_the_stage() -> None:
    with pytest.raises(ModelServerError):
        lost(Models(ModelServerError("It is down.")))


def test_what_cannot_be_computed_either_is_blank() -> None:
    desk = desk_with(Models(AnswerInvalid("It does not fit.")))

    said = asyncio.run(desk.ask("the-call", "Say yes.", (), Said, lambda: Said.model_validate({})))

    assert said == blank_answer(Said, desk.brief.start)
    assert desk.with_missing(StageResult()).missing == (left_out("“the call”"),)


def test_a_part_that_the_plan_can_do_without_is_left_out_by_its_own_name() -> None:
    desk = desk_with(Models(AnswerRefused("It refused.")))

    said = asyncio.run(desk.ask_part("the-call", "Say.", (), Said, lambda: Said(word="no"), part="the draft of “X”"))

    assert said is None
    assert desk.with_missing(StageResult()).missing == (left_out("the draft of “X”"),)


def test_items_that_did_not_fit_are_counted_in_the_section() -> None:
    async def answer(_: Question[Answer]) -> Answer:
        return Said(word="yes").leaving_out(2)

    desk = replace(desk_with(Models()), answer=answer)

    asyncio.run(desk.ask("the-call", "Say yes.", (), Said, lambda: Said(word="no")))

    assert desk.with_missing(StageResult()).missing == (shortened("“the call”", 2),)


def test_what_is_missing_is_shown_below_the_heading_of_the_section() -> None:
    page = with_missing("# Team\n\nFive people.", [left_out("“a”"), left_out("the draft of\n“b”")])

    assert page == (
        f"# Team\n\n> **Missing.** {left_out('“a”')}\n>\n> **Missing.** {left_out('the draft of “b”')}\n\nFive people."
    )
    assert with_missing("# Team\n\nFive people.", ()) == "# Team\n\nFive people."
