"""run.log and run_error.json: there when a run ends, whole, and without what they may not quote (section 12)."""

import asyncio
import json

import pytest

from planloom.planes.strategic.event_log import Entry
from planloom.planes.strategic.events import PlanStalled, StageFinished
from planloom.planes.strategic.run_errors import StageAborted
from planloom.planes.strategic.services.end_run import end_run
from planloom.planes.strategic.services.run_stage import run_stage
from planloom.planes.strategic.services.stop_plan import stop_plan
from planloom.planes.strategic.services.watch_plans import watch_plans
from tests.fake_ports import Fakes, make_fakes
from tests.unit.strategic.services.walk import begin, deliver, work


@pytest.fixture
def fakes() -> Fakes:
    return make_fakes()


def log_of(fakes: Fakes, plan_id: str) -> list[str]:
    """Return the lines of run.log without their times."""
    content = fakes.files.read(plan_id, "run.log")
    assert content is not None
    return [line.split(maxsplit=1)[1] for line in content.decode().splitlines()]


def error_of(fakes: Fakes, plan_id: str) -> dict[str, object]:
    found = json.loads(fakes.files.read(plan_id, "run_error.json") or b"{}")
    assert isinstance(found, dict)
    return found


def entries(fakes: Fakes, plan_id: str) -> list[Entry]:
    return fakes.plans.events_after(plan_id, 0, 10_000)


def test_12_a_run_that_died_leaves_a_log_that_ends_with_why(fakes: Fakes) -> None:
    plan = begin(fakes)
    work(fakes, plan, "start", "screening")
    end_run(fakes.ports.run_control, plan.plan_id, 1, "FAILED")
    lines = log_of(fakes, plan.plan_id)
    assert lines[0] == "INFO    new -> pending"
    assert lines[-1].startswith("ERROR   processing -> failed: worker_error: The worker was lost")
    assert sum("finished in" in line for line in lines) == 2
    assert error_of(fakes, plan.plan_id)["error"] == "worker_error"
    assert error_of(fakes, plan.plan_id)["traceback"] is None


def test_12_whoever_sees_the_plan_ended_finds_its_log(fakes: Fakes, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = begin(fakes)
    work(fakes, plan, "start")
    move = fakes.plans.move

    def seen_at_the_end(plan_id: str, run: int, to: str, *rest: object, **more: object) -> bool:
        if to == "failed":
            assert log_of(fakes, plan_id)[-1].startswith("ERROR   processing -> failed")
        return move(plan_id, run, to, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(fakes.plans, "move", seen_at_the_end)
    end_run(fakes.ports.run_control, plan.plan_id, 1, "FAILED")
    assert log_of(fakes, plan.plan_id)[-1].startswith("ERROR   processing -> failed")


def test_12_a_stop_says_who_asked_for_it_and_stays_the_last_word(fakes: Fakes) -> None:
    plan = begin(fakes)
    work(fakes, plan, "start")
    deliver(fakes)
    stop_plan(fakes.ports.run_control, "acme", plan.plan_id)
    end_run(fakes.ports.run_control, plan.plan_id, 1, "ABORTED")
    assert log_of(fakes, plan.plan_id)[-1] == "INFO    processing -> stopped (plan_stop)"
    assert sum(" -> stopped" in line for line in log_of(fakes, plan.plan_id)) == 1


def test_a_log_that_cannot_be_written_keeps_no_plan_processing(fakes: Fakes, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = begin(fakes)
    work(fakes, plan, "start")

    def broken(plan_id: str, limit: int, *_: object) -> list[Entry]:
        raise ConnectionError("not today")

    monkeypatch.setattr(fakes.plans, "events_after", broken)
    end_run(fakes.ports.run_control, plan.plan_id, 1, "FAILED")
    assert fakes.plans.plans[plan.plan_id].state == "failed"


def test_steps_whose_events_were_lost_stand_in_the_log_before_the_end(fakes: Fakes) -> None:
    plan = begin(fakes)
    work(fakes, plan, "start", "screening")
    lost = [event for event in fakes.bus.published if isinstance(event, StageFinished)]
    end_run(fakes.ports.run_control, plan.plan_id, 1, "FAILED")
    types = [entry.type for entry in entries(fakes, plan.plan_id)]
    assert types.count("stage_finished") == 2
    assert types.index("stage_finished") < len(types) - 1
    before = entries(fakes, plan.plan_id)
    for event in lost:
        fakes.plans.apply(event)
    assert entries(fakes, plan.plan_id) == before


def test_12_a_traceback_is_kept_without_keys_and_without_the_prompt(
    fakes: Fakes, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = begin(fakes)

    async def leak(*_: object) -> None:
        raise RuntimeError("401 for pex_abcdefghijklmnop: Rent must not exceed €3,200 a month")

    monkeypatch.setattr("planloom.planes.strategic.services.run_stage.read_inputs", leak)
    with pytest.raises(StageAborted):
        asyncio.run(run_stage(fakes.ports.stage_ports, "start", plan.plan_id, 1))
    found = error_of(fakes, plan.plan_id)
    assert (found["step"], found["error"]) == ("001-start", "RuntimeError")
    assert "RuntimeError: 401 for [secret]: [prompt]" in str(found["traceback"])
    end_run(fakes.ports.run_control, plan.plan_id, 1, "FAILED")
    assert error_of(fakes, plan.plan_id) == found


def test_6_3_a_silence_is_logged_once_however_often_the_watchdog_looks(fakes: Fakes) -> None:
    plan = begin(fakes)
    work(fakes, plan, "start")
    deliver(fakes)
    fakes.clock.pass_(minutes=11)
    for _ in range(3):
        assert watch_plans(fakes.ports.run_control) == {plan.plan_id: "stalled"}
        fakes.clock.pass_(minutes=5)
    deliver(fakes)
    assert len([event for event in fakes.bus.published if isinstance(event, PlanStalled)]) == 3
    lines = [entry.data["message"] for entry in entries(fakes, plan.plan_id) if entry.type == "log"]
    assert [line for line in lines if "no progress" in line] == ["run 1 no progress for 11 minutes"]
    fakes.clock.pass_(minutes=10)
    assert watch_plans(fakes.ports.run_control) == {plan.plan_id: "inactive"}
    assert log_of(fakes, plan.plan_id)[-1].startswith("ERROR   processing -> failed: inactivity_timeout")
