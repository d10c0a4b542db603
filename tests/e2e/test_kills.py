"""Kill tests: a stage's worker, or the whole embedded AWS, is killed; resumed, the plan comes out as if nothing was."""

import os
import signal
from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest

from planloom.core.artifacts import sha256_of
from planloom.planes.strategic.pipeline_map import CURRENT
from planloom.planes.strategic.services.read_records import step_records
from planloom.planes.strategic.services.repair_plan import repair_lost
from planloom.planes.strategic.services.watch_plans import watch_plans
from planloom.planes.strategic.stages.pipeline import PIPELINE, stage_named
from planloom_cli.embedded import EmbeddedAws
from tests.e2e.conftest import Running, running, until
from tests.e2e.killing import committed, killed_at, ready
from tests.thorough import THOROUGH

#: What the undisturbed plan was made from.
GOAL = "bakery-cafe-lisbon"


@pytest.fixture
def aws(state: Path) -> Iterator[EmbeddedAws]:
    """An embedded AWS of its own, to be killed."""
    made = EmbeddedAws(state)
    made.start()
    yield made
    made.stop()


@pytest.mark.parametrize("name", [stage.name for stage in PIPELINE] if THOROUGH else ["schedule"])
def test_a_plan_whose_worker_was_killed_is_resumed_to_what_it_would_have_been(
    service: Running, drafted: str, name: str
) -> None:
    plan_id = killed_at(service, GOAL, name)
    kept = committed(service, plan_id)
    assert stage_named(name).key not in kept

    answer = service.call("plan_resume", plan_id=plan_id)

    assert (answer["state"], answer["resume_count"], answer["steps_kept"]) == ("pending", 1, len(kept))
    assert service.until_state(plan_id)["state"] == "completed"
    assert {record.key for record in step_records(service.ports.files, plan_id) if record.run == 1} == kept
    assert_as_undisturbed(service, plan_id, service, drafted)


def test_the_whole_aws_is_killed_and_its_plan_comes_out_as_if_nothing_was(
    aws: EmbeddedAws, service: Running, drafted: str
) -> None:
    plan_id = running(aws).create(GOAL)
    # a second kill finds what the first one left: a start from files, over a plan that was repaired
    for name in ("repair", "schedule") if THOROUGH else ("schedule",):
        until(partial(ready, running(aws), plan_id, name), f"all that {name} needs", every=0.05)
        os.killpg(aws.pid or 0, signal.SIGKILL)
        aws.stop()
        aws.start()
        assert aws.lost_writes
        again = running(aws)
        assert repair_lost(again.ports.plan_records) == [plan_id]
        watch_plans(again.ports.run_control, start_within=timedelta(0))
        plan = again.ports.plans.get(plan_id)
        assert plan
        if plan.state == "failed":
            again.call("plan_resume", plan_id=plan_id)

    last = running(aws)
    status = last.until_state(plan_id)
    assert (status["state"], status["steps_completed"], status["progress_percentage"]) == (
        "completed",
        len(PIPELINE),
        100.0,
    )
    assert_as_undisturbed(last, plan_id, service, drafted)
    aws.stop()
    aws.start()
    assert not aws.lost_writes
    assert running(aws).status(plan_id)["state"] == "completed"


def test_an_edit_of_a_finished_plan_is_worked_into_a_derived_one(service: Running, drafted: str) -> None:
    path = "016-2-expert_criticism.md"
    found = service.call("plan_artifact_read", plan_id=drafted, path=path)
    text = found["text"].replace("\n", "\nAsk a baker who has closed a shop.\n", 1)

    answer = service.call(
        "plan_artifact_edit", plan_id=drafted, path=path, content=text, expected_sha256=found["sha256"]
    )

    derived = answer["plan_id"]
    assert answer["derived_from"] == drafted
    assert service.until_state(derived)["state"] == "completed"
    made = {record.key for record in step_records(service.ports.files, derived) if record.run == 2}
    assert {"024", "030"} <= made <= {step[:3] for step in answer["remade"]}
    assert {step[:3] for step in answer["remade"]} == dependents("expert_criticism")
    assert b"Ask a baker who has closed a shop." in (service.ports.files.read(derived, "030-report.html") or b"")
    assert service.status(drafted)["state"] == "completed"
    versions = service.call("plan_artifact_versions", plan_id=derived, path=path)["versions"]
    assert [each["sha256"] for each in versions] == [answer["sha256"], found["sha256"]]


def test_7_1_a_finished_plan_is_validated_without_being_made_again(service: Running, drafted: str) -> None:
    plan_id = service.call("plan_validate", plan_id=drafted)["plan_id"]
    status = service.until_state(plan_id)
    assert (status["state"], status["steps_completed"]) == ("completed", len(PIPELINE))
    made = {record.key for record in step_records(service.ports.files, plan_id) if record.run == 2}
    assert made == set(CURRENT.validated)


def dependents(name: str) -> set[str]:
    """Return the keys of all stages that need the stage *name*, at first or at second hand."""
    found = {name}
    for _ in PIPELINE:
        found |= {stage.name for stage in PIPELINE if found & set(stage.needs)}
    return {stage.key for stage in PIPELINE if stage.name in found - {name}}


def assert_as_undisturbed(service: Running, plan_id: str, other: Running, undisturbed: str) -> None:
    """Hold that both plans came out the same."""
    assert {record.key for record in step_records(service.ports.files, plan_id)} == {stage.key for stage in PIPELINE}
    assert artifacts(service, plan_id) == artifacts(other, undisturbed)


def artifacts(service: Running, plan_id: str) -> dict[str, str]:
    """Return the hash of each artifact, with the plan's id left out."""

    def told(path: str) -> bytes:
        return (service.ports.files.read(plan_id, path) or b"").replace(plan_id.encode(), b"<plan>")

    return {path: sha256_of(told(path)) for path in service.ports.files.paths(plan_id) if path[:3].isdigit()}
