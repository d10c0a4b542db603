"""Invalidating says what would be made again and at what cost, then has it made; validating goes over what is there."""

import json
from typing import Any

import pytest

from planloom.core.errors import InvalidArgument, PermissionDenied, PlanActive, PlanNotCompleted
from planloom.core.usage import Usage
from planloom.planes.strategic.pipeline_map import CURRENT
from planloom.planes.strategic.plans import PIPELINE_VERSION, Plan
from planloom.planes.strategic.services.create_plan import create_plan
from planloom.planes.strategic.services.edit_artifact import edit_artifact
from planloom.planes.strategic.services.invalidate_plan import Invalidated, invalidate_plan, validate_plan
from planloom.planes.strategic.services.resume_plan import resume_plan
from planloom.planes.strategic.services.retry_plan import retry_plan
from planloom.planes.strategic.services.stop_plan import stop_plan
from planloom.planes.strategic.stages.pipeline import PIPELINE
from tests.fake_ports import PROMPT, Fakes
from tests.unit.strategic.services.drafted import completed, run, spied
from tests.unit.strategic.services.spy import Spy
from tests.unit.strategic.services.walk import deliver, in_order, work

ALL = {stage.key for stage in PIPELINE}
VALIDATING = tuple(stage.name for stage in PIPELINE if stage.key in CURRENT.validated)


def invalidate(fakes: Fakes, plan: Plan, *stages: str, **options: Any) -> Invalidated:
    return invalidate_plan(fakes.ports.run_control, fakes.ports.models, "acme", plan.plan_id, stages, **options)


def test_appendix_b_a_dry_run_says_what_and_why_and_at_what_cost_and_changes_nothing(spy: Spy) -> None:
    fakes, plan = completed(spy)
    before = dict(fakes.files.contents)
    said = invalidate(fakes, plan, "016", dry_run=True)
    whys = {step.step[:3]: step.why for step in said.steps}
    assert whys == {"016": "named"} | dict.fromkeys(["024", "026", "020", "021", "025", "029", "030"], "depends")
    records = {key: json.loads(fakes.files.read(plan.plan_id, f"steps/{key}.json")) for key in whys}
    assert said.most == sum((Usage.model_validate(record["usage"]) for record in records.values()), Usage())
    assert said.most.calls > 6
    assert next(step.cost for step in said.steps if step.step == "030-report") == Usage()
    assert (said.plan, said.edits_lost) == (plan, ())
    assert (fakes.files.contents, list(fakes.plans.plans)) == (before, [plan.plan_id])


@pytest.mark.parametrize("name", ["016", "expert_criticism", "016-expert_criticism"])
def test_steps_are_named_as_people_see_them(spy: Spy, name: str) -> None:
    fakes, plan = completed(spy)
    assert invalidate(fakes, plan, name, dry_run=True).steps[0].step == "016-expert_criticism"


def test_the_step_that_made_an_artifact_is_made_again(spy: Spy) -> None:
    fakes, plan = completed(spy)
    said = invalidate_plan(
        fakes.ports.run_control,
        fakes.ports.models,
        "acme",
        plan.plan_id,
        (),
        ["016-2-expert_criticism.md"],
        dry_run=True,
    )
    assert [step.step for step in said.steps if step.why == "named"] == ["016-expert_criticism"]


def test_appendix_b_an_invalidated_step_of_a_completed_plan_is_asked_anew_in_a_derived_one(spy: Spy) -> None:
    fakes, origin = completed(spy)
    done = invalidate(fakes, origin, "016")
    assert (done.plan.derived_from, done.plan.state, done.plan.run) == (origin.plan_id, "pending", 2)
    _, made = run(fakes, done.plan)
    # asked anew, it said the same: nothing after it is made again, and every question asked was its own
    assert made == ["016"]
    assert len(spy.asked) == json.loads(fakes.files.read(origin.plan_id, "steps/016.json"))["usage"]["calls"]
    assert fakes.plans.get(done.plan.plan_id).state == "completed"
    assert fakes.plans.get(origin.plan_id) == origin


