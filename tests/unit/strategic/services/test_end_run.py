"""How plans come to their end, whatever becomes of workers and messages."""

from contextlib import suppress
from dataclasses import replace
from datetime import timedelta

import pytest
from pydantic import ValidationError

from planloom.planes.strategic.events import PlanEvent, RunEnded
from planloom.planes.strategic.plans import Failure, Plan
from planloom.planes.strategic.services.end_run import end_run
from planloom.planes.strategic.services.own_plan import own_plan
from planloom.planes.strategic.services.repair_plan import repair_lost, repair_plan
from planloom.planes.strategic.services.stop_plan import stop_plan
from planloom.planes.strategic.services.watch_plans import watch_plans
from planloom.planes.strategic.stages.pipeline import PIPELINE
from planloom.planes.strategic.watch_settings import WatchSettings
from tests.fake_ports import Fakes, Ports, make_fakes
from tests.fakes import FakeBus
from tests.unit.strategic.services.overtaken import Overtaken
from tests.unit.strategic.services.walk import begin, deliver, in_order, work


@pytest.fixture(scope="module")
def finished() -> tuple[Fakes, Plan]:
    """A plan whose stages have all run; none of its events was delivered."""
    fakes = make_fakes()
    plan = begin(fakes)
    work(fakes, plan, *in_order())
    return fakes, plan


@pytest.fixture
def fakes() -> Fakes:
    return make_fakes()


def test_a_run_that_succeeded_completes_its_plan_even_before_its_events_arrive(finished: tuple[Fakes, Plan]) -> None:
    fakes, plan = finished
    end_run(fakes.ports.run_control, plan.plan_id, 1, "SUCCEEDED")
    ended = fakes.plans.get(plan.plan_id)
    assert (ended.state, len(ended.steps_finished)) == ("completed", len(PIPELINE))


def test_events_that_arrive_after_the_end_change_nothing(finished: tuple[Fakes, Plan]) -> None:
    fakes, plan = finished
    end_run(fakes.ports.run_control, plan.plan_id, 1, "SUCCEEDED")
    state = fakes.plans.get(plan.plan_id).state
    deliver(fakes)
    assert fakes.plans.get(plan.plan_id).state == state
    assert len(fakes.plans.get(plan.plan_id).steps_finished) == len(PIPELINE)


def test_a_view_is_rebuilt_from_the_bucket_alone(finished: tuple[Fakes, Plan]) -> None:
    fakes, plan = finished
    end_run(fakes.ports.run_control, plan.plan_id, 1, "SUCCEEDED")
    before = fakes.plans.get(plan.plan_id), fakes.plans.all_files(plan.plan_id)
    fakes.plans.plans.clear()
    fakes.plans.files.clear()
    repair_plan(fakes.ports.plan_records, plan.plan_id)
    after = fakes.plans.get(plan.plan_id)
    assert (after.state, after.steps_finished) == (before[0].state, before[0].steps_finished)
    assert fakes.plans.all_files(plan.plan_id) == before[1]


@pytest.mark.parametrize("status", ["FAILED", "TIMED_OUT", "ABORTED"])
def test_a_lost_worker_leaves_a_failed_plan_that_a_resume_can_help(fakes: Fakes, status: str) -> None:
    plan = begin(fakes)
    work(fakes, plan, "start", "screening")
    deliver(fakes)
    fakes.plans.plans[plan.plan_id] = fakes.plans.get(plan.plan_id).model_copy(
        update={"steps_started": {**fakes.plans.get(plan.plan_id).steps_started, "003": fakes.clock()}}
    )
    end_run(fakes.ports.run_control, plan.plan_id, 1, status)
    ended = fakes.plans.get(plan.plan_id)
    assert ended.state == "failed"
    assert (ended.failure.failure_reason, ended.failure.failed_step) == ("worker_error", "003-premise_attack")
    assert ended.failure.recoverable
    assert set(ended.steps_finished) == {"001", "002"}


def test_the_failure_that_a_stage_recorded_is_the_one_that_is_told(fakes: Fakes) -> None:
    plan = begin(fakes)
    work(fakes, plan, "start")
    why = Failure(failure_reason="generation_error", failed_step="002-screening", message="No.", recoverable=False)
    fakes.plans.record_failure(plan.plan_id, 1, why)
    end_run(fakes.ports.run_control, plan.plan_id, 1, "FAILED")
    assert fakes.plans.get(plan.plan_id).failure == why


