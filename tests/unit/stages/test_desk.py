"""What a desk puts before a model: the goal to all calls, the claims before the rest, in few words."""

import asyncio
from datetime import UTC, date, datetime

from planloom.domain.claims import Claim, Register
from planloom.domain.frozen import Answer
from planloom.domain.model_errors import AnswerRefused, ModelError
from planloom.knowledge.brief import make_brief
from planloom.models.model import Part, Question
from planloom.reading.facts import read_facts
from planloom.stages.desk import About, Desk
from planloom.stages.settled import TITLE

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

    desk = Desk(
        stage="purpose",
        prompt=GOAL,
        brief=make_brief(GOAL, read_facts(GOAL, TODAY), TODAY),
        register=Register(claims),
        about=About("p", "custom", ("m",), datetime(2026, 11, 2, tzinfo=UTC), outline_only=False),
        results={},
        texts={},
        answer=answer,
    )
    asyncio.run(desk.ask("call", "Say yes.", (Part("own", "mine"),), Said, lambda: Said(word="no")))
    return caught[0]


def test_claims_come_before_what_is_the_calls_own() -> None:
    context = asked(claim("a", "Five bakers", "stage:team")).context

    assert context == (Part(TITLE, "start: a 5"), Part("own", "mine"))


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
        return Said(word=answer)


def sent_to(models: Models, *, outline_only: bool = False) -> str:
    """Return what a stage gets that asks *models* once, the budget being settled."""
    budget = Claim(
        id="start.budget",
        text="The budget of the whole is EUR 240,000",
        kind="fact",
        value="240000",
        unit="EUR",
        source="prompt:0-9",
    )
    desk = Desk(
        stage="purpose",
        prompt=GOAL,
        brief=make_brief(GOAL, read_facts(GOAL, TODAY), TODAY),
        register=Register([budget]),
        about=About("p", "custom", ("m",), datetime(2026, 11, 2, tzinfo=UTC), outline_only=outline_only),
        results={},
        texts={},
        answer=models,
    )
    return asyncio.run(desk.ask("call", "Say yes.", (), Said, lambda: Said(word="no"))).word


WRONG, RIGHT = "The budget is EUR 300,000.", "The budget is EUR 240,000."


def test_an_answer_that_contradicts_a_settled_figure_is_sent_back_once_with_what_is_wrong() -> None:
    models = Models(WRONG, RIGHT)

    assert sent_to(models) == RIGHT
    assert [question.name for question in models.asked] == ["call", "call-again"]
    first, again = models.asked
    assert again.context[: len(first.context)] == first.context, "what calls share stays at the front"
    assert again.context[-1].text == (
        "- “budget is EUR 300,000” disagrees with the claim start.budget: 240000 EUR (off by 25%)"
    )


def test_a_second_answer_is_kept_however_wrong_it_is() -> None:
    models = Models(WRONG, "The budget is EUR 290,000.")

    assert sent_to(models) == "The budget is EUR 290,000."
    assert len(models.asked) == 2


def test_a_valid_answer_is_kept_where_the_second_cannot_be_had() -> None:
    assert sent_to(Models(WRONG, AnswerRefused("It refused."))) == WRONG


def test_an_answer_that_agrees_is_asked_for_once() -> None:
    models = Models(RIGHT)

    assert sent_to(models) == RIGHT
    assert len(models.asked) == 1


def test_the_outline_is_never_asked_twice() -> None:
    models = Models(WRONG)

    assert sent_to(models, outline_only=True) == WRONG
    assert len(models.asked) == 1
