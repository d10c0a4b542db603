"""The desk a stage works at: the brief, the results it needs, and the model it asks."""

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, TypeVar

from planloom.domain.claims import Register
from planloom.domain.frozen import Answer
from planloom.domain.model_errors import AnswerLost, ModelError
from planloom.domain.plans import ModelProfile
from planloom.domain.run_errors import NotNeeded
from planloom.domain.usage import Usage
from planloom.facts.given import KeptGiven
from planloom.knowledge.brief import Brief
from planloom.models.blank_answer import blank_answer
from planloom.models.model import Part, Question
from planloom.quality.answers import Fault, Patches, faults, patched, shown
from planloom.stages.excerpt import Excerpt
from planloom.stages.house_rules import opening
from planloom.stages.missing import computed, left_out, shortened
from planloom.stages.parts.spared_words import spare
from planloom.stages.settled import TITLE, settled
from planloom.stages.stage import Stage, StageResult

R = TypeVar("R", bound=StageResult)
A = TypeVar("A", bound=Answer)

AGAIN = """\
Your answer to this is there and kept, but for the fields listed under "fields to write again". Give a new text for each
of them, by its path, as long as the first one, without what is wrong in it. Give nothing else.
"""


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
    ``answered_by`` the models that answered them. ``lost`` says by call what the model gave no usable answer for.
    ``given`` is what the caller says of the goal's facts, for the stage that reads them.
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
    lost: dict[str, str] = field(default_factory=dict, repr=False)
    given: KeptGiven | None = field(default=None, repr=False)

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
        *,
        required: bool = False,
    ) -> A:
        """Ask the model once. *call* is unique in the stage and names the file that keeps the answer.

        Fields of a valid answer that print a banned word or a placeholder are asked for once more, as
        ``<call>-again``; the rest of it is kept. Where the model gives no usable answer, *outline* computes one and the
        section says so; with *required*, AnswerLost is raised. Calls that do not wait for each other belong in one
        ``asyncio.gather``. Raises ModelError, RunInterrupted.
        """
        question = self._question(call, instructions, context, answer, outline)
        try:
            return await self._asked(question, _words(call))
        except AnswerLost:
            if required:
                raise
            return self._stand_in(question)

    async def ask_part(
        self,
        call: str,
        instructions: str,
        context: tuple[Part, ...],
        answer: type[A],
        outline: Callable[[], A],
        *,
        part: str = "",
    ) -> A | None:
        """Ask as :meth:`ask` does for a part that the plan can do without: None where no usable answer was given.

        The section says that *part* is missing; it is named after *call* where it is empty.
        """
        question = self._question(call, instructions, context, answer, outline)
        try:
            return await self._asked(question, part or _words(call))
        except AnswerLost:
            self.lost[call] = left_out(part or _words(call))
            return None

    def _stand_in(self, question: Question[A]) -> A:
        """Return the outline in place of an answer that was lost; nothing but blanks where none can be computed."""
        try:
            found = question.outline()
        except (ValueError, LookupError):
            # an outline is made for the texts of other outlines; what models say may leave it without words
            self.lost[question.name] = left_out(_words(question.name))
            return blank_answer(question.answer, self.brief.start)
        self.lost[question.name] = computed(_words(question.name))
        return found

    def with_missing(self, result: R) -> R:
        """Return *result* with what the model gave no usable answer for, in the order of the calls' names."""
        return result.model_copy(update={"missing": tuple(said for _, said in sorted(self.lost.items()))})

    def _question(
        self, call: str, instructions: str, context: tuple[Part, ...], answer: type[A], outline: Callable[[], A]
    ) -> Question[A]:
        return Question(
            name=call,
            shared=opening(self.prompt, self.brief.facts.language),
            instructions=instructions,
            # all calls of a stage see the same claims: before what is the call's own, caches can serve them
            context=(self._claims(), *context),
            answer=answer,
            outline=lambda: spare(outline(), self.brief.facts),
        )

    async def _asked(self, question: Question[A], part: str) -> A:
        given = await self.answer(question)  # type: ignore[arg-type]
        assert isinstance(given, question.answer)
        wrong = () if self.about.outline_only else faults(given, self.prompt, self.brief.facts)
        taken = await self._again(question, given, wrong) if wrong else given
        if given.items_left_out:
            self.lost[question.name] = shortened(part, given.items_left_out)
        return taken

    async def _again(self, question: Question[A], given: A, wrong: tuple[Fault, ...]) -> A:
        """Ask once for new texts of the fields that are *wrong*; what they leave, the quality checks report."""
        first: Question[Any] = question
        again = replace(
            first,
            name=f"{question.name}-again",
            instructions=f"{question.instructions}\n{AGAIN}",
            context=(*question.context, Part("fields to write again", shown(wrong))),
            answer=Patches,
            outline=Patches,
        )
        try:
            patches = await self.answer(again)
        except ModelError:
            # the first answer is valid: a plan with a finding is worth more than none
            return given
        assert isinstance(patches, Patches)
        return patched(given, wrong, patches)

    def _claims(self) -> Part:
        return Part(TITLE, settled(self.register))


def _words(call: str) -> str:
    return f"“{re.sub(r'[-_]+', ' ', call)}”"