def test_a_stopped_plan_is_changed_in_place_and_a_resume_makes_the_step_again(
    stopped: tuple[Fakes, Plan], spy: Spy
) -> None:
    fakes, plan = stopped
    asked = list(spy.asked)
    done = invalidate(fakes, plan, "draft")
    assert (done.plan.plan_id, len(fakes.plans.plans)) == (plan.plan_id, 1)
    again = resume_plan(fakes.ports.run_control, fakes.ports.models, "acme", plan.plan_id)
    _, made = run(fakes, again, *in_order()[:5])
    assert made == ["004"]
    assert len(spy.asked) == len(asked) + 2


def test_edits_that_would_be_lost_are_named(stopped: tuple[Fakes, Plan]) -> None:
    fakes, plan = stopped
    path = "005-2-choice.md"
    edit_artifact(
        fakes.ports.run_control,
        fakes.ports.models,
        "acme",
        plan.plan_id,
        path,
        "Mine.\n",
        fakes.files.sha256(plan.plan_id, path),
    )
    assert invalidate(fakes, plan, "004", dry_run=True).edits_lost == (path,)


def test_what_is_not_there_or_not_ones_own_is_not_invalidated(stopped: tuple[Fakes, Plan]) -> None:
    fakes, plan = stopped
    with pytest.raises(InvalidArgument, match="no step 'budget'"):
        invalidate(fakes, plan, "budget")
    with pytest.raises(InvalidArgument, match="Name at least one"):
        invalidate(fakes, plan)
    with pytest.raises(PermissionDenied):
        invalidate_plan(fakes.ports.run_control, fakes.ports.models, "other", plan.plan_id, ["016"])
    fakes.plans.plans[plan.plan_id] = plan.model_copy(update={"state": "processing"})
    assert invalidate(fakes, plan, "004", dry_run=True).steps
    with pytest.raises(PlanActive):
        invalidate(fakes, plan, "004")


def test_7_1_a_validation_makes_its_four_steps_anew_over_what_is_there(spy: Spy) -> None:
    fakes, origin = completed(spy)
    plan = validate_plan(fakes.ports.run_control, fakes.ports.models, "acme", origin.plan_id)
    assert (plan.target, plan.derived_from, set(plan.steps_finished)) == (
        "validate_plan",
        origin.plan_id,
        ALL - set(CURRENT.validated),
    )
    assert fakes.pipeline.started[-1] == (plan.plan_id, 2, "validate_plan")
    skipped, made = run(fakes, plan, *VALIDATING)
    assert (skipped, made) == ([], list(CURRENT.validated))
    ended = fakes.plans.get(plan.plan_id)
    assert (ended.state, len(ended.steps_finished)) == ("completed", len(PIPELINE))


def test_a_validation_goes_over_what_an_edit_left_stale(spy: Spy) -> None:
    fakes, origin = completed(spy)
    path = "020-5-budget.md"
    expected = fakes.files.sha256(origin.plan_id, path)
    derived = edit_artifact(
        fakes.ports.run_control, fakes.ports.models, "acme", origin.plan_id, path, "Mine.\n", expected, start=False
    ).plan
    plan = validate_plan(fakes.ports.run_control, fakes.ports.models, "acme", derived.plan_id)
    assert set(plan.steps_finished) == ALL - set(CURRENT.validated)
    run(fakes, plan, *VALIDATING)
    assert b"Mine." in fakes.files.read(plan.plan_id, "030-report.html")


def test_a_plan_that_is_not_there_whole_is_not_validated(stopped: tuple[Fakes, Plan]) -> None:
    fakes, plan = stopped
    with pytest.raises(PlanNotCompleted, match="011-spine") as told:
        validate_plan(fakes.ports.run_control, fakes.ports.models, "acme", plan.plan_id)
    assert "024-review_plan" not in told.value.details["steps"]


def test_7_1_a_plan_is_built_with_either_target_and_nothing_is_validated_before_it_is_there(spy: Spy) -> None:
    fakes = spied(spy)
    plan = create_plan(fakes.ports.run_control, fakes.ports.models, "acme", PROMPT, target="build_plan_and_validate")
    assert fakes.pipeline.started == [(plan.plan_id, 1, "build_plan_and_validate")]
    with pytest.raises(InvalidArgument, match="plan_validate"):
        create_plan(fakes.ports.run_control, fakes.ports.models, "acme", PROMPT, target="validate_plan")
    assert len(fakes.plans.plans) == 1


