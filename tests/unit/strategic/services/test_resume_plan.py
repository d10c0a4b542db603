"""A resume continues a failed or stopped plan: what is finished and still valid is skipped, the rest is made."""

from dataclasses import replace

import pytest

from planloom.core.errors import PermissionDenied, PipelineVersionMismatch, PlanNotResumable
from planloom.models.errors import ModelUnavailable
from planloom.planes.strategic.events import StageFinished
from planloom.planes.strategic.plans import PIPELINE_VERSION, Plan
from planloom.planes.strategic.run_errors import RunInterrupted, StageAborted
from planloom.planes.strategic.services.end_run import end_run
from planloom.planes.strategic.services.repair_plan import repair_plan
from planloom.planes.strategic.services.resume_plan import resume_plan
from planloom.planes.strategic.services.stop_plan import stop_plan
from planloom.planes.strategic.stages.pipeline import PIPELINE
from tests.fake_ports import Fakes, make_fakes
from tests.unit.strategic.services.spy import Spy, SpyModels
from tests.unit.strategic.services.walk import begin, deliver, in_order, work

ALL = [stage.key for stage in PIPELINE]


@pytest.fixture
def spy() -> Spy:
    return Spy()


@pytest.fixture
def fakes(spy: Spy) -> Fakes:
    made = make_fakes()
    return replace(made, ports=replace(made.ports, models=SpyModels(spy)))


def stopped(fakes: Fakes, steps: int = 8) -> Plan:
    """A plan that was stopped after *steps* stages."""
    plan = begin(fakes)
    work(fakes, plan, *in_order()[:steps])
    deliver(fakes)
    stop_plan(fakes.ports.run_control, "acme", plan.plan_id)
    return fakes.plans.get(plan.plan_id)


def skipped_and_made(fakes: Fakes, run: int) -> tuple[list[str], list[str]]:
    """Return the keys of the stages that *run* skipped and made."""
    told = [event for event in fakes.bus.published if isinstance(event, StageFinished) and event.run == run]
    return [e.record.key for e in told if e.skipped], [e.record.key for e in told if not e.skipped]


def test_a_resume_is_pending_in_the_next_run_and_keeps_what_is_finished(fakes: Fakes) -> None:
    before = stopped(fakes)
    fakes.clock.pass_(minutes=5)
    plan = resume_plan(fakes.ports.run_control, fakes.ports.models, "acme", before.plan_id)
    changes = {"state": "pending", "run": 2, "started_at": None, "ended_at": None, "last_progress_at": None}
    counts = {"steps_started": {}, "resume_count": 1, "resumed_at": fakes.clock()}
    assert plan == before.model_copy(update=changes | counts)
    assert len(plan.steps_finished) == 8
    assert Plan.model_validate_json(fakes.files.read(plan.plan_id, "plan.json")) == plan
    assert fakes.pipeline.started[-1] == (plan.plan_id, 2, "build_plan")


def test_2_1_finished_stages_are_skipped_and_no_finished_call_is_repeated(fakes: Fakes, spy: Spy) -> None:
    before = stopped(fakes)
    asked = len(spy.asked)
    plan = resume_plan(fakes.ports.run_control, fakes.ports.models, "acme", before.plan_id)
    work(fakes, plan, *in_order())
    skipped, made = skipped_and_made(fakes, 2)
    assert (len(skipped), len(made)) == (8, len(PIPELINE) - 8)
    assert set(skipped) == set(before.steps_finished)
    assert spy.repeated() == []
    assert len(spy.asked) > asked


def test_a_stage_that_failed_in_its_middle_asks_only_what_was_not_answered(fakes: Fakes, spy: Spy) -> None:
    plan = begin(fakes)
    needed = in_order()[:3]
    work(fakes, plan, *needed)
    spy.fails = {"steward": ModelUnavailable("The provider answered 503.")}
    with pytest.raises(StageAborted):
        work(fakes, plan, "draft")
    answered = list(spy.asked)
    end_run(fakes.ports.run_control, plan.plan_id, 1, "FAILED")
    spy.fails = {}
    again = resume_plan(fakes.ports.run_control, fakes.ports.models, "acme", plan.plan_id)
    assert (again.state, again.failure) == ("pending", None)
    work(fakes, again, *needed, "draft")
    assert (answered[-1:], spy.asked[len(answered) :]) == (["builder"], ["steward"])


def test_6_6_only_failed_and_stopped_plans_are_resumed(fakes: Fakes) -> None:
    plan = begin(fakes)
    for state in ("pending", "processing", "completed"):
        if state != "pending":
            fakes.plans.move(plan.plan_id, 1, state, fakes.clock())
        with pytest.raises(PlanNotResumable, match=f"The plan is {state}"):
            resume_plan(fakes.ports.run_control, fakes.ports.models, "acme", plan.plan_id)
    assert fakes.plans.get(plan.plan_id).run == 1


def test_a_plan_of_another_account_is_not_resumed(fakes: Fakes) -> None:
    with pytest.raises(PermissionDenied):
        resume_plan(fakes.ports.run_control, fakes.ports.models, "other", stopped(fakes, 1).plan_id)


@pytest.mark.parametrize("version", [None, PIPELINE_VERSION - 1, PIPELINE_VERSION + 1])
def test_6_6_a_plan_of_another_pipeline_is_refused_unless_forced_and_stamped_anew(
    fakes: Fakes, version: int | None
) -> None:
    before = stopped(fakes)
    fakes.plans.plans[before.plan_id] = before.model_copy(update={"pipeline_version": version})
    with pytest.raises(PipelineVersionMismatch, match="Call plan_retry") as refused:
        resume_plan(fakes.ports.run_control, fakes.ports.models, "acme", before.plan_id)
    assert refused.value.details == {"plan_version": version, "pipeline_version": PIPELINE_VERSION}
    plan = resume_plan(fakes.ports.run_control, fakes.ports.models, "acme", before.plan_id, force_upgrade=True)
    assert (plan.pipeline_version, len(plan.steps_finished)) == (PIPELINE_VERSION, 8)


