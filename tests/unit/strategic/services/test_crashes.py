"""Crashes: a worker is killed before each of its writes, at each of the stages; two workers run one stage."""

import asyncio
import json
import threading
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from planloom.core.usage import Usage
from planloom.models.model import Question
from planloom.planes.strategic.plans import Plan
from planloom.planes.strategic.services.invalidate_plan import discard
from planloom.planes.strategic.services.run_stage import run_stage
from planloom.planes.strategic.stages.pipeline import PIPELINE
from planloom.planes.strategic.stages.stage import Stage
from tests.fake_ports import Fakes
from tests.fakes import FakeFileStore
from tests.thorough import sampled
from tests.unit.strategic.services.drafted import completed
from tests.unit.strategic.services.spy import Spy, SpyModels


class Killed(BaseException):
    """SIGKILL: nothing of ours catches it."""


@dataclass
class Mortal(FakeFileStore):
    """Files of a worker that is killed before its write number *last*; None: it lives."""

    last: int | None = None
    written: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def write(self, plan_id: str, path: str, content: bytes, content_type: str) -> None:
        # answers of a fan-out are written side by side, by threads that all die with the worker
        with self.lock:
            if self.written == self.last:
                raise Killed
            self.written += 1
            super().write(plan_id, path, content, content_type)


def at_stage(spy: Spy, stage: Stage[Any]) -> tuple[Fakes, Plan]:
    """Return ports whose plan is in its second run: all is finished but *stage*, of which there is nothing."""
    fakes, plan = completed(spy)
    record = json.loads(fakes.files.read(plan.plan_id, f"steps/{stage.key}.json") or b"")
    discard(fakes.ports.files, plan, [stage.key])
    made = [file["path"] for file in record["artifacts"] if file["path"] != "001-2-plan.txt"]
    fakes.files.delete(plan.plan_id, made)
    again = plan.model_copy(update={"run": 2, "state": "processing", "ended_at": None})
    fakes.plans.plans[plan.plan_id] = again
    return fakes, again


def attempt(fakes: Fakes, plan: Plan, stage: Stage[Any], last: int | None) -> int:
    """Let a worker run *stage* until it is killed before its write number *last*; return how many it wrote."""
    files = Mortal(fakes.files.contents, fakes.files.writes, fakes.files.types, fakes.files.kept, last=last)
    asyncio.run(run_stage(replace(fakes.ports, files=files).stage_ports, stage.name, plan.plan_id, plan.run))
    return files.written


@pytest.mark.parametrize("stage", sampled(PIPELINE, every=5), ids=lambda stage: stage.step)
def test_a_worker_killed_between_its_writes_leaves_nothing_that_the_next_one_does_not_finish(
    stage: Stage[Any],
) -> None:
    fakes, plan = at_stage(Spy(), stage)
    writes = attempt(fakes, plan, stage, None)
    undisturbed = dict(fakes.files.contents)
    assert writes >= 2

    # every one of them was tried; of the many answers of a fan-out one more shows nothing new
    for last in sorted({0, writes // 2, writes - 2, writes - 1} & set(range(writes))):
        spy = Spy()
        fakes, plan = at_stage(spy, stage)
        with pytest.raises(Killed):
            attempt(fakes, plan, stage, last)
        assert fakes.files.read(plan.plan_id, f"steps/{stage.key}.json") is None, "the record is written last"
        answered = {
            json.loads(fakes.files.read(plan.plan_id, path) or b"")["call"]
            for path in fakes.files.paths(plan.plan_id, f"{stage.key}-0-")
        }
        asked = len(spy.asked)
        attempt(fakes, plan, stage, None)
        assert answered & set(spy.asked[asked:]) == set(), "a finished call is never repeated"
        assert fakes.files.contents == undisturbed


def test_a_worker_killed_after_its_record_leaves_a_stage_that_is_skipped() -> None:
    stage = PIPELINE[14]
    spy = Spy()
    fakes, plan = at_stage(spy, stage)
    attempt(fakes, plan, stage, None)
    before, asked = dict(fakes.files.contents), list(spy.asked)
    assert attempt(fakes, plan, stage, None) == 0
    assert (fakes.files.contents, spy.asked) == (before, asked)


class Moody(Spy):
    """Answers every question in words of its own."""

    def __init__(self, mood: str) -> None:
        super().__init__()
        self.mood = mood

    async def ask(self, question: Question[Any]) -> tuple[Any, Usage]:
        answer, usage = await super().ask(question)
        return answer.model_copy(update={"text": f"{self.mood}, it was never tried. {answer.text}"}), usage


def test_two_workers_of_one_stage_agree_on_every_answer_whoever_is_quicker() -> None:
    stage = next(stage for stage in PIPELINE if stage.name == "draft")
    slow, quick = Moody("Slow"), Moody("Quick")
    fakes, plan = at_stage(Spy(), stage)
    begun: list[str] = []

    def overtake() -> None:
        # the first answer of the slow worker is kept; then another does all of the stage before the slow one continues
        begun.append("asked")
        if len(begun) == 2:
            ports = replace(fakes.ports, models=SpyModels(quick))
            other = threading.Thread(
                target=lambda: asyncio.run(run_stage(ports.stage_ports, stage.name, plan.plan_id, 2))
            )
            other.start()
            other.join()

    slow.before_answer = overtake
    ports = replace(fakes.ports, models=SpyModels(slow))
    asyncio.run(run_stage(ports.stage_ports, stage.name, plan.plan_id, 2))
    record = json.loads(fakes.files.read(plan.plan_id, f"steps/{stage.key}.json") or b"")
    stored = {file["path"]: fakes.files.sha256(plan.plan_id, file["path"]) for file in record["artifacts"]}
    assert stored == {file["path"]: file["sha256"] for file in record["artifacts"]}
    assert len(begun) == 2
    pages = [fakes.files.read(plan.plan_id, path) or b"" for path in stage.section_paths.values()]
    assert any(b"Quick, it was never tried." in page for page in pages), (
        "the slow one took the answers that were kept before its own"
    )
