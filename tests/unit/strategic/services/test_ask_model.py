"""Asking for a stage: what is kept of answers, of failures and of what was in flight when the stage ended."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from planloom.core.usage import Usage
from planloom.models.errors import AnswerRefused, ModelServerError, ModelTimedOut
from planloom.models.model import Question
from planloom.models.profiles import Models
from planloom.planes.strategic.events import AnswerKept
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