def test_a_dry_run_without_names_says_what_a_resume_would_make(stopped: tuple[Fakes, Plan]) -> None:
    fakes, plan = stopped
    fakes.files.delete(plan.plan_id, ["005-2-choice.md"])
    whys = {step.step: (step.why, step.cost is None) for step in invalidate(fakes, plan, dry_run=True).steps}
    assert (whys["005-choice"], whys["011-spine"]) == (("damaged", False), ("missing", True))
    assert len(whys) == len(PIPELINE) - 4


def stopped_validation(fakes: Fakes, origin: Plan) -> Plan:
    plan = validate_plan(fakes.ports.run_control, fakes.ports.models, "acme", origin.plan_id)
    work(fakes, plan, "expert_criticism")
    deliver(fakes)
    stop_plan(fakes.ports.run_control, "acme", plan.plan_id)
    return fakes.plans.get(plan.plan_id)


def test_a_stopped_validation_goes_on_as_one(spy: Spy) -> None:
    fakes, origin = completed(spy)
    plan = stopped_validation(fakes, origin)
    again = resume_plan(fakes.ports.run_control, fakes.ports.models, "acme", plan.plan_id)
    assert (again.target, set(again.steps_finished)) == ("validate_plan", ALL - {"024", "029", "030"})
    assert run(fakes, again, *VALIDATING) == (["016"], ["024", "029", "030"])


def test_an_edit_of_a_stopped_validation_names_only_the_steps_that_it_goes_on_with(spy: Spy) -> None:
    fakes, origin = completed(spy)
    plan = stopped_validation(fakes, origin)
    path = "011-2-spine.md"
    expected = fakes.files.sha256(plan.plan_id, path)
    done = edit_artifact(fakes.ports.run_control, fakes.ports.models, "acme", plan.plan_id, path, "Mine.\n", expected)
    assert tuple(step[:3] for step in done.remade) == CURRENT.validated
    again = resume_plan(fakes.ports.run_control, fakes.ports.models, "acme", plan.plan_id)
    _, made = run(fakes, again, *VALIDATING)
    assert set(made) <= set(CURRENT.validated)
    assert fakes.plans.get(plan.plan_id).state == "completed"


def test_a_validation_of_which_an_earlier_step_was_invalidated_runs_all_steps_that_need_it(spy: Spy) -> None:
    fakes, origin = completed(spy)
    plan = stopped_validation(fakes, origin)
    invalidate(fakes, plan, "013")
    again = resume_plan(fakes.ports.run_control, fakes.ports.models, "acme", plan.plan_id)
    assert (again.target, fakes.plans.get(plan.plan_id).target) == ("build_plan", "build_plan")
    assert fakes.pipeline.started[-1] == (plan.plan_id, 3, "build_plan")
    _, made = run(fakes, again)
    assert "013" in made
    ended = fakes.plans.get(plan.plan_id)
    assert (ended.state, len(ended.steps_finished)) == ("completed", len(PIPELINE))


def test_a_validation_that_another_version_of_the_pipeline_began_runs_all_steps_that_changed(spy: Spy) -> None:
    fakes, origin = completed(spy)
    plan = stopped_validation(fakes, origin)
    fakes.plans.plans[plan.plan_id] = plan.model_copy(update={"pipeline_version": PIPELINE_VERSION - 1})
    assert (
        resume_plan(fakes.ports.run_control, fakes.ports.models, "acme", plan.plan_id, force_upgrade=True).target
        == "build_plan"
    )


def test_a_retried_validation_is_drafted_from_its_prompt(spy: Spy) -> None:
    fakes, origin = completed(spy)
    plan = stopped_validation(fakes, origin)
    again = retry_plan(fakes.ports.run_control, fakes.ports.models, "acme", plan.plan_id)
    assert fakes.pipeline.started[-1] == (plan.plan_id, 3, "build_plan")
    assert fakes.plans.get(plan.plan_id) == again
    _, made = run(fakes, again)
    assert set(made) == ALL
    assert fakes.plans.get(plan.plan_id).state == "completed"
