"""Ask the model for a stage: look whether the run is still wanted, reuse an answer that was kept, keep a new one."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import replace
from functools import cached_property
from typing import TypeVar

from planloom.core.artifacts import Artifact, artifact
from planloom.core.fingerprints import call_fingerprint
from planloom.core.frozen import Answer
from planloom.core.usage import Usage
from planloom.models.errors import ModelError, ModelTimedOut
from planloom.models.model import Model, Question, schema_of
from planloom.planes.strategic.events import AnswerKept
from planloom.planes.strategic.kept_answer import KeptAnswer
from planloom.planes.strategic.plans import Plan
from planloom.planes.strategic.ports.groups import StagePorts
from planloom.planes.strategic.run_errors import MayNotAsk, RunInterrupted
from planloom.planes.strategic.services.kept_answers import KeptAnswers, content_of, rows_of, usable
from planloom.planes.strategic.services.publish import publish
from planloom.planes.strategic.stages.stage import Stage, StageResult

A = TypeVar("A", bound=Answer)
R = TypeVar("R")

#: Between two looks at the stop flag; calls that follow each other faster share a look.
LOOK_SECONDS = 0.5
#: Between two published answers of a stage: often enough to show progress, seldom enough for a fan-out of twenty.
PUBLISH_SECONDS = 10.0
#: And between two looks while calls are active: a plan that was stopped pays for no more than this.
WATCH_SECONDS = 2.0
#: The part of its timeout that a stage may use: a Lambda that is ended from outside cannot record why it failed.
SHARE_OF_TIMEOUT = 0.9


class Answers:
    """The model calls of one stage; ``artifacts`` and ``usage`` say what they left and cost, ``lost`` what the calls
    cost that failed, :meth:`models` which models answered.
    """

    def __init__(
        self,
        ports: StagePorts,
        plan: Plan,
        stage: Stage[StageResult],
        answered: Iterable[str],
        look: Callable[[], object],
        paid: Callable[[Usage], object] = lambda _: None,
    ) -> None:
        """*answered* are the paths of the stored answers; *paid* is called with the cost of each new call."""
        self.artifacts: list[Artifact] = []
        self.usage: list[Usage] = []
        self.lost: list[Usage] = []
        self._answered_by: dict[str, str] = {}
        self._ports = ports
        self._plan = plan
        self._stage = stage
        self._look = look
        self._paid = paid
        self._looked_at = ports.monotonic()
        self._published_at = ports.monotonic()
        self._kept = frozenset(answered)
        self._answers = KeptAnswers(ports.plan_records.files, plan)
        self._given_up: list[tuple[str, KeptAnswer, str | None]] = []
        self._under_way: set[asyncio.Task[object]] = set()

    @cached_property
    def _model(self) -> Model:
        # on the first question: a stage that asks none needs no model library, and no model to be available
        return self._ports.models.model(self._plan.model_profile)

    def spent(self) -> Usage:
        """Return what the calls cost so far, those included that brought no answer."""
        return sum((*self.usage, *self.lost), Usage())

    def models(self) -> tuple[str, ...]:
        """Return the models that answered, each once, in the order of the calls' names: whichever came first."""
        return tuple(dict.fromkeys(model for _, model in sorted(self._answered_by.items())))

    async def watch(self, drafting: Awaitable[R]) -> R:
        """Return what *drafting* makes; end it where the run is no longer wanted, also while its calls are active.

        Raises RunInterrupted, or ModelTimedOut once most of the stage's timeout is used, after it cancelled all calls.
        """
        seconds = SHARE_OF_TIMEOUT * self._stage.timeout_seconds
        work, watch = asyncio.ensure_future(drafting), asyncio.create_task(self._watch())
        try:
            await asyncio.wait((work, watch), timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
            if work.done():
                return work.result()
            raise (watch.done() and watch.exception()) or ModelTimedOut(
                f"Its models took longer than the {seconds / 60:g} minutes that a stage has. Finished calls are "
                "kept; a resume asks only for the others."
            )
        finally:
            watch.cancel()
            work.cancel()
            await asyncio.gather(watch, work, return_exceptions=True)

    async def ask(self, question: Question[A]) -> A:
        """Return the kept answer to the same question, or ask and keep.

        Raises RunInterrupted, ModelError, MayNotAsk, ModelProfilesUnavailable.
        """
        if not self._stage.asks_model:
            raise MayNotAsk(f"{self._stage.step} asks a model. Declare asks_model=True in its Stage.")
        task = asyncio.current_task()
        assert task, "a coroutine runs in a task"
        self._under_way.add(task)
        try:
            return await self._answer(question)
        finally:
            self._under_way.discard(task)

    async def end(self, error: Exception) -> None:
        """Leave no call active once the stage has ended with *error*.

        An active call is paid for: it is awaited and its answer stored, unless the run is no longer wanted.
        """
        rest = [task for task in self._under_way if task is not asyncio.current_task()]
        if isinstance(error, RunInterrupted):
            for task in rest:
                task.cancel()
        await asyncio.gather(*rest, return_exceptions=True)
        # not where they were given up: a task that is cancelled twice would not wait for it
        await asyncio.gather(*(self._answers.replace(*each) for each in self._given_up))

    async def _answer(self, question: Question[A]) -> A:
        path = self._stage.call_path(question.name)
        fingerprint = self._fingerprint(question)
        kept, tag = await self._answers.read(path) if path in self._kept else (None, None)
        answer = usable(kept, fingerprint, question)
        if answer is None:
            self._look_again()
            before = kept if kept and not kept.fingerprint else None
            answer, usage = await self._asked(question, path, before, tag)
            rows = rows_of(answer, question)
            kept = self._answers.note(question.name, before, usage, fingerprint, answer, rows)
            if not await self._answers.replace(path, kept, tag):
                kept, answer = await self._answers.adopt(path, kept, answer, question)
            await self._publish(question.name)
        assert kept
        self.artifacts.append(artifact(path, content_of(kept), self._ports.plan_records.now()))
        self.usage.append(kept.usage)
        self._answered_by[question.name] = kept.answered_by
        return answer

    async def _asked(
        self, question: Question[A], path: str, before: KeptAnswer | None, tag: str | None
    ) -> tuple[A, Usage]:
        bills: list[Usage] = []
        try:
            answer, usage = await self._model.ask(replace(question, look=self._look_again, on_usage=bills.append))
            self._paid(usage)
            return answer, usage
        except ModelError as error:
            lost = self._lose(question.name, error.usage, before)
            if await self._answers.replace(path, lost, tag):
                # a stage continues without some answers; what they cost stays in its record
                self.artifacts.append(artifact(path, content_of(lost), self._ports.plan_records.now()))
            raise
        except BaseException:
            # given up before its end: what it was billed for before is still spent
            if bills and (bills[-1].input_tokens or bills[-1].output_tokens):
                self._given_up.append((path, self._lose(question.name, bills[-1], before), tag))
            raise

    def _lose(self, call: str, usage: Usage, before: KeptAnswer | None) -> KeptAnswer:
        """Count what *call* cost without an answer; return the note of it."""
        self._paid(usage)
        lost = self._answers.note(call, before, usage)
        self.lost.append(lost.usage)
        return lost

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(WATCH_SECONDS)
            await asyncio.to_thread(self._look)

    def _look_again(self) -> None:
        if self._ports.monotonic() - self._looked_at >= LOOK_SECONDS:
            self._looked_at = self._ports.monotonic()
            self._look()

    async def _publish(self, call: str) -> None:
        if self._ports.monotonic() - self._published_at < PUBLISH_SECONDS:
            return
        self._published_at = self._ports.monotonic()
        event = AnswerKept(
            plan_id=self._plan.plan_id,
            run=self._plan.run,
            at=self._ports.plan_records.now(),
            key=self._stage.key,
            call=call,
            answers=len(self.artifacts) + 1,
        )
        await asyncio.to_thread(publish, self._ports.bus, event)

    def _fingerprint(self, question: Question[A]) -> str:
        # what an answer names of the parts that are shown by id, usable() compares row by row
        parts = [(part.title, part.source if part.by_id and question.rows else part.text) for part in question.context]
        context = json.dumps([part for part in parts if part[1]])
        schema = json.dumps(schema_of(question.answer), sort_keys=True)
        return call_fingerprint(
            str(self._stage.version),
            question.shared,
            question.instructions,
            context,
            schema,
        )
