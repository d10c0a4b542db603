"""Asking for a stage: what is kept of answers, of failures and of what was in flight when the stage ended."""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest

from bench.stub_models import StubModels
from planloom.core.usage import Usage
from planloom.models import profiles
from planloom.models.errors import AnswerRefused, ModelServerError, ModelTimedOut
from planloom.models.model import Question
from planloom.models.profiles import Models
from planloom.planes.strategic.events import AnswerKept
from planloom.planes.strategic.plans import Plan
from planloom.planes.strategic.progress import usage
from planloom.planes.strategic.run_errors import MayNotAsk, RunInterrupted, StageAborted
from planloom.planes.strategic.services import ask_model
from planloom.planes.strategic.services.kept_answers import KeptAnswers, usable
from planloom.planes.strategic.services.run_stage import run_stage
from planloom.planes.strategic.stages.missing import left_out
from planloom.planes.strategic.stages.pipeline import stage_named
from planloom.planes.strategic.steps import StepRecord
from tests.fake_ports import Fakes, make_fakes
from tests.unit.models.asking import Table, question
from tests.unit.strategic.services.modelled import Modelled
from tests.unit.strategic.services.spy import Spy, SpyModels
from tests.unit.strategic.services.walk import begin, deliver, in_order, work

#: Its calls are asked side by side.
STAGE = "draft"
#: What it needs: each asks once.
EARLIER = in_order()[:3]


class Slow(Spy):
    """Answers after the others have begun; fails the calls that *fails* names, once each."""

    def __init__(self) -> None:
        super().__init__()
        self.answered: list[str] = []

    async def ask(self, question: Question[Any]) -> tuple[Any, Usage]:
        if error := self.fails.pop(question.name, None):
            self.asked.append(question.name)
            raise error
        answer, _ = await super().ask(question)
        for _ in range(20):
            await asyncio.sleep(0)
        self.answered.append(question.name)
        return answer, Usage(calls=1, input_tokens=10)


@pytest.fixture
def slow() -> Slow:
    return Slow()


@pytest.fixture
def fakes(slow: Slow) -> Fakes:
    made = make_fakes()
    return replace(made, ports=replace(made.ports, models=SpyModels(slow)))


def resume(fakes: Fakes, plan_id: str) -> StepRecord:
    """Let the plan continue as a resume does: without the failure that was recorded."""
    fakes.plans.plans[plan_id] = fakes.plans.plans[plan_id].model_copy(update={"failure": None})
    return asyncio.run(run_stage(fakes.ports.stage_ports, STAGE, plan_id, 1))


def down(cost: int) -> ModelServerError:
    error = ModelServerError("It is down.")
    error.usage = Usage(calls=1, input_tokens=cost)
    return error


def calls_of(fakes: Fakes, plan_id: str) -> list[str]:
    return [path for path in fakes.files.paths(plan_id) if path.startswith("004-0-")]


def test_calls_beside_one_that_failed_are_finished_and_never_asked_again(fakes: Fakes, slow: Slow) -> None:
    plan = begin(fakes)
    work(fakes, plan, *EARLIER)
    first = sorted(_names(fakes, slow))[0]
    slow.fails, slow.asked, slow.answered = {first: down(7)}, [], []
    with pytest.raises(StageAborted):
        work(fakes, plan, STAGE)
    asked = list(slow.asked)
    assert sorted([*slow.answered, first]) == sorted(asked)

    record = resume(fakes, plan.plan_id)

    assert slow.asked == [*asked, first]
    assert record.usage.calls == len(asked) + 1, "the failed request counts as well"
    assert record.usage.input_tokens == 10 * len(asked) + 7


