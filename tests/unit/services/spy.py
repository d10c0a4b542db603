"""A model that answers as the outline does, and tells what it was asked."""

from collections.abc import Callable
from typing import Any

from planloom.domain.kept_answer import OUTLINE
from planloom.domain.usage import Bill, Request, Usage
from planloom.models.model import OutlineModel, Question
from planloom.models.profiles import Models


class Spy(OutlineModel):
    """Keeps the questions, fails those it is told to fail, and does *before_answer* before each answer."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.questions: list[Question[Any]] = []
        self.fails: dict[str, Exception] = {}
        self.name = OUTLINE
        self.before_answer: Callable[[], object] = lambda: None

    async def ask(self, question: Question[Any]) -> tuple[Any, Usage]:
        if question.name in self.fails:
            raise self.fails[question.name]
        self.asked.append(question.name)
        self.questions.append(question)
        self.before_answer()
        answer, usage = await super().ask(question)
        if self.name == OUTLINE:
            return answer, usage
        return answer, Bill().and_(Request(model=self.name, outcome="answered"))

    def repeated(self) -> list[str]:
        """Return the names of the questions that were asked again with nothing about them changed."""
        texts = [(q.name, q.instructions, tuple((part.title, part.text) for part in q.context)) for q in self.questions]
        return [text[0] for number, text in enumerate(texts) if text in texts[:number]]


class SpyModels(Models):
    """Every profile is the spy."""

    def __init__(self, spy: Spy) -> None:
        super().__init__()
        self.spy = spy

    def names(self, profile: Any) -> tuple[str, ...]:
        return (self.spy.name,)

    def outline_only(self, profile: Any) -> bool:
        return self.spy.name == OUTLINE

    def model(self, profile: Any) -> Any:
        return self.spy
