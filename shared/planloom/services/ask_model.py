"""Ask the model for a stage: look whether the run is still wanted, reuse an answer that was kept, keep a new one."""

import asyncio
import json
from collections.abc import Callable
from typing import TypeVar

from pydantic import ValidationError

from planloom.domain.artifacts import Artifact, artifact
from planloom.domain.fingerprints import call_fingerprint
from planloom.domain.frozen import Answer, Frozen
from planloom.domain.plans import Plan
from planloom.domain.usage import Usage
from planloom.models.model import Question
from planloom.services.world import World
from planloom.stages.stage import Stage, StageResult

A = TypeVar("A", bound=Answer)

#: Between two looks at the stop flag; calls that follow each other faster share a look.
LOOK_SECONDS = 0.5


class KeptAnswer(Frozen):
    """What ``NNN-0-name-call.json`` holds: the answer to one model call, and of what question."""

    call: str
    fingerprint: str
    usage: Usage
    answer: dict[str, object]


class Answers:
    """The model calls of one stage; ``artifacts`` and ``usage`` say what they left and cost."""

    def __init__(self, world: World, plan: Plan, stage: Stage[StageResult], look: Callable[[], object]) -> None:
        self.artifacts: list[Artifact] = []
        self.usage: list[Usage] = []
        self._world = world
        self._plan = plan
        self._stage = stage
        self._look = look
        self._looked_at = world.monotonic()
        self._model = world.models.model(plan.model_profile)
        self._kept = set(world.files.paths(plan.plan_id, f"{stage.key}-0-"))

    async def ask(self, question: Question[A]) -> A:
        """Return the kept answer to the same question, or ask and keep. Raises RunInterrupted, ModelError."""
        path = self._stage.call_path(question.name)
        fingerprint = self._fingerprint(question)
        kept = await self._read(path, fingerprint, question.answer) if path in self._kept else None
        if kept is None:
            self._look_again()
            answer, usage = await self._model.ask(question)
            kept = KeptAnswer(
                call=question.name,
                fingerprint=fingerprint,
                usage=usage,
                answer=answer.model_dump(mode="json"),
            )
            await self._write(path, kept)
        else:
            answer = question.answer.model_validate(kept.answer)
        self.artifacts.append(artifact(path, _content(kept), self._world.now()))
        self.usage.append(kept.usage)
        return answer

    def _look_again(self) -> None:
        if self._world.monotonic() - self._looked_at >= LOOK_SECONDS:
            self._looked_at = self._world.monotonic()
            self._look()

    def _fingerprint(self, question: Question[A]) -> str:
        context = json.dumps([[part.title, part.text] for part in question.context])
        schema = json.dumps(question.answer.model_json_schema(), sort_keys=True)
        return call_fingerprint(
            self._plan.model_profile,
            str(self._stage.version),
            question.shared,
            question.instructions,
            context,
            schema,
        )

    async def _read(self, path: str, fingerprint: str, answer: type[A]) -> KeptAnswer | None:
        content = await asyncio.to_thread(self._world.files.read, self._plan.plan_id, path)
        try:
            kept = KeptAnswer.model_validate_json(content or b"")
            answer.model_validate(kept.answer)
        except ValidationError:
            return None  # cut short by a crash, or of an older shape: ask again
        return kept if kept.fingerprint == fingerprint else None

    async def _write(self, path: str, kept: KeptAnswer) -> None:
        content = _content(kept)
        await asyncio.to_thread(self._world.files.write, self._plan.plan_id, path, content, "application/json")


def _content(kept: KeptAnswer) -> bytes:
    return (kept.model_dump_json(indent=2) + "\n").encode()
