"""The input of a stage: the goal and its facts, the results that it needs, and the model that it asks."""

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, TypeVar

from planloom.core.frozen import Answer
from planloom.core.usage import Usage
from planloom.models.errors import AnswerLost, ModelError
from planloom.models.model import Part, Question
from planloom.models.profile import ModelProfile
from planloom.planes.strategic.claims import Register
from planloom.planes.strategic.facts.given import KeptGiven
from planloom.planes.strategic.facts.goal import Goal
from planloom.planes.strategic.plans import Detail
from planloom.planes.strategic.quality.answers import Fault, Patches, faults, patched, shown
from planloom.planes.strategic.run_errors import NotNeeded
from planloom.planes.strategic.stages.missing import left_out, shortened
from planloom.planes.strategic.stages.stage import Stage, StageResult
from planloom.planes.strategic.stages.writing_rules import opening

R = TypeVar("R", bound=StageResult)
A = TypeVar("A", bound=Answer)

#: A longer field, in characters, is not asked for again: it does not fit into a patch.
REWRITTEN = 4_000
AGAIN = """\
Your answer to this is there and kept, but for the fields listed under "fields to write again". Give a new text for each
of them, by its path, as long as the first one, without what is wrong in it. Give nothing else.
"""


@dataclass(frozen=True)
class About:
    """How and by what a plan is drafted.

    ``models`` answered the calls of the stages before. ``outline_only``: no language model drafts this plan, and no
    stage may ask. ``long_answers``: the model that is asked first can write a whole plan in one answer.
    """

    plan_id: str
    model_profile: ModelProfile
    models: tuple[str, ...]
    created_at: datetime
    outline_only: bool
    detail: Detail = "standard"
    long_answers: bool = True
    usage: Usage = field(default_factory=Usage)


@dataclass(frozen=True)
class StageContext:
    """All that a stage may look at and do; :mod:`planloom.planes.strategic.services.load_inputs` makes it.

    ``results`` holds the results of the needed stages by stage name, ``texts`` their sections by section name: nothing
    else, since the stage's fingerprint is made of them. ``needs`` are the stages themselves; ``spent`` is what its own
    calls cost so far, ``answered_by`` the models that answered them. ``lost`` says by call what the model gave no
    usable answer for. ``given`` is what the caller says of the goal's facts, for the stage that reads them.
    """

    stage: str
    goal: Goal
    register: Register
    about: About
    results: Mapping[str, StageResult]
    texts: Mapping[str, str]
    answer: Callable[[Question[Any]], Awaitable[Any]] = field(repr=False)
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

    def text(self, section: str) -> str:
        """Return the Markdown of *section*, empty where it was left out; raise NotNeeded for one of another stage."""
        if not any(section in stage.section_paths for stage in self.needs.values()):
            raise NotNeeded(f"{self.stage} reads {section}, a section of no stage that it declares in its needs")
        return self.texts.get(section, "")

    def facts(self) -> Part:
        """Return the facts of the goal as calls are shown them, whole: first in every call's context."""
        return Part("the facts of the goal, verified", self.texts.get("start", ""))

    async def ask(
        self,
        call: str,
        instructions: str,
        context: tuple[Part, ...],
        answer: type[A],
        *,
        rows: Mapping[str, str] | None = None,
        updates: bool = False,
    ) -> A:
        """Ask the model once; never where ``about.outline_only``. *call* names the file that keeps the answer.

        What calls of one stage share goes first in *context*: providers cache equal beginnings. *rows* gives a digest
        for each row of the spine that is shown in parts marked ``by_id``: a kept answer is then used again as long as
        the rows whose ids it names are unchanged, although others were. With *updates*, it depends on all rows, and is
        used again where a few changed: its ``rows_changed`` says which. Fields of a valid answer that print a banned
        word or a placeholder are asked for once more, as ``<call>-again``. Calls that do not wait for each other belong
        in one ``asyncio.gather``.
        Raises AnswerLost where the model gives no usable answer, ModelError, RunInterrupted.
        """
        question = Question(
            name=call,
            shared=opening(self.goal.prompt, self.goal.facts.language),
            instructions=instructions,
            context=context,
            answer=answer,
            rows=rows or {},
            updates=updates,
        )
        given = await self.answer(question)
        assert isinstance(given, answer)
        # a text that is too long to be given anew whole is left to the quality checks
        wrong = tuple(f for f in faults(given, self.goal.prompt, self.goal.facts) if len(f.text) <= REWRITTEN)
        taken = await self._again(question, given, wrong) if wrong else given
        if given.items_left_out:
            self.lost[call] = shortened(_words(call), given.items_left_out)
        return taken.with_rows_changed(given.rows_changed) if given.rows_changed else taken

    async def ask_part(
        self,
        call: str,
        instructions: str,
        context: tuple[Part, ...],
        answer: type[A],
        *,
        rows: Mapping[str, str] | None = None,
        updates: bool = False,
        part: str = "",
    ) -> A | None:
        """Ask as :meth:`ask` does for a part that the plan can do without: None where no usable answer was given.

        The section says that *part* is missing; it is named after *call* where it is empty.
        """
        try:
            return await self.ask(call, instructions, context, answer, rows=rows, updates=updates)
        except AnswerLost:
            self.lost[call] = left_out(part or _words(call))
            return None

    def with_missing(self, result: R) -> R:
        """Return *result* with what the model gave no usable answer for, in the order of the calls' names."""
        return result.model_copy(update={"missing": tuple(said for _, said in sorted(self.lost.items()))})

    async def _again(self, question: Question[A], given: A, wrong: tuple[Fault, ...]) -> A:
        """Ask once for new texts of the fields that are *wrong*; what they leave, the quality checks report."""
        first: Question[Any] = question
        again = replace(
            first,
            name=f"{question.name}-again",
            instructions=f"{question.instructions}\n{AGAIN}",
            context=(*question.context, Part("fields to write again", shown(wrong))),
            answer=Patches,
            updates=False,
        )
        try:
            patches = await self.answer(again)
        except ModelError:
            # the first answer is valid: a plan with a finding is worth more than none
            return given
        assert isinstance(patches, Patches)
        return patched(given, wrong, patches)


def _words(call: str) -> str:
    return f"“{re.sub(r'[-_]+', ' ', call)}”"
