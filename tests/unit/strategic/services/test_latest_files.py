"""Files and files_count of a plan tell the same: what its finished steps made, in whatever run (6.3)."""

import pytest

from planloom.planes.strategic.plans import LATEST_FILES, Plan
from planloom.planes.strategic.progress import files_count
from planloom.planes.strategic.services.edit_artifact import edit_artifact
from planloom.planes.strategic.services.end_run import end_run
from planloom.planes.strategic.services.invalidate_plan import invalidate_plan, validate_plan
from planloom.planes.strategic.services.repair_plan import repair_plan
from planloom.planes.strategic.services.resume_plan import resume_plan
from tests.fake_ports import Fakes, make_fakes
from tests.unit.strategic.services.drafted import completed
from tests.unit.strategic.services.spy import Spy
from tests.unit.strategic.services.walk import begin, deliver, in_order, work

DRAFT = "004-2-draft.md"


def steps_named(plan: Plan) -> set[str]:
    """Return the steps whose files *plan* names, once it is sure that they are the newest of those that it counts."""
    named = {"030" if path.startswith("999") else path[:3] for path in plan.latest_files}
    assert named <= plan.steps_finished.keys()
    assert len(plan.latest_files) == min(LATEST_FILES, files_count(plan))
    assert max(named, default="") == max(plan.steps_finished, default="")
    return named


def failed(fakes: Fakes) -> Plan:
    """Return a plan that failed after eight steps."""
    plan = begin(fakes)
    work(fakes, plan, *in_order()[:8])
    deliver(fakes)
    end_run(fakes.ports.run_control, plan.plan_id, 1, "FAILED")
    return fakes.plans.get(plan.plan_id)


def test_6_3_the_first_run_names_files_as_its_steps_finish() -> None:
    fakes = make_fakes()
    plan = begin(fakes)
    for name in in_order()[:6]:
        steps_named(fakes.plans.get(plan.plan_id))
        work(fakes, plan, name)
        deliver(fakes)
    assert steps_named(fakes.plans.get(plan.plan_id))


@pytest.mark.parametrize("stale", ["start", "spine"])
def test_6_3_a_resume_names_the_files_of_what_it_keeps_and_no_others(stale: str) -> None:
    fakes = make_fakes()
    plan = failed(fakes)
    steps_named(plan)
    invalidate_plan(fakes.ports.run_control, fakes.ports.models, "acme", plan.plan_id, [stale])
    begun = resume_plan(fakes.ports.run_control, fakes.ports.models, "acme", plan.plan_id)
    assert len(begun.steps_finished) < 8
    steps_named(begun)
    steps_named(repair_plan(fakes.ports.plan_records, plan.plan_id))
    work(fakes, begun, *in_order()[:8])
    deliver(fakes)
    assert steps_named(fakes.plans.get(plan.plan_id)) == steps_named(plan)


def test_6_3_a_derived_plan_names_the_files_of_what_it_keeps() -> None:
    fakes, origin = completed(Spy())
    sha256 = fakes.files.sha256(origin.plan_id, DRAFT) or ""
    edited = edit_artifact(
        fakes.ports.run_control, fakes.ports.models, "acme", origin.plan_id, DRAFT, "# Mine\n", sha256
    ).plan
    assert "030" not in steps_named(fakes.plans.get(edited.plan_id))
    assert "030" not in steps_named(repair_plan(fakes.ports.plan_records, edited.plan_id))
    validated = validate_plan(fakes.ports.run_control, fakes.ports.models, "acme", origin.plan_id)
    steps_named(fakes.plans.get(validated.plan_id))


def test_6_3_an_edit_of_a_step_that_is_to_be_made_again_is_named_once_it_counts() -> None:
    fakes = make_fakes()
    plan = failed(fakes)
    invalidate_plan(fakes.ports.run_control, fakes.ports.models, "acme", plan.plan_id, ["start"])
    resume_plan(fakes.ports.run_control, fakes.ports.models, "acme", plan.plan_id)
    end_run(fakes.ports.run_control, plan.plan_id, 2, "FAILED")
    path = next(path for path in plan.latest_files if path.endswith(".md") and "-2-" in path)
    sha256 = fakes.files.sha256(plan.plan_id, path) or ""
    edit_artifact(fakes.ports.run_control, fakes.ports.models, "acme", plan.plan_id, path, "# Mine\n", sha256)
    assert path not in fakes.plans.get(plan.plan_id).latest_files
    steps_named(fakes.plans.get(plan.plan_id))


def test_6_3_an_edit_that_a_resume_has_not_seen_keeps_its_time() -> None:
    fakes = make_fakes()
    plan = failed(fakes)
    fakes.clock.pass_(minutes=1)
    path = next(path for path in plan.latest_files if path.endswith(".md") and "-2-" in path)
    sha256 = fakes.files.sha256(plan.plan_id, path) or ""
    edit_artifact(fakes.ports.run_control, fakes.ports.models, "acme", plan.plan_id, path, "# Mine\n", sha256)
    edited_at = fakes.plans.get(plan.plan_id).latest_files[path]
    assert edited_at > plan.latest_files[path]
    begun = plan.model_copy(update={"state": "pending", "run": 2})
    assert fakes.plans.restart(begun)
    assert fakes.plans.get(plan.plan_id).latest_files[path] == edited_at