def test_a_forced_upgrade_makes_again_only_what_changed_since(fakes: Fakes, monkeypatch: pytest.MonkeyPatch) -> None:
    before = stopped(fakes, len(PIPELINE))
    fakes.plans.plans[before.plan_id] = before.model_copy(update={"pipeline_version": PIPELINE_VERSION - 1})
    newer(monkeypatch, "review_plan")
    plan = resume_plan(fakes.ports.run_control, fakes.ports.models, "acme", before.plan_id, force_upgrade=True)
    assert set(plan.steps_finished) == set(ALL) - {"024", "026", "020", "021", "025", "029", "030"}
    work(fakes, plan, *in_order())
    # the newer stage said the same, so that nothing after it is made again
    assert skipped_and_made(fakes, 2)[1] == ["024"]


def newer(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Give the stage *name* its next version."""
    import planloom.planes.strategic.stages.pipeline as registry

    stages = tuple(replace(s, version=s.version + 1) if s.name == name else s for s in registry.PIPELINE)
    monkeypatch.setattr(registry, "stage_named", {stage.name: stage for stage in stages}.__getitem__)
    monkeypatch.setattr("planloom.planes.strategic.services.run_stage.stage_named", registry.stage_named)
    monkeypatch.setattr("planloom.planes.strategic.services.valid_steps.stage_named", registry.stage_named)


def test_another_profile_drafts_what_is_left_and_the_report_names_the_models_of_both(fakes: Fakes, spy: Spy) -> None:
    spy.name = "one model"
    before = stopped(fakes)
    spy.name = "another model"
    plan = resume_plan(fakes.ports.run_control, fakes.ports.models, "acme", before.plan_id, "premium")
    assert plan.model_profile == "premium"
    work(fakes, plan, *in_order())
    assert len(skipped_and_made(fakes, 2)[0]) == 8
    report = fakes.files.read(plan.plan_id, "030-report.html").decode()
    assert "one model, another model" in report


def test_the_same_request_again_is_no_second_resume_and_heals_a_lost_start(fakes: Fakes) -> None:
    before = stopped(fakes)
    fakes.pipeline.broken = True
    with pytest.raises(ConnectionError):
        resume_plan(fakes.ports.run_control, fakes.ports.models, "acme", before.plan_id, client_request_id="once")
    fakes.pipeline.broken = False
    healed = resume_plan(fakes.ports.run_control, fakes.ports.models, "acme", before.plan_id, client_request_id="once")
    assert (
        resume_plan(fakes.ports.run_control, fakes.ports.models, "acme", before.plan_id, client_request_id="once")
        == healed
    )
    assert [run for _, run, _ in fakes.pipeline.started] == [1, 2]
    assert healed.resume_count == 1


def test_a_worker_of_the_run_before_writes_nothing_over_what_the_newer_run_made(fakes: Fakes, spy: Spy) -> None:
    before = stopped(fakes, 2)
    fakes.plans.plans[before.plan_id] = before.model_copy(update={"state": "processing", "ended_at": None})
    # it waits for the model while the plan is stopped and resumed
    spy.before_answer = lambda: stop_and_resume(fakes, before.plan_id)
    writes = list(fakes.files.writes)
    with pytest.raises(RunInterrupted):
        work(fakes, before, in_order()[2])
    assert fakes.plans.get(before.plan_id).run == 2
    # of the plan and its runs, and not of a stage; the resume took hold of the records that it keeps
    own = {"plan.json", "run.log", "steps/001.json", "steps/002.json"}
    made = [path for path in fakes.files.writes[len(writes) :] if "-0-" not in path and path not in own]
    assert made == []


def stop_and_resume(fakes: Fakes, plan_id: str) -> None:
    if fakes.plans.get(plan_id).run == 1:
        stop_plan(fakes.ports.run_control, "acme", plan_id)
        resume_plan(fakes.ports.run_control, fakes.ports.models, "acme", plan_id)


def test_the_view_of_a_resumed_plan_is_rebuilt_with_its_run_and_its_progress(fakes: Fakes) -> None:
    plan = resume_plan(fakes.ports.run_control, fakes.ports.models, "acme", stopped(fakes).plan_id)
    work(fakes, plan, *in_order()[:10])
    fakes.plans.plans.clear()
    fakes.plans.files.clear()
    rebuilt = repair_plan(fakes.ports.plan_records, plan.plan_id)
    assert (rebuilt.run, rebuilt.state, rebuilt.resume_count) == (2, "pending", 1)
    assert len(rebuilt.steps_finished) == 10


def test_a_run_that_fails_after_a_resume_shows_no_stage_as_finished_that_has_to_be_made_again(fakes: Fakes) -> None:
    before = stopped(fakes, 12)
    fakes.files.delete(before.plan_id, ["005-2-choice.md"])
    plan = resume_plan(fakes.ports.run_control, fakes.ports.models, "acme", before.plan_id)
    assert set(plan.steps_finished) == {"001", "002", "003", "004"}
    end_run(fakes.ports.run_control, plan.plan_id, 2, "FAILED")
    assert set(fakes.plans.get(plan.plan_id).steps_finished) == {"001", "002", "003", "004"}
