"""A retry starts a failed or stopped plan from nothing: same id, next run, no file and no late message of before."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from planloom.core.errors import (
    ModelProfilesUnavailable,
    PermissionDenied,
    PlanNotFailed,
    PlanNotFound,
    RequestConflict,
)
from planloom.planes.strategic.events import StageFinished
from planloom.planes.strategic.plans import PIPELINE_VERSION, Plan
from planloom.planes.strategic.run_errors import StageAborted
from planloom.planes.strategic.services.end_run import end_run
from planloom.planes.strategic.services.own_plan import own_plan
from planloom.planes.strategic.services.repair_plan import repair_plan
from planloom.planes.strategic.services.retry_plan import retry_plan
from planloom.planes.strategic.services.run_stage import run_stage
from planloom.planes.strategic.services.stop_plan import stop_plan
from planloom.planes.strategic.services.watch_plans import START_WITHIN, watch_plans
from tests.fake_ports import Fakes, make_fakes
from tests.unit.strategic.services.walk import begin, deliver, work


@pytest.fixture
def fakes() -> Fakes:
    return make_fakes()


def failed(fakes: Fakes) -> Plan:
    """A plan that was lost after two stages."""
    plan = begin(fakes)
    work(fakes, plan, "start", "screening")
    deliver(fakes)
    fakes.pipeline.runs[plan.plan_id, 1] = "FAILED"
    end_run(fakes.ports.run_control, plan.plan_id, 1, "FAILED")
    return fakes.plans.get(plan.plan_id)


def test_a_retry_is_pending_in_the_next_run_without_a_trace_of_the_run_before(fakes: Fakes) -> None:
    before = failed(fakes)
    fakes.clock.pass_(minutes=5)
    plan = retry_plan(fakes.ports.run_control, fakes.ports.models, "acme", before.plan_id)
    assert plan == Plan(
        plan_id=before.plan_id,
        account="acme",
        prompt_excerpt=before.prompt_excerpt,
        model_profile="baseline",
        run=2,
        first_run=2,
        pipeline_version=PIPELINE_VERSION,
        created_at=before.created_at,
        retried_at=fakes.clock(),
    )
    assert own_plan(fakes.ports.plan_records, "acme", plan.plan_id) == plan
    assert not plan.latest_files
    assert fakes.files.paths(plan.plan_id) == ["001-2-plan.txt", "plan.json"]
    assert Plan.model_validate_json(fakes.files.read(plan.plan_id, "plan.json")) == plan
    assert fakes.pipeline.started[-1] == (plan.plan_id, 2, "build_plan")


def test_what_a_retry_clears_stays_readable_as_earlier_versions(fakes: Fakes) -> None:
    before = failed(fakes)
    made = fakes.files.read(before.plan_id, "002-2-screening.md")
    retry_plan(fakes.ports.run_control, fakes.ports.models, "acme", before.plan_id)
    (version,) = fakes.files.versions(before.plan_id, "002-2-screening.md", 5)
    assert not version.current
    assert fakes.files.read_version(before.plan_id, "002-2-screening.md", version.version) == made


def test_a_retry_takes_another_profile_and_refuses_one_without_a_model(fakes: Fakes) -> None:
    before = failed(fakes)
    with pytest.raises(ModelProfilesUnavailable):
        retry_plan(fakes.ports.run_control, fakes.ports.models, "acme", before.plan_id, "frontier")
    assert fakes.plans.get(before.plan_id) == before


@pytest.mark.parametrize("state", ["pending", "processing", "completed"])
def test_6_5_only_failed_and_stopped_plans_are_retried(fakes: Fakes, state: str) -> None:
    plan = begin(fakes)
    if state != "pending":
        work(fakes, plan, "start")
    if state == "completed":
        fakes.plans.move(plan.plan_id, 1, "completed", fakes.clock())
    files = list(fakes.files.contents)
    with pytest.raises(PlanNotFailed, match=f"The plan is {state}") as refused:
        retry_plan(fakes.ports.run_control, fakes.ports.models, "acme", plan.plan_id)
    assert refused.value.details == {"state": state}
    assert list(fakes.files.contents) == files


def test_a_plan_of_nobody_or_of_another_account_is_not_retried(fakes: Fakes) -> None:
    plan = failed(fakes)
    with pytest.raises(PermissionDenied):
        retry_plan(fakes.ports.run_control, fakes.ports.models, "other", plan.plan_id)
    with pytest.raises(PlanNotFound):
        retry_plan(fakes.ports.run_control, fakes.ports.models, "acme", "00000000-0000-4000-8000-00000000dead")


def test_late_messages_and_workers_of_the_run_before_change_nothing(fakes: Fakes) -> None:
    before = failed(fakes)
    late = [event for event in fakes.bus.published if isinstance(event, StageFinished)]
    plan = retry_plan(fakes.ports.run_control, fakes.ports.models, "acme", before.plan_id)
    for event in late:
        fakes.plans.apply(event.model_copy(update={"record": event.record.model_copy(update={"key": "011"})}))
    end_run(fakes.ports.run_control, plan.plan_id, 1, "FAILED")
    assert fakes.plans.get(plan.plan_id) == plan
    assert fakes.plans.all_files(plan.plan_id) == []


def test_what_the_clearing_left_does_not_count(fakes: Fakes) -> None:
    before = failed(fakes)

    def lost(plan_id: str, paths: object) -> None:
        raise ConnectionError("lost while clearing")

    kept = fakes.files.delete
    fakes.files.delete = lost  # type: ignore[method-assign]
    with pytest.raises(ConnectionError):
        retry_plan(fakes.ports.run_control, fakes.ports.models, "acme", before.plan_id)
    fakes.files.delete = kept  # type: ignore[method-assign]
    assert fakes.files.read(before.plan_id, "steps/002.json") is not None
    # the start was lost with it: the watchdog repairs it
    fakes.clock.pass_(seconds=START_WITHIN / timedelta(seconds=1))
    assert watch_plans(fakes.ports.run_control) == {before.plan_id: "started"}
    plan = fakes.plans.get(before.plan_id)
    asked = [event for event in fakes.bus.published if isinstance(event, StageFinished)]
    work(fakes, plan, "start", "screening")
    again = [event for event in fakes.bus.published if isinstance(event, StageFinished)][len(asked) :]
    assert [(event.record.key, event.record.run, event.skipped) for event in again] == [
        ("001", 2, False),
        ("002", 2, False),
    ]


def test_the_same_request_again_is_no_second_retry_and_heals_a_lost_start(fakes: Fakes) -> None:
    before = failed(fakes)
    fakes.pipeline.broken = True
    with pytest.raises(ConnectionError):
        retry_plan(fakes.ports.run_control, fakes.ports.models, "acme", before.plan_id, client_request_id="once")
    fakes.pipeline.broken = False
    with pytest.raises(RequestConflict, match="with profile baseline"):
        retry_plan(
            fakes.ports.run_control, fakes.ports.models, "acme", before.plan_id, "premium", client_request_id="once"
        )
    healed = retry_plan(fakes.ports.run_control, fakes.ports.models, "acme", before.plan_id, client_request_id="once")
    again = retry_plan(fakes.ports.run_control, fakes.ports.models, "acme", before.plan_id, client_request_id="once")
    assert healed == again
    assert [run for _, run, _ in fakes.pipeline.started] == [1, 2]


def test_a_stop_between_retry_and_its_first_stage_holds(fakes: Fakes) -> None:
    plan = retry_plan(fakes.ports.run_control, fakes.ports.models, "acme", failed(fakes).plan_id)
    stop_plan(fakes.ports.run_control, "acme", plan.plan_id)
    end_run(fakes.ports.run_control, plan.plan_id, 2, "ABORTED")
    assert fakes.plans.get(plan.plan_id).state == "stopped"
    third = retry_plan(fakes.ports.run_control, fakes.ports.models, "acme", plan.plan_id)
    assert (third.run, third.first_run, third.state) == (3, 3, "pending")


def test_the_view_of_a_retried_plan_is_rebuilt_with_its_run(fakes: Fakes) -> None:
    plan = retry_plan(fakes.ports.run_control, fakes.ports.models, "acme", failed(fakes).plan_id)
    fakes.plans.plans.clear()
    assert repair_plan(fakes.ports.plan_records, plan.plan_id) == plan


def test_a_retried_plan_is_drafted_for_the_day_of_its_retry(fakes: Fakes) -> None:
    before = failed(fakes)
    fakes.clock.pass_(days=40)
    plan = retry_plan(fakes.ports.run_control, fakes.ports.models, "acme", before.plan_id)
    work(fakes, plan, "start")
    assert fakes.clock().date().isoformat().encode() in fakes.files.read(plan.plan_id, "001-1-start.json")


def test_a_plan_begun_under_another_pipeline_fails_as_version_mismatch_and_a_retry_helps(fakes: Fakes) -> None:
    plan = begin(fakes)
    fakes.plans.plans[plan.plan_id] = plan.model_copy(update={"pipeline_version": PIPELINE_VERSION - 1})
    with pytest.raises(StageAborted):
        asyncio.run(run_stage(fakes.ports.stage_ports, "start", plan.plan_id, 1))
    end_run(fakes.ports.run_control, plan.plan_id, 1, "FAILED")
    failure = fakes.plans.get(plan.plan_id).failure
    assert (failure.failure_reason, failure.recoverable) == ("version_mismatch", False)
    assert failure.message.endswith("Call plan_retry to start it anew.")
    again = retry_plan(fakes.ports.run_control, fakes.ports.models, "acme", plan.plan_id)
    work(fakes, again, "start")
    assert fakes.plans.get(plan.plan_id).state == "processing"


def test_of_two_retries_at_once_one_begins(fakes: Fakes) -> None:
    before = failed(fakes)
    plans = fakes.plans

    class Overtaken(type(plans)):  # type: ignore[misc]
        def restart(self, plan: Plan) -> bool:
            plans.restart(plan.model_copy(update={"model_profile": "custom"}))
            return plans.restart(plan)

    ports = replace(fakes.ports, plans=Overtaken(plans.plans, plans.files, plans.log))
    files = dict(fakes.files.contents)
    with pytest.raises(PlanNotFailed, match="The plan is pending"):
        retry_plan(ports.run_control, ports.models, "acme", before.plan_id)
    assert fakes.plans.get(before.plan_id).run == 2
    assert fakes.files.contents == files
