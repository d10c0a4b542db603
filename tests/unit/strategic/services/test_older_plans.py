"""Plans of the first version of the pipeline, of thirty steps: read as before, and never mixed with the new ones."""

import zipfile
from collections.abc import Callable
from io import BytesIO

import pytest

from planloom.core.artifacts import artifact
from planloom.core.errors import PipelineVersionMismatch
from planloom.models.profiles import Models
from planloom.planes.strategic.plans import Plan
from planloom.planes.strategic.ports.groups import RunControl
from planloom.planes.strategic.progress import progress_percentage
from planloom.planes.strategic.services.delete_plan import delete_plan
from planloom.planes.strategic.services.end_run import end_run
from planloom.planes.strategic.services.export_plan import export_plan
from planloom.planes.strategic.services.invalidate_plan import invalidate_plan, validate_plan
from planloom.planes.strategic.services.list_artifacts import list_artifacts
from planloom.planes.strategic.services.plan_file_info import finished_file
from planloom.planes.strategic.services.plan_graph import plan_graph
from planloom.planes.strategic.services.read_artifact import read_text
from planloom.planes.strategic.services.repair_plan import repair_plan
from planloom.planes.strategic.services.resume_plan import resume_plan
from planloom.planes.strategic.services.retry_plan import retry_plan
from planloom.planes.strategic.services.share_report import share_report, shared_report
from planloom.planes.strategic.stages.pipeline import PIPELINE
from planloom.planes.strategic.steps import StepRecord
from tests.fake_ports import Fakes, make_fakes
from tests.unit.strategic.services.walk import begin, deliver, in_order, work

#: Some of its steps, with the number of another one today, of none, or of the same with another name.
NAMES = {4: "purpose", 6: "scenarios", 11: "governance", 12: "related_resources", 16: "expert_criticism"}
STEPS = {number: NAMES.get(number, f"step_{number}") for number in range(1, 31)}
REPORT = b"<html>Made by thirty steps.</html>"


def older(state: str, steps: int = 30) -> tuple[Fakes, Plan]:
    """Return a plan that is *state* after its first *steps* steps."""
    fakes = make_fakes()
    plan = begin(fakes).model_copy(update={"pipeline_version": 1, "state": state, "started_at": fakes.clock()})
    for number, name in list(STEPS.items())[:steps]:
        texts = {f"{number:03}-1-{name}.json": b"{}", f"{number:03}-2-{name}.md": f"# {name}\n".encode()}
        texts |= {"030-report.html": REPORT} if number == 30 else {}
        for path, content in texts.items():
            fakes.files.write(plan.plan_id, path, content, "text/plain")
        record = StepRecord(
            key=f"{number:03}",
            name=name,
            run=1,
            fingerprint="of another version",
            artifacts=tuple(artifact(path, content, fakes.clock()) for path, content in texts.items()),
            started_at=fakes.clock(),
            ended_at=fakes.clock(),
        )
        fakes.files.write(plan.plan_id, f"steps/{record.key}.json", record.model_dump_json().encode(), "text/plain")
    fakes.files.write(plan.plan_id, "plan.json", plan.model_dump_json().encode(), "application/json")
    fakes.pipeline.runs[plan.plan_id, 1] = "SUCCEEDED" if state == "completed" else "FAILED"
    fakes.plans.plans.pop(plan.plan_id)
    return fakes, repair_plan(fakes.ports.plan_records, plan.plan_id)


def test_report_files_zip_export_graph_and_link_of_an_older_plan_are_there() -> None:
    fakes, plan = older("completed")
    ports, plan_id = fakes.ports, plan.plan_id

    assert progress_percentage(plan.steps_finished) == 100.0
    listed = {file.path for file in list_artifacts(ports.plan_records, "acme", plan_id).artifacts}
    assert {"006-2-scenarios.md", "012-1-related_resources.json", "030-report.html"} <= listed
    assert read_text(ports.plan_records, "acme", plan_id, "006-2-scenarios.md", 0, 99).text == "# scenarios\n"
    assert finished_file(ports.plan_records, "acme", plan_id, "report").size == len(REPORT)
    for found in (
        finished_file(ports.plan_records, "acme", plan_id, "zip"),
        export_plan(ports.plan_records, "acme", plan_id),
    ):
        packed = zipfile.ZipFile(BytesIO(fakes.files.read(plan_id, found.stored_at) or b""))
        assert {"004-2-purpose.md", "030-report.html", "usage.json"} <= set(packed.namelist())
    assert [node.name for node in plan_graph(ports.plan_records, "acme", plan_id).nodes] == list(STEPS.values())
    assert (
        shared_report(
            ports.plan_records, ports.shares, share_report(ports.plan_records, ports.shares, "acme", plan_id)[0]
        )
        == REPORT
    )


def test_no_run_goes_on_from_an_older_plan() -> None:
    fakes, plan = older("stopped", 12)
    completed, ended = older("completed")

    with pytest.raises(PipelineVersionMismatch):
        resume_plan(fakes.ports.run_control, fakes.ports.models, "acme", plan.plan_id)
    with pytest.raises(PipelineVersionMismatch):
        invalidate_plan(completed.ports.run_control, completed.ports.models, "acme", ended.plan_id, ["016"])
    with pytest.raises(PipelineVersionMismatch):
        validate_plan(completed.ports.run_control, completed.ports.models, "acme", ended.plan_id)
    delete_plan(completed.ports.plan_records, completed.ports.shares, completed.ports.billing, "acme", ended.plan_id)
    assert completed.files.paths(ended.plan_id) == []


def forced(run_control: RunControl, models: Models, account: str, plan_id: str) -> Plan:
    return resume_plan(run_control, models, account, plan_id, force_upgrade=True)


@pytest.mark.parametrize("steps", [3, 12])
@pytest.mark.parametrize("begin_again", [retry_plan, forced], ids=["retried", "resumed"])
def test_an_older_plan_that_is_begun_again_holds_the_steps_of_today_alone(
    begin_again: Callable[[RunControl, Models, str, str], Plan], steps: int
) -> None:
    fakes, before = older("stopped", steps)

    plan = begin_again(fakes.ports.run_control, fakes.ports.models, "acme", before.plan_id)
    assert plan.steps_finished == {}
    work(fakes, plan, *in_order())
    deliver(fakes)
    end_run(fakes.ports.run_control, plan.plan_id, 2, "SUCCEEDED")

    ended = fakes.plans.get(plan.plan_id)
    assert (ended.state, set(ended.steps_finished)) == ("completed", {stage.key for stage in PIPELINE})
    assert progress_percentage(ended.steps_finished) == 100.0
    listed = {file.path for file in list_artifacts(fakes.ports.plan_records, "acme", plan.plan_id).artifacts}
    assert {path for path in listed if any(name in path for name in ("scenarios.md", "step_"))} == {
        "021-3-scenarios.md"
    }