def test_a_call_that_was_refused_is_counted_and_its_part_is_said_to_be_missing(fakes: Fakes, slow: Slow) -> None:
    plan = begin(fakes)
    work(fakes, plan, *EARLIER)
    first = sorted(_names(fakes, slow))[0]
    refused = AnswerRefused("It refused.")
    refused.usage = Usage(calls=1, input_tokens=7)
    slow.fails, slow.asked, slow.answered = {first: refused}, [], []

    work(fakes, plan, STAGE)

    files = {path: (fakes.files.read(plan.plan_id, path) or b"").decode() for path in fakes.files.paths(plan.plan_id)}
    record = StepRecord.model_validate_json(files["steps/004.json"])
    result = stage_named(STAGE).result.model_validate_json(files["004-1-draft.json"])
    assert record.usage.input_tokens == 10 * (len(slow.asked) - 1) + 7
    assert [file.path for file in record.artifacts if "-0-" in file.path] == calls_of(fakes, plan.plan_id)
    assert result.missing == (left_out(f"the whole plan by the {first}"),)
    assert files["004-2-draft.md"].splitlines()[:3] == [
        "# First draft",
        "",
        f"> **Missing.** {result.missing[0]}",
    ]


def test_items_that_did_not_fit_are_said_to_be_missing_by_a_later_run_too(fakes: Fakes) -> None:
    plan = begin(fakes)
    answers = KeptAnswers(fakes.ports.files, plan)
    answer = Table.model_validate(GOOD).leaving_out(2)
    kept = answers.note("table", None, Usage(), "fingerprint", answer)

    asyncio.run(answers.replace("004-0-table.json", kept, None))
    read, _ = asyncio.run(answers.read("004-0-table.json"))

    again = usable(read, "fingerprint", question())
    assert (again, again and again.items_left_out) == (answer, 2)


def test_a_run_that_is_no_longer_wanted_ends_its_calls_under_way(fakes: Fakes, slow: Slow) -> None:
    plan = begin(fakes)
    work(fakes, plan, *EARLIER)
    first = sorted(_names(fakes, slow))[0]
    slow.fails, slow.asked, slow.answered = {first: RunInterrupted("stopped")}, [], []
    with asyncio.Runner() as lambda_:
        with pytest.raises(RunInterrupted):
            lambda_.run(run_stage(fakes.ports.stage_ports, STAGE, plan.plan_id, 1))
        # the next invocation runs on the same loop, and would continue with what was left there
        lambda_.run(asyncio.sleep(0.05))
    assert len(slow.asked) > 1
    assert slow.answered == []
    assert calls_of(fakes, plan.plan_id) == []


def _names(fakes: Fakes, slow: Slow) -> list[str]:
    """Return the calls of the stage, by drafting it for another plan."""
    other = begin(fakes)
    work(fakes, other, *EARLIER)
    before = len(slow.asked)
    work(fakes, other, STAGE)
    return slow.asked[before:]


@dataclass
class InFlight:
    """A stage whose calls are in flight at a stub; ``stop`` ends the plan's run under it."""

    modelled: Modelled
    plan: Plan

    def stopped(self, *, when: Callable[[StubModels], bool]) -> None:
        """Run the stage, stop the plan once *when* holds, and wait for the stage to notice."""
        ports = self.modelled.fakes.ports

        async def run() -> None:
            stage = asyncio.create_task(run_stage(ports.stage_ports, STAGE, self.plan.plan_id, 1))
            while not when(self.modelled.stub):  # noqa: ASYNC110 - the stub counts in another thread
                await asyncio.sleep(0.01)
            ports.plans.move(self.plan.plan_id, 1, "stopped", ports.clock())
            async with asyncio.timeout(20):
                with pytest.raises(RunInterrupted):
                    await stage
            assert len(asyncio.all_tasks()) == 1, "no call is left behind"
            async with asyncio.timeout(5):
                while self.modelled.stub.hung_up < self.modelled.stub.busy:  # noqa: ASYNC110 - as above
                    await asyncio.sleep(0.01)
            await ports.models.close()

        asyncio.run(run())


