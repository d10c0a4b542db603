"""Ask a model to read a goal: the calls of ``facts.reader`` as questions, for stage 001 and for plan_facts alike."""

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from planloom.core.frozen import Answer
from planloom.models.model import Part, Question
from planloom.planes.strategic.facts.instructions import RULES
from planloom.planes.strategic.facts.reader import Ask

A = TypeVar("A", bound=Answer)


def ask_of(put: Callable[[Question[Any]], Awaitable[Any]], goal: str) -> Ask:
    """Return what reads *goal* by questions that *put* takes to a model."""

    async def ask(call: str, instructions: str, material: str, answer: type[A]) -> A:
        question = Question(
            name=call,
            # not the planners' rules: they say how to write a section
            shared=f"{RULES}\n<goal>\n{goal}\n</goal>",
            instructions=instructions,
            context=(Part("beside the goal", material),),
            answer=answer,
        )
        given = await put(question)
        assert isinstance(given, answer)
        return given

    return ask
