"""How long a plan is wanted: kept with the plan, through all that is made of it, and followed by its stages."""

import pytest

from planloom.domain.plans import Detail, Plan
from planloom.domain.steps import StepRecord
from planloom.services.create_plan import create_plan
from planloom.services.end_run import end_run
from planloom.services.invalidate_plan import invalidate_plan, validate_plan
from planloom.services.resume_plan import resume_plan
from planloom.services.retry_plan import retry_plan
from planloom.services.standing import standing_of
from planloom.services.stop_plan import stop_plan
from planloom.stages.pipeline import PIPELINE
from tests.unit.services.drafted import run, spied
from tests.unit.services.spy import Spy
from tests.unit.services.walk import in_order, work
from tests.worlds import PROMPT, Fakes, make_fakes


def drafted(detail: Detail) -> tuple[Fakes, Plan, Spy]:
    spy = Spy()
    fakes = spied(spy)
    plan = create_plan(fakes.world, "acme", PROMPT, detail=detail)
    run(fakes, plan)
    return fakes, fakes.plans.get(plan.plan_id), spy


def sections(fakes: Fakes, plan: Plan) -> set[str]:
    """Return the names of the sections that *plan* has, by its files."""
    there = {file.path for file in fakes.plans.all_files(plan.plan_id)}
    return {name for stage in PIPELINE for name, path in stage.section_paths.items() if path in there}


@pytest.fixture(scope="module")
def standard() -> tuple[Fakes, Plan, Spy]:
    return drafted("standard")


@pytest.mark.parametrize("detail", ["brief", "full"])
def test_a_plan_of_any_length_is_whole_and_nothing_of_it_is_made_again(
    detail: Detail, standard: tuple[Fakes, Plan, Spy]
) -> None:
    fakes, plan, spy = drafted(detail)

    assert (plan.state, plan.detail, len(plan.steps_finished)) == ("completed", detail, len(PIPELINE))
    assert standing_of(fakes.world, plan).stale == {}
    longer, shorter = (standard, (fakes, plan, spy)) if detail == "brief" else ((fakes, plan, spy), standard)
    assert sections(*shorter[:2]) < sections(*longer[:2])
    assert len(shorter[2].asked) < len(longer[2].asked)


def test_each_section_that_a_step_made_is_a_file_of_its_record(standard: tuple[Fakes, Plan, Spy]) -> None:
    fakes, plan, _ = standard
    for stage in PIPELINE:
        record = StepRecord.model_validate_json(fakes.files.read(plan.plan_id, f"steps/{stage.key}.json") or b"")
        made = {file.path for file in record.artifacts if file.path.endswith(".md")}
        assert made <= set(stage.section_paths.values())
        assert made or not stage.sections
        assert all((fakes.files.read(plan.plan_id, path) or b"").startswith(b"# ") for path in made)


def test_retried_resumed_and_derived_plans_are_as_long_as_they_were_wanted() -> None:
    fakes = make_fakes()
    plan_id = create_plan(fakes.world, "acme", PROMPT, detail="brief").plan_id
    stop_plan(fakes.world, "acme", plan_id)
    again = resume_plan(fakes.world, "acme", plan_id)
    stop_plan(fakes.world, "acme", plan_id)
    anew = retry_plan(fakes.world, "acme", plan_id)
    work(fakes, anew, *in_order())
    end_run(fakes.world, plan_id, anew.run, "SUCCEEDED")
    derived = invalidate_plan(fakes.world, "acme", plan_id, ["report"]).plan
    validated = validate_plan(fakes.world, "acme", plan_id)

    assert [plan.detail for plan in (again, anew, derived, validated)] == ["brief"] * 4
