"""The desk a stage works at: the brief, the results it needs, and the model it asks."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, TypeVar

from planloom.domain.claims import Register
from planloom.domain.frozen import Answer
from planloom.domain.model_errors import ModelError
from planloom.domain.plans import ModelProfile
from planloom.domain.run_errors import NotNeeded
from planloom.domain.usage import Usage
from planloom.knowledge.brief import Brief
from planloom.models.model import Part, Question
from planloom.quality.answers import faults
from planloom.stages.excerpt import Excerpt
from planloom.stages.house_rules import opening
from planloom.stages.parts.spared_words import spare
from planloom.stages.settled import TITLE, settled
from planloom.stages.stage import Stage, StageResult

R = TypeVar("R", bound=StageResult)
A = TypeVar("A", bound=Answer)


@dataclass(frozen=True)
class About:
    """How and by what a plan is drafted: what the report says at its top.

    ``models`` answered the calls of the stages before; ``outline_only``: no language model answers those of this one.
    """

    plan_id: str
    model_profile: ModelProfile
    models: tuple[str, ...]
    created_at: datetime
    outline_only: bool
    usage: Usage = field(default_factory=Usage)


@dataclass(frozen=True)
class Desk:
    """All that a stage may look at and do; :mod:`planloom.services.run_stage` lays it.

    ``results`` and ``texts`` hold what the stage needs and nothing else: its fingerprint is made of them.
    ``needs`` are the stages themselves, for their titles and numbers; ``spent`` is what its own calls cost so far,
    ``answered_by`` the models that answered them.
    """

    stage: str
    prompt: str
    brief: Brief
    register: Register
    about: About
    results: Mapping[str, StageResult]
    texts: Mapping[str, str]
    answer: Callable[[Question[Answer]], Awaitable[Answer]] = field(repr=False)
    spent: Callable[[], Usage] = field(default=Usage, repr=False)
    answered_by: Callable[[], tuple[str, ...]] = field(default=tuple, repr=False)
    needs: Mapping[str, Stage[Any]] = field(default_factory=dict, repr=False)

    def read(self, name: str, result: type[R]) -> R:
        """Return the result of the needed stage *name*; raise NotNeeded for one that is not declared."""
        found = self.results.get(name)
        if not isinstance(found, result):
            raise NotNeeded(f"{self.stage} reads {name}, which it does not declare in its needs")
        return found

    def excerpt(self, excerpt: Excerpt) -> Part:
        """Return what *excerpt* takes of a needed stage; raise NotNeeded for one that is not declared."""
        if excerpt.stage not in self.texts:
            raise NotNeeded(f"{self.stage} quotes {excerpt.stage}, which it does not declare in its needs")
        return Part(excerpt.stage, excerpt.of(self.texts[excerpt.stage]))

    def excerpts(self, *excerpts: Excerpt) -> tuple[Part, ...]:
        """Return what each of *excerpts* takes."""
        return tuple(map(self.excerpt, excerpts))

    async def ask(
        self,
        call: str,
        instructions: str,
        context: tuple[Part, ...],
        answer: type[A],
        outline: Callable[[], A],
    ) -> A:
        """Ask the model once. *call* is unique in the stage and names the file that keeps the answer.

        A valid answer that contradicts a settled figure, prints a banned word or leaves a placeholder is sent back
        once, as ``<call>-again``. Calls that do not wait for each other belong in one ``asyncio.gather``. Raises
        ModelError, RunInterrupted.
        """
        question = Question(
            name=call,
            shared=opening(self.prompt, self.brief.facts.language),
            instructions=instructions,
            # all calls of a stage see the same claims: before what is the call's own, caches can serve them
            context=(self._claims(), *context),
            answer=answer,
            outline=lambda: spare(outline(), self.brief.facts),
        )
        given = await self.answer(question)  # type: ignore[arg-type]
        assert isinstance(given, answer)
        wrong = () if self.about.outline_only else faults(given, self.prompt, self.brief.facts, self.register)
        return await self._again(question, given, wrong) if wrong else given

    async def _again(self, question: Question[A], given: A, wrong: tuple[str, ...]) -> A:
        """Send *given* back once with what is wrong in it; what the second answer leaves, the quality checks report."""
        told = Part("what is wrong in your first answer: give it again whole, without that", "\n".join(wrong))
        first = Part("your first answer", given.model_dump_json())
        again = replace(question, name=f"{question.name}-again", context=(*question.context, first, told))
        try:
            second = await self.answer(again)  # type: ignore[arg-type]
        except ModelError:
            # the first answer is valid: a plan with a finding is worth more than none
            return given
        assert isinstance(second, question.answer)
        return second

    def _claims(self) -> Part:
        return Part(TITLE, settled(self.register))