@pytest.mark.parametrize("status", ["SUCCEEDED", "FAILED", "ABORTED"])
def test_what_was_stopped_stays_stopped_however_its_execution_ends(fakes: Fakes, status: str) -> None:
    plan = begin(fakes)
    work(fakes, plan, "start")
    stop_plan(fakes.ports.run_control, "acme", plan.plan_id)
    end_run(fakes.ports.run_control, plan.plan_id, 1, status)
    assert fakes.plans.get(plan.plan_id).state == "stopped"
    assert fakes.pipeline.status(plan.plan_id, 1) == "ABORTED"


def test_the_end_of_an_older_run_changes_nothing(fakes: Fakes) -> None:
    plan = begin(fakes)
    end_run(fakes.ports.run_control, plan.plan_id, 7, "FAILED")
    assert fakes.plans.get(plan.plan_id).state == "pending"


class CrashingBus:
    """A bus that is lost with its caller, once."""

    def __init__(self, bus: FakeBus) -> None:
        self.bus = bus
        self.crashed = False

    def put(self, event: PlanEvent) -> None:
        if not self.crashed and isinstance(event, RunEnded):
            self.crashed = True
            raise ConnectionError("the bus cannot be reached")
        self.bus.put(event)


def test_a_crash_after_the_end_is_healed_by_the_next_delivery(fakes: Fakes) -> None:
    plan = begin(fakes)
    work(fakes, plan, "start")
    ports = replace(fakes.ports, bus=CrashingBus(fakes.bus))
    with pytest.raises(ConnectionError):
        end_run(ports.run_control, plan.plan_id, 1, "FAILED")
    end_run(ports.run_control, plan.plan_id, 1, "FAILED")
    ended = fakes.plans.get(plan.plan_id)
    assert fakes.bus.published[-1] == RunEnded(
        plan_id=plan.plan_id, run=1, at=ended.ended_at, state="failed", failure=ended.failure
    )
    assert Plan.model_validate_json(fakes.files.read(plan.plan_id, "plan.json")) == ended


class DeadBus:
    """A bus that takes nothing."""

    def put(self, event: PlanEvent) -> None:
        raise ConnectionError("the bus cannot be reached")


def without_a_record(fakes: Fakes) -> Ports:
    """Return ports whose process is lost before it saves a plan's record, once."""

    def crash() -> None:
        raise ConnectionError("the bucket cannot be reached")

    return replace(fakes.ports, files=Overtaken(fakes.files, "replace", crash, "plan.json"))


def test_a_stop_that_the_bus_does_not_take_is_a_stop_and_is_told_with_the_end_of_its_execution(fakes: Fakes) -> None:
    plan = begin(fakes)
    work(fakes, plan, "start")
    stopped = stop_plan(replace(fakes.ports, bus=DeadBus()).run_control, "acme", plan.plan_id)
    assert stopped.state == "stopped"
    assert fakes.pipeline.status(plan.plan_id, 1) == "ABORTED"
    end_run(fakes.ports.run_control, plan.plan_id, 1, "ABORTED")
    assert fakes.bus.published[-1] == RunEnded(plan_id=plan.plan_id, run=1, at=stopped.ended_at, state="stopped")


def test_a_crash_in_a_stop_is_healed_by_a_second_stop(fakes: Fakes) -> None:
    plan = begin(fakes)
    work(fakes, plan, "start")
    ports = without_a_record(fakes)
    with pytest.raises(ConnectionError):
        stop_plan(ports.run_control, "acme", plan.plan_id)
    assert fakes.pipeline.status(plan.plan_id, 1) == "ABORTED"
    stopped = stop_plan(ports.run_control, "acme", plan.plan_id)
    assert fakes.bus.published[-1] == RunEnded(plan_id=plan.plan_id, run=1, at=stopped.ended_at, state="stopped")
    assert Plan.model_validate_json(fakes.files.read(plan.plan_id, "plan.json")) == stopped


@pytest.mark.parametrize("lost", ["bus", "bucket"])
def test_the_execution_of_a_silent_plan_is_stopped_whatever_cannot_be_told(fakes: Fakes, lost: str) -> None:
    plan = begin(fakes)
    work(fakes, plan, "start")
    deliver(fakes)
    fakes.clock.pass_(hours=1)
    ports = replace(fakes.ports, bus=DeadBus()) if lost == "bus" else without_a_record(fakes)
    with suppress(ExceptionGroup):
        watch_plans(ports.run_control)
    assert fakes.plans.get(plan.plan_id).state == "failed"
    assert fakes.pipeline.status(plan.plan_id, 1) == "ABORTED"


