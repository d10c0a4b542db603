"""A change of a plan that has ended and a run that begins at the same moment: one is first, and nothing is stale."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from planloom.core.errors import ArtifactConflict, ArtifactNotFound, PlanActive, PlanArchived
from planloom.planes.strategic.plans import Plan
from planloom.planes.strategic.services.archive_plan import archive_plan
from planloom.planes.strategic.services.edit_artifact import edit_artifact
from planloom.planes.strategic.services.invalidate_plan import invalidate_plan
from planloom.planes.strategic.services.resume_plan import resume_plan
from planloom.planes.strategic.services.retry_plan import retry_plan
from planloom.planes.strategic.services.stop_plan import stop_plan
from tests.fake_ports import Fakes
from tests.unit.strategic.services.drafted import run
from tests.unit.strategic.services.walk import in_order

PATH, RECORD = "004-2-draft.md", "steps/004.json"
STAGES = in_order()[:5]


def before(fakes: Fakes, name: str, path: str, first: Callable[[], object]) -> Any:
    """Return ports in which *first* happens before the first call *name* of the files for *path*."""
    left = [first]

    class Files:
        def __getattr__(self, called: str) -> Any:
            found = getattr(fakes.files, called)

            def call(plan_id: str, *args: Any) -> Any:
                if called == name and args[:1] == (path,) and left:
                    left.pop()()
                return found(plan_id, *args)

            return call

    return replace(fakes.ports, files=Files())


def edit(fakes: Fakes, ports: Any, plan: Plan, text: str = "Mine.\n") -> None:
    edit_artifact(
        ports.run_control, ports.models, "acme", plan.plan_id, PATH, text, fakes.files.sha256(plan.plan_id, PATH)
    )


def resume_and_run(fakes: Fakes, plan: Plan) -> tuple[list[str], list[str]]:
    return run(fakes, resume_plan(fakes.ports.run_control, fakes.ports.models, "acme", plan.plan_id), *STAGES)


@pytest.mark.parametrize("when", ["read_tagged", "replace"])
def test_a_resume_that_begins_before_an_edit_commits_is_told_to_the_editor(
    stopped: tuple[Fakes, Plan], when: str
) -> None:
    fakes, plan = stopped
    old = fakes.files.read(plan.plan_id, PATH)
    ports = before(fakes, when, RECORD, lambda: resume_and_run(fakes, plan))
    with pytest.raises((PlanActive, ArtifactConflict)):
        edit(fakes, ports, plan)
    assert fakes.files.read(plan.plan_id, PATH) == old
    skipped, made = resume_and_run(fakes, plan)
    assert (len(skipped), made) == (5, []), "nothing is stale"


def looked_before(fakes: Fakes, plan: Plan) -> Any:
    """Return the ports of a caller who looked at *plan* before its next run began, and comes through only now."""

    class Plans:
        def __getattr__(self, name: str) -> Any:
            return getattr(fakes.plans, name)

        def get(self, plan_id: str) -> Plan:
            return plan

    return replace(fakes.ports, plans=Plans())


def test_an_edit_that_comes_through_before_a_resume_takes_hold_is_seen_by_its_workers(
    stopped: tuple[Fakes, Plan],
) -> None:
    fakes, plan = stopped
    # the resume has looked at what is finished, and has moved the plan
    ports = before(fakes, "read_tagged", RECORD, lambda: edit(fakes, looked_before(fakes, plan), plan))
    begun = resume_plan(ports.run_control, ports.models, "acme", plan.plan_id)
    _, made = run(fakes, begun, *STAGES)
    assert made == ["005"]
    assert fakes.files.read(plan.plan_id, PATH) == b"Mine.\n"


def test_an_edit_that_comes_through_after_a_resume_took_hold_changes_nothing(stopped: tuple[Fakes, Plan]) -> None:
    fakes, plan = stopped
    old, slow = fakes.files.read(plan.plan_id, PATH), looked_before(fakes, plan)
    ports = before(replace(fakes, ports=slow), "replace", RECORD, lambda: resume_and_run(fakes, plan))
    with pytest.raises((PlanActive, ArtifactConflict)):
        edit(fakes, ports, plan)
    assert fakes.files.read(plan.plan_id, PATH) == old


def test_a_step_that_a_resume_took_hold_of_is_not_invalidated(stopped: tuple[Fakes, Plan]) -> None:
    fakes, plan = stopped
    ports = before(
        fakes, "replace", RECORD, lambda: resume_plan(fakes.ports.run_control, fakes.ports.models, "acme", plan.plan_id)
    )
    with pytest.raises(PlanActive):
        invalidate_plan(ports.run_control, ports.models, "acme", plan.plan_id, ["004"])
    skipped, made = run(fakes, fakes.plans.get(plan.plan_id), *STAGES)
    assert (len(skipped), made) == (5, [])


def test_an_edit_that_comes_through_after_a_retry_leaves_nothing_of_the_old_run(stopped: tuple[Fakes, Plan]) -> None:
    fakes, plan = stopped
    ports = before(
        fakes, "replace", RECORD, lambda: retry_plan(fakes.ports.run_control, fakes.ports.models, "acme", plan.plan_id)
    )
    with pytest.raises((PlanActive, ArtifactNotFound)):
        edit(fakes, ports, plan)
    assert fakes.files.read(plan.plan_id, PATH) is None
    assert fakes.plans.all_files(plan.plan_id) == []


def invalidate(fakes: Fakes, ports: Any, plan: Plan) -> None:
    invalidate_plan(ports.run_control, ports.models, "acme", plan.plan_id, ["004"])


@pytest.mark.parametrize("change", [edit, invalidate])
def test_what_comes_through_after_the_plan_was_archived_is_taken_back(
    stopped: tuple[Fakes, Plan], change: Callable[[Fakes, Any, Plan], None]
) -> None:
    fakes, plan = stopped
    record, made = (fakes.files.read(plan.plan_id, path) for path in (RECORD, PATH))
    ports = before(fakes, "replace", RECORD, lambda: archive_plan(fakes.ports.plan_records, "acme", plan.plan_id))
    with pytest.raises(PlanArchived):
        change(fakes, ports, plan)
    assert (fakes.files.read(plan.plan_id, RECORD), fakes.files.read(plan.plan_id, PATH)) == (record, made)
    archive_plan(fakes.ports.plan_records, "acme", plan.plan_id, archived=False)
    skipped, again = resume_and_run(fakes, plan)
    assert (len(skipped), again) == (5, [])


def test_a_crash_between_record_and_file_is_healed_by_the_same_edit(stopped: tuple[Fakes, Plan]) -> None:
    fakes, plan = stopped
    expected = fakes.files.sha256(plan.plan_id, PATH)

    def crash() -> None:
        raise ConnectionError

    with pytest.raises(ConnectionError):
        edit(fakes, before(fakes, "read_tagged", PATH, crash), plan)
    assert fakes.files.sha256(plan.plan_id, PATH) == expected
    done = edit_artifact(fakes.ports.run_control, fakes.ports.models, "acme", plan.plan_id, PATH, "Mine.\n", expected)
    assert [file.path for file in done.files] == [PATH]
    assert fakes.files.read(plan.plan_id, PATH) == b"Mine.\n"
    assert fakes.plans.file(plan.plan_id, PATH) == done.artifact
    assert fakes.ports.log.last_events(plan.plan_id, 1)[0].type == "artifact_written"


def test_whoever_tells_late_of_an_end_does_not_hide_that_the_next_run_began(stopped: tuple[Fakes, Plan]) -> None:
    fakes, _ = stopped
    plan = resume_plan(fakes.ports.run_control, fakes.ports.models, "acme", stopped[1].plan_id)

    def begin() -> None:
        retry_plan(fakes.ports.run_control, fakes.ports.models, "acme", plan.plan_id)

    stop_plan(before(fakes, "read_tagged", "plan.json", begin).run_control, "acme", plan.plan_id)
    assert Plan.model_validate_json(fakes.files.read(plan.plan_id, "plan.json")).run == 3
