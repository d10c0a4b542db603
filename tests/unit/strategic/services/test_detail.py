"""How long a plan is wanted: kept with the plan, through all that is made of it, and followed by its stages."""

import pytest

from planloom.planes.strategic.plans import Detail, Plan
from planloom.planes.strategic.services.create_plan import create_plan
from planloom.planes.strategic.services.end_run import end_run
from planloom.planes.strategic.services.invalidate_plan import invalidate_plan, validate_plan
from planloom.planes.strategic.services.resume_plan import resume_plan
from planloom.planes.strategic.services.retry_plan import retry_plan
from planloom.planes.strategic.services.stop_plan import stop_plan
from planloom.planes.strategic.services.valid_steps import check_steps
from planloom.planes.strategic.stages.pipeline import PIPELINE
from planloom.planes.strategic.steps import StepRecord
from tests.fake_ports import PROMPT, Fakes, make_fakes
from tests.unit.strategic.services.drafted import run, spied
from tests.unit.strategic.services.spy import Spy
from tests.unit.strategic.services.walk import in_order, work


def drafted(detail: Detail) -> tuple[Fakes, Plan, Spy]:
    spy = Spy()
    fakes = spied(spy)
    plan = create_plan(fakes.ports.run_control, fakes.ports.models, "acme", PROMPT, detail=detail)
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
    assert check_steps(fakes.ports.files, plan).stale == {}
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
    plan_id = create_plan(fakes.ports.run_control, fakes.ports.models, "acme", PROMPT, detail="brief").plan_id
    stop_plan(fakes.ports.run_control, "acme", plan_id)
    again = resume_plan(fakes.ports.run_control, fakes.ports.models, "acme", plan_id)
    stop_plan(fakes.ports.run_control, "acme", plan_id)
    anew = retry_plan(fakes.ports.run_control, fakes.ports.models, "acme", plan_id)
    work(fakes, anew, *in_order())
    end_run(fakes.ports.run_control, plan_id, anew.run, "SUCCEEDED")
    derived = invalidate_plan(fakes.ports.run_control, fakes.ports.models, "acme", plan_id, ["report"]).plan
    validated = validate_plan(fakes.ports.run_control, fakes.ports.models, "acme", plan_id)

    assert [plan.detail for plan in (again, anew, derived, validated)] == ["brief"] * 4