def test_a_step_record_that_cannot_be_read_keeps_no_plan_processing(fakes: Fakes) -> None:
    plan = begin(fakes)
    work(fakes, plan, "start")
    fakes.files.write(plan.plan_id, "steps/002.json", b"{", "application/json")
    with pytest.raises(ValidationError):
        end_run(fakes.ports.run_control, plan.plan_id, 1, "FAILED")
    assert fakes.plans.get(plan.plan_id).state == "failed"


def test_a_plan_that_cannot_be_looked_at_keeps_no_other_from_being_watched(fakes: Fakes) -> None:
    broken, whole = begin(fakes), begin(fakes)
    for plan in (broken, whole):
        work(fakes, plan, "start")
        fakes.pipeline.runs[plan.plan_id, 1] = "FAILED"
    fakes.files.write(broken.plan_id, "steps/002.json", b"{", "application/json")
    with pytest.raises(ExceptionGroup) as wrong:
        watch_plans(fakes.ports.run_control)
    assert [error.__notes__ for error in wrong.value.exceptions] == [[f"while plan {broken.plan_id} was looked at"]]
    assert fakes.plans.get(whole.plan_id).state == "failed"


def test_an_execution_that_ended_without_a_message_is_noticed(fakes: Fakes) -> None:
    plan = begin(fakes)
    work(fakes, plan, "start")
    fakes.pipeline.runs[plan.plan_id, 1] = "FAILED"
    assert watch_plans(fakes.ports.run_control) == {plan.plan_id: "ended"}
    assert fakes.plans.get(plan.plan_id).state == "failed"


def test_a_silent_plan_is_ended_and_its_execution_stopped(fakes: Fakes) -> None:
    plan = begin(fakes)
    work(fakes, plan, "start")
    deliver(fakes)
    fakes.clock.pass_(seconds=WatchSettings().inactive_after / timedelta(seconds=1) - 1)
    assert watch_plans(fakes.ports.run_control) == {plan.plan_id: "stalled"}
    fakes.clock.pass_(seconds=2)
    assert watch_plans(fakes.ports.run_control) == {plan.plan_id: "inactive"}
    ended = own_plan(fakes.ports.plan_records, "acme", plan.plan_id)
    assert (ended.state, ended.failure.failure_reason) == ("failed", "inactivity_timeout")
    assert ended.failure.message.endswith("plan_resume continues.")
    assert fakes.pipeline.status(plan.plan_id, 1) == "ABORTED"


def test_plans_of_which_the_table_lost_writes_are_brought_back_from_their_files(fakes: Fakes) -> None:
    lost, behind = begin(fakes), begin(fakes)
    for plan in (lost, behind):
        work(fakes, plan, "start", "screening")
        deliver(fakes)
    stop_plan(fakes.ports.run_control, "acme", behind.plan_id)
    known = fakes.plans.get(behind.plan_id)
    # killed: of one plan all is lost, of the other its end
    del fakes.plans.plans[lost.plan_id]
    fakes.plans.plans[behind.plan_id] = behind
    fakes.files.write("no plan", "notes.txt", b"x", "text/plain")
    assert sorted(repair_lost(fakes.ports.plan_records)) == sorted([lost.plan_id, behind.plan_id])
    back = fakes.plans.get(lost.plan_id)
    assert (back.state, set(back.steps_finished)) == ("pending", {"001", "002"})
    assert fakes.plans.get(behind.plan_id).state == known.state == "stopped"
    fakes.pipeline.runs.clear()
    assert watch_plans(fakes.ports.run_control, start_within=timedelta(0)) == {lost.plan_id: "started"}


def test_a_plan_that_cannot_be_brought_back_keeps_no_other_away(fakes: Fakes) -> None:
    broken, whole = begin(fakes), begin(fakes)
    fakes.plans.plans.clear()
    fakes.files.write(broken.plan_id, "plan.json", b"{", "application/json")
    with pytest.raises(ExceptionGroup):
        repair_lost(fakes.ports.plan_records)
    assert list(fakes.plans.plans) == [whole.plan_id]
