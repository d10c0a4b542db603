"""The desk a stage works at: the brief, the results it needs, and the model it asks."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeVar

from planloom.domain.claims import Claim, Register
from planloom.domain.errors import NotNeeded
from planloom.domain.frozen import Answer
from planloom.domain.plans import ModelProfile
from planloom.domain.shorten import shorten
from planloom.domain.usage import Usage
from planloom.knowledge.brief import Brief
from planloom.models.model import Part, Question
from planloom.stages.house_rules import HOUSE_RULES
from planloom.stages.parts.spared_words import spare
from planloom.stages.stage import Stage, StageResult

#: A hundred claims go into most calls: what the id and the value leave open is said in this many characters.
CLAIM_CHARACTERS = 60

R = TypeVar("R", bound=StageResult)
A = TypeVar("A", bound=Answer)


@dataclass(frozen=True)
class About:
    """How and by what a plan is drafted: what the report says at its top."""

    plan_id: str
    model_profile: ModelProfile
    models: tuple[str, ...]
    created_at: datetime
    usage: Usage = field(default_factory=Usage)

    @property
    def outline_only(self) -> bool:
        """True where no language model took part."""
        return self.models == ("outline",)


@dataclass(frozen=True)
class Desk:
    """All that a stage may look at and do; :mod:`planloom.services.run_stage` lays it.

    ``results`` and ``texts`` hold what the stage needs and nothing else: its fingerprint is made of them.
    ``needs`` are the stages themselves, for their titles and numbers.
    """

    stage: str
    prompt: str
    brief: Brief
    register: Register
    about: About
    results: Mapping[str, StageResult]
    texts: Mapping[str, str]
    answer: Callable[[Question[Answer]], Awaitable[Answer]] = field(repr=False)
    needs: Mapping[str, Stage[Any]] = field(default_factory=dict, repr=False)

    def read(self, name: str, result: type[R]) -> R:
        """Return the result of the needed stage *name*; raise NotNeeded for one that is not declared."""
        found = self.results.get(name)
        if not isinstance(found, result):
            raise NotNeeded(f"{self.stage} reads {name}, which it does not declare in its needs")
        return found

    def excerpt(self, name: str, limit: int) -> Part:
        """Return what the needed stage *name* reads as, in at most *limit* characters, whole sentences."""
        if name not in self.texts:
            raise NotNeeded(f"{self.stage} quotes {name}, which it does not declare in its needs")
        return Part(name, shorten(self.texts[name], limit))

    async def ask(
        self,
        call: str,
        instructions: str,
        context: tuple[Part, ...],
        answer: type[A],
        outline: Callable[[], A],
    ) -> A:
        """Ask the model once. *call* is unique in the stage and names the file that keeps the answer.

        Calls that do not wait for each other belong in one ``asyncio.gather``. Raises ModelError, RunInterrupted.
        """
        question = Question(
            name=call,
            shared=f"{HOUSE_RULES}\n\n<goal>\n{self.prompt}\n</goal>",
            instructions=instructions,
            # all calls of a stage see the same claims: before what is the call's own, caches can serve them
            context=(self._claims(), *context),
            answer=answer,
            outline=lambda: spare(outline(), self.brief.facts),
        )
        given = await self.answer(question)  # type: ignore[arg-type]
        assert isinstance(given, answer)
        return given

    def _claims(self) -> Part:
        return Part("claims", "\n".join(_line(claim) for claim in self.register if claim.value))


def _line(claim: Claim) -> str:
    """A claim in few words: what it quotes stands in the goal, which every call is shown anyway."""
    settled = f"{claim.id} = {claim.value} {claim.unit or ''}".strip()
    return settled if claim.source.startswith("prompt:") else f"{settled}: {_clipped(claim.text)}"


def _clipped(text: str) -> str:
    return text if len(text) <= CLAIM_CHARACTERS else f"{text[:CLAIM_CHARACTERS].rsplit(' ', 1)[0]} …"
