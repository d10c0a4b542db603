"""A model that answers with whatever its question's schema allows, and keeps what it was asked."""

import json
from collections.abc import Callable
from typing import Any

from bench.stub_answers import Answerer
from planloom.core.usage import Bill, Request, Usage
from planloom.models.model import Question, schema_of
from planloom.models.profiles import Models
from planloom.models.prompt import prompt_of
from planloom.planes.strategic.facts.answer import Reading
from tests.unit.strategic.facts.readings import reading_of


class Spy:
    """Keeps the questions, fails those that it is asked to fail, and does *before_answer* before each answer."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.questions: list[Question[Any]] = []
        self.fails: dict[str, Exception] = {}
        self.name = "spy"
        self.before_answer: Callable[[], object] = lambda: None

    async def ask(self, question: Question[Any]) -> tuple[Any, Usage]:
        if question.name in self.fails:
            raise self.fails[question.name]
        self.asked.append(question.name)
        self.questions.append(question)
        self.before_answer()
        return answered(question, Brief), Bill().and_(Request(model=self.name, outcome="answered"))

    def repeated(self) -> list[str]:
        """Return the names of the questions that were asked again with nothing about them changed."""
        texts = [(q.name, q.instructions, tuple((part.title, part.text) for part in q.context)) for q in self.questions]
        return [text[0] for number, text in enumerate(texts) if text in texts[:number]]


class Brief(Answerer):
    """Gives two items where a list allows so few, and short texts: a whole plan is drafted in a second."""

    def _list(self, schema: dict[str, Any], field: str, n: int) -> list[Any]:
        few = max(schema.get("minItems", 0), min(2, schema.get("maxItems", 2)))
        return super()._list(schema | {"minItems": few, "maxItems": few}, field, n)

    def _text(self, schema: dict[str, Any], field: str, n: int) -> str:
        least = schema.get("minLength", 0)
        return super()._text(schema | {"maxLength": max(least, min(300, schema.get("maxLength", 300)))}, field, n)


def answered(question: Question[Any], answerer: type[Answerer] = Answerer) -> Any:
    """Return an answer that the schema of *question* allows; of a goal, what its words state."""
    if question.answer is Reading:
        return reading_of(question.shared.partition("<goal>\n")[2].removesuffix("\n</goal>"))
    found = answerer(schema_of(question.answer), prompt_of(question).user).answer()
    return question.answer.model_validate_json(json.dumps(found))


class SpyModels(Models):
    """Every profile is the spy."""

    def __init__(self, spy: Spy) -> None:
        super().__init__()
        self.spy = spy

    def names(self, profile: Any) -> tuple[str, ...]:
        return (self.spy.name,)

    def outline_only(self, profile: Any) -> bool:
        return False

    def long_answers(self, profile: Any) -> bool:
        return True

    def model(self, profile: Any) -> Any:
        return self.spy
