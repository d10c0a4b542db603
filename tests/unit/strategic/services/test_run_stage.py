"""Running stages: commit, skip, stop and failure."""

import json
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from planloom.models.errors import ModelUnavailable, PromptRefused
from planloom.planes.strategic.events import StageFinished
from planloom.planes.strategic.plans import Failure, PlanState
from planloom.planes.strategic.run_errors import RunInterrupted, StageAborted
from planloom.planes.strategic.services.stop_plan import stop_plan
from tests.fake_ports import Fakes, make_fakes
from tests.fakes import FakePlanStore
from tests.unit.strategic.services.spy import Spy, SpyModels
from tests.unit.strategic.services.walk import begin, deliver, work

FIRST = ("start", "screening", "premise_attack", "draft", "choice")


@pytest.fixture
def spy() -> Spy:
    return Spy()


@pytest.fixture
def fakes(spy: Spy) -> Fakes:
    made = make_fakes()
    return replace(made, ports=replace(made.ports, models=SpyModels(spy)))


def test_a_stage_writes_its_artifacts_then_its_record_then_tells(fakes: Fakes) -> None:
    plan = begin(fakes)
    work(fakes, plan, *FIRST)
    assert fakes.files.writes[-1] == "steps/005.json"
    record = json.loads(fakes.files.read(plan.plan_id, "steps/005.json") or b"")
    assert {"005-1-choice.json", "005-2-choice.md"} <= {file["path"] for file in record["artifacts"]}
    last = fakes.bus.published[-1]
    assert isinstance(last, StageFinished)
    assert (last.record.key, last.skipped) == ("005", False)


def test_the_first_stage_moves_the_plan_to_processing_and_takes_the_prompt_into_its_record(fakes: Fakes) -> None:
    plan = begin(fakes)
    work(fakes, plan, "start")
    deliver(fakes)
    assert fakes.plans.get(plan.plan_id).state == "processing"
    assert "001-2-plan.txt" in [file.path for file in fakes.plans.all_files(plan.plan_id)]


def test_a_stage_made_from_the_same_is_skipped(fakes: Fakes, spy: Spy) -> None:
    plan = begin(fakes)
    work(fakes, plan, *FIRST)
    asked, writes = list(spy.asked), list(fakes.files.writes)
    work(fakes, plan, "choice")
    assert (spy.asked, fakes.files.writes) == (asked, writes)
    assert fakes.bus.published[-1].skipped


def test_a_damaged_artifact_is_noticed_and_made_again_without_asking_again(fakes: Fakes, spy: Spy) -> None:
    plan = begin(fakes)
    work(fakes, plan, *FIRST)
    whole = fakes.files.read(plan.plan_id, "005-2-choice.md")
    fakes.files.write(plan.plan_id, "005-2-choice.md", whole[:40], "text/markdown")
    asked = list(spy.asked)
    work(fakes, plan, "choice")
    assert fakes.files.read(plan.plan_id, "005-2-choice.md") == whole
    assert spy.asked == asked


def test_a_need_that_is_not_what_its_stage_committed_is_noticed_by_whoever_reads_it(fakes: Fakes) -> None:
    plan = begin(fakes)
    work(fakes, plan, *FIRST)
    fakes.files.write(plan.plan_id, "004-2-draft.md", b"# Cut sh", "text/markdown")
    with pytest.raises(StageAborted):
        work(fakes, plan, "choice")
    failure = fakes.plans.get(plan.plan_id).failure
    assert (failure.failed_step, failure.recoverable) == ("005-choice", True)
    assert "content_unavailable" in failure.message


def test_a_record_that_was_cut_short_is_made_again_without_asking_again(fakes: Fakes, spy: Spy) -> None:
    plan = begin(fakes)
    work(fakes, plan, *FIRST)
    whole = fakes.files.read(plan.plan_id, "steps/005.json")
    fakes.files.write(plan.plan_id, "steps/005.json", whole[:99], "application/json")
    asked = list(spy.asked)
    work(fakes, plan, "choice")
    assert fakes.files.read(plan.plan_id, "steps/005.json") == whole
    assert spy.asked == asked


def test_a_crash_in_a_fan_out_repeats_only_what_was_unfinished(fakes: Fakes, spy: Spy) -> None:
    plan = begin(fakes)
    work(fakes, plan, "start", "screening", "premise_attack")
    asked_whole = _ask_all(fakes, spy, plan)
    assert len(asked_whole) == 2
    # the last answer was lost with its worker: no record, one answer missing
    lost = next(path for path in fakes.files.paths(plan.plan_id, "004-0-") if asked_whole[-1] in path)
    del fakes.files.contents[plan.plan_id, lost], fakes.files.contents[plan.plan_id, "steps/004.json"]
    assert _ask_all(fakes, spy, plan) == [asked_whole[-1]]