@pytest.fixture(params=["custom", "baseline"], ids=["OpenAI's wire", "Bedrock's"])
def in_flight(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[InFlight]:
    monkeypatch.setattr(ask_model, "WATCH_SECONDS", 0.05)
    with StubModels(silence=60.0) as stub:
        modelled = Modelled.at(stub)
        plan = modelled.create(request.param)
        modelled.work(plan, EARLIER)
        stub.calls.clear()
        yield InFlight(modelled, plan)


def test_a_stop_closes_calls_in_flight(in_flight: InFlight) -> None:
    stub = in_flight.modelled.stub
    stub.faults = {"silence": 1.0}

    in_flight.stopped(when=lambda stub: stub.busy == 2)

    assert stub.calls == [], "none was answered"
    assert in_flight.modelled.fakes.files.paths(in_flight.plan.plan_id, "004-0-") == []


def test_a_stage_whose_models_take_too_long_fails_before_its_worker_is_lost(
    in_flight: InFlight, monkeypatch: Any
) -> None:
    monkeypatch.setattr(ask_model, "SHARE_OF_TIMEOUT", 0.3 / stage_named(STAGE).timeout_seconds)
    stub, plan = in_flight.modelled.stub, in_flight.plan
    stub.faults = {"silence": 1.0}

    found = in_flight.modelled.work(plan, [STAGE])

    assert found.failure
    assert (found.failure.failed_step, found.failure.recoverable) == ("004-draft", True)
    assert found.failure.message.startswith("Its models took longer than the ")
    assert stub.calls == []
    stub.faults = {}
    monkeypatch.setattr(ask_model, "SHARE_OF_TIMEOUT", 0.9)
    assert in_flight.modelled.resume(plan, [STAGE]).failure is None


def test_the_time_that_a_stage_has_for_its_models_follows_from_its_own_timeout(
    fakes: Fakes, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[float] = []

    async def wait(tasks: Any, **options: Any) -> None:
        waited.append(options["timeout"])

    monkeypatch.setattr(asyncio, "wait", wait)
    for stage in (stage_named("draft"), stage_named("schedule")):
        answers = ask_model.Answers(fakes.ports.stage_ports, begin(fakes), stage, (), lambda: None)
        with pytest.raises(ModelTimedOut):
            asyncio.run(answers.watch(asyncio.sleep(60)))

    assert waited == [810, 108]


class NoModels(Models):
    """Fails each request for a model."""

    def model(self, profile: Any) -> Any:
        raise AssertionError("a model client was built")


def test_no_model_client_is_built_before_the_first_question(fakes: Fakes) -> None:
    ports = replace(fakes.ports, models=NoModels())
    answers = ask_model.Answers(ports.stage_ports, begin(fakes), stage_named("schedule"), (), lambda: None)

    assert asyncio.run(answers.watch(asyncio.sleep(0, "drafted"))) == "drafted"


def test_a_stage_that_declares_no_model_may_not_ask_one(fakes: Fakes, slow: Slow) -> None:
    answers = ask_model.Answers(fakes.ports.stage_ports, begin(fakes), stage_named("schedule"), (), lambda: None)

    with pytest.raises(MayNotAsk, match=r"026-schedule asks a model. Declare asks_model=True in its Stage\."):
        asyncio.run(answers.ask(_question()))
    assert slow.asked == []


def test_a_stop_is_noticed_while_calls_wait_for_their_turn(in_flight: InFlight, monkeypatch: Any) -> None:
    whole = profiles.all_profiles()
    narrow = {name: profile.model_copy(update={"concurrency": 1}) for name, profile in whole.items()}
    monkeypatch.setattr(profiles, "all_profiles", lambda: narrow)
    in_flight.modelled.stub.faults = {"silence": 1.0}

    in_flight.stopped(when=lambda stub: stub.busy == 1)

    assert in_flight.modelled.stub.most_at_once == 1


def test_a_stop_is_noticed_while_calls_back_off(in_flight: InFlight) -> None:
    stub = in_flight.modelled.stub
    stub.faults, stub.retry_after = {"rate_limit": 1.0}, "50"

    in_flight.stopped(when=lambda stub: len(stub.calls) == 2)

    assert len(stub.calls) == 2, "none was asked again"


def test_a_stop_is_noticed_between_one_call_and_the_next(fakes: Fakes, slow: Slow) -> None:
    plan = begin(fakes)
    work(fakes, plan, *EARLIER)
    question = _question()
    answers = ask_model.Answers(fakes.ports.stage_ports, plan, stage_named(STAGE), (), lambda: looked.append(1))
    looked: list[int] = []

    async def ask_twice() -> None:
        await answers.ask(replace(question, name="first"))
        fakes.clock.pass_(seconds=1)
        await answers.ask(replace(question, name="second"))

    asyncio.run(ask_twice())
    assert looked == [1]


def test_what_a_call_was_billed_before_a_stop_cut_it_off_is_told_and_kept(
    in_flight: InFlight, monkeypatch: pytest.MonkeyPatch
) -> None:
    modelled, plan, stub = in_flight.modelled, in_flight.plan, in_flight.modelled.stub
    monkeypatch.setattr(stub, "fault", lambda _, attempt: "invalid_json" if attempt == 1 else "silence")

    in_flight.stopped(when=lambda stub: (stub.busy, len(stub.calls)) == (2, 2))
    deliver(modelled.fakes)

    earlier = sum(modelled.record(plan, key).usage.input_tokens for key in ("001", "002", "003"))
    spent = modelled.usage(modelled.plan(plan)).input_tokens - earlier
    assert spent == sum(call.tokens.input for call in stub.calls) > 0
    assert len(modelled.fakes.files.paths(plan.plan_id, "004-0-")) == 2


def test_every_request_looks_before_it_is_sent(in_flight: InFlight) -> None:
    looks: list[int] = []

    async def ask() -> None:
        model = in_flight.modelled.fakes.ports.models.model("custom")
        await model.ask(replace(_question(), look=lambda: looks.append(1)))
        await in_flight.modelled.fakes.ports.models.close()

    in_flight.modelled.stub.faults, in_flight.modelled.stub.once = {"invalid_json": 1.0}, True
    asyncio.run(ask())
    assert len(looks) == len(in_flight.modelled.stub.calls) == 2


def test_what_a_failed_stage_spent_is_told_and_counts(fakes: Fakes, slow: Slow) -> None:
    plan = begin(fakes)
    work(fakes, plan, *EARLIER)
    first = sorted(_names(fakes, slow))[0]
    slow.fails, slow.asked = {first: down(7)}, []
    with pytest.raises(StageAborted):
        work(fakes, plan, STAGE)
    deliver(fakes)

    told = usage(fakes.plans.plans[plan.plan_id])
    assert (told.calls, told.input_tokens) == (
        len(EARLIER) + len(slow.asked),
        10 * (len(EARLIER) + len(slow.asked) - 1) + 7,
    )


def test_what_a_stage_spent_beside_one_that_failed_is_told_and_counts(fakes: Fakes, slow: Slow) -> None:
    plan = begin(fakes)
    work(fakes, plan, *EARLIER)
    first = sorted(_names(fakes, slow))[0]
    slow.fails, slow.asked, slow.answered = {}, [], []
    ask = slow.ask

    async def fail_elsewhere(question: Question[Any]) -> tuple[Any, Usage]:
        answer = await ask(question)
        if question.name == first:
            fakes.plans.move(plan.plan_id, 1, "stopped", fakes.clock())
        return answer

    slow.ask = fail_elsewhere  # type: ignore[method-assign]
    with pytest.raises(RunInterrupted):
        work(fakes, plan, STAGE)
    deliver(fakes)

    found = fakes.plans.plans[plan.plan_id]
    assert (found.state, usage(found).calls) == ("stopped", len(EARLIER) + len(slow.answered))
    assert usage(found).input_tokens == 10 * usage(found).calls
    assert found.steps_finished.keys() == {"001", "002", "003"}


def _question() -> Question[Any]:
    return question()


GOOD = {"rows": [{"title": "A row of it", "size": "small"}] * 2, "note": "A note."}


def test_a_stage_that_asks_for_long_is_heard_of_every_ten_seconds_and_not_at_every_answer(
    fakes: Fakes, slow: Slow, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = begin(fakes)
    work(fakes, plan, *EARLIER)
    ask = slow.ask

    async def ask_for_long(question: Question[Any]) -> tuple[Any, Usage]:
        answer = await ask(question)
        fakes.clock.pass_(seconds=8)
        return answer

    monkeypatch.setattr(slow, "ask", ask_for_long)
    work(fakes, plan, STAGE)
    kept = [event for event in fakes.bus.published if isinstance(event, AnswerKept)]
    assert [event.key for event in kept] == ["004"]
    assert 1 <= kept[0].answers <= len(slow.answered)
    assert kept[0].call in slow.answered
    before = fakes.plans.plans[plan.plan_id].last_progress_at
    fakes.plans.apply(kept[0])
    after = fakes.plans.plans[plan.plan_id].last_progress_at
    assert before
    assert after == kept[0].at > before