def _ask_all(fakes: Fakes, spy: Spy, plan: Any) -> list[str]:
    before = len(spy.asked)
    work(fakes, plan, "draft")
    return spy.asked[before:]


def test_a_stopped_plan_starts_no_further_stage(fakes: Fakes, spy: Spy) -> None:
    plan = begin(fakes)
    work(fakes, plan, "start", "screening")
    stop_plan(fakes.ports.run_control, "acme", plan.plan_id)
    told, writes = list(fakes.bus.published), list(fakes.files.writes)
    with pytest.raises(RunInterrupted):
        work(fakes, plan, "choice")
    assert (fakes.bus.published, fakes.files.writes) == (told, writes)


def test_a_stage_of_an_older_run_leaves_no_trace(fakes: Fakes) -> None:
    plan = begin(fakes)
    with pytest.raises(RunInterrupted):
        work(fakes, plan.model_copy(update={"run": 2}), "start")
    assert fakes.files.paths(plan.plan_id, "steps/") == []


@pytest.mark.parametrize(
    ("error", "reason", "recoverable", "says"),
    [
        (ModelUnavailable("The provider answered 503."), "generation_error", True, "The provider answered 503."),
        (PromptRefused("It asks for harm."), "generation_error", False, "It asks for harm."),
        (
            ValueError("a secret in a message"),
            "internal_error",
            True,
            "(ValueError). Finished stages are kept: plan_resume continues",
        ),
    ],
)
def test_6_3_a_failing_stage_records_why_before_it_raises(
    fakes: Fakes, spy: Spy, error: Exception, reason: str, recoverable: bool, says: str
) -> None:
    plan = begin(fakes)
    work(fakes, plan, "start")
    spy.fails = {"verdict": error}
    with pytest.raises(StageAborted):
        work(fakes, plan, "screening")
    failure = fakes.plans.get(plan.plan_id).failure
    assert (failure.failure_reason, failure.failed_step, failure.recoverable) == (reason, "002-screening", recoverable)
    assert says in failure.message
    assert "secret" not in failure.message


def test_after_a_failure_no_other_stage_of_the_run_starts(fakes: Fakes, spy: Spy) -> None:
    plan = begin(fakes)
    work(fakes, plan, "start")
    spy.fails = {"verdict": ModelUnavailable("The provider answered 503.")}
    with pytest.raises(StageAborted):
        work(fakes, plan, "screening")
    with pytest.raises(RunInterrupted):
        work(fakes, plan, "premise_attack")


def test_a_stage_whose_needs_are_not_there_fails_with_their_name(fakes: Fakes) -> None:
    plan = begin(fakes)
    with pytest.raises(StageAborted):
        work(fakes, plan, "choice")
    assert "content_unavailable" in fakes.plans.get(plan.plan_id).failure.message


class StoppedMeanwhile(FakePlanStore):
    """A store in which a stop always comes just before the first stage takes the plan up."""

    def move(self, plan_id: str, run: int, to: PlanState, now: datetime, failure: Failure | None = None) -> bool:
        if to == "processing":
            super().move(plan_id, run, "stopped", now)
        return super().move(plan_id, run, to, now, failure)


def test_a_stop_that_comes_just_before_the_first_stage_keeps_it_from_working(fakes: Fakes) -> None:
    plan = begin(fakes)
    store = StoppedMeanwhile(fakes.plans.plans)
    told = list(fakes.bus.published)
    with pytest.raises(RunInterrupted):
        work(replace(fakes, ports=replace(fakes.ports, plans=store)), plan, "start")
    assert fakes.bus.published == told


def test_the_traceback_of_a_failure_is_kept_for_whoever_runs_the_service(fakes: Fakes, spy: Spy) -> None:
    plan = begin(fakes)
    work(fakes, plan, "start")
    spy.fails["verdict"] = ZeroDivisionError("a fault of ours")
    with pytest.raises(StageAborted):
        work(fakes, plan, "screening")
    kept = json.loads(fakes.files.read(plan.plan_id, "run_error.json") or b"")
    assert (kept["run"], kept["step"], kept["error"]) == (1, "002-screening", "ZeroDivisionError")
    assert "a fault of ours" in kept["traceback"]
    assert "a fault of ours" not in fakes.plans.get(plan.plan_id).failure.message


def test_a_bus_that_is_down_undoes_nothing(fakes: Fakes, monkeypatch: pytest.MonkeyPatch) -> None:
    def down(event: object) -> None:
        raise ConnectionError("the bus is down")

    monkeypatch.setattr(fakes.bus, "put", down)
    plan = begin(fakes)
    work(fakes, plan, *FIRST)
    assert fakes.plans.get(plan.plan_id).failure is None
    assert fakes.files.read(plan.plan_id, "steps/005.json") is not None
    assert fakes.pipeline.started == [(plan.plan_id, 1, "build_plan")]
