"""Plans of the first version of the pipeline, which had thirty steps of other names: readable, and not resumed."""

import io
import json
import zipfile

import pytest

from planloom.core.artifacts import PROMPT as PROMPT_FILE
from planloom.core.artifacts import REPORT, artifact
from planloom.core.usage import Request, Usage
from planloom.planes.strategic.kept_answer import KeptAnswer
from planloom.planes.strategic.plans import Plan, PlanState
from planloom.planes.strategic.services.end_run import end_run
from planloom.planes.strategic.steps import StepRecord
from tests.fake_ports import Fakes
from tests.unit.api.calling import fetch, http, tool
from tests.unit.strategic.services.walk import begin, deliver, in_order, work

#: Number and name of some of its steps: the others had names of their own too.
NAMES = {1: "start", 2: "screening", 4: "purpose", 8: "risks", 16: "expert_criticism", 21: "task_dependencies"}
USAGE = Usage(calls=1, input_tokens=70, unpriced=1)


def old(fakes: Fakes, state: PlanState = "completed") -> Plan:
    """Put a plan of the first version into *fakes*, whole, with one kept answer."""
    begun = begin(fakes)
    files = {f"{n:03}-2-{NAMES.get(n, f'step_{n}')}.md": b"# Step\n\nWords.\n" for n in range(2, 30)}
    answer = KeptAnswer(
        call="purpose", fingerprint="f", usage=USAGE, requests=(Request(model="m", outcome="answered"),), answer={}
    )
    files |= {PROMPT_FILE: b"Open a bakery.", "001-1-start.json": b'{"title": "A bakery"}', REPORT: b"<p>Report</p>"}
    files |= {"004-0-purpose-purpose.json": answer.model_dump_json().encode()}
    told = {path: artifact(path, content, fakes.clock()) for path, content in files.items()}
    for path, content in files.items():
        fakes.files.write(begun.plan_id, path, content, told[path].content_type)
    fakes.plans.files[begun.plan_id] = told
    for number in range(1, 31):
        key, name = f"{number:03}", NAMES.get(number, f"step_{number}")
        made = tuple(file for path, file in sorted(told.items()) if path.startswith(key))
        record = StepRecord(
            key=key, name=name, run=1, fingerprint="f", artifacts=made, started_at=fakes.clock(), ended_at=fakes.clock()
        )
        content = record.model_dump_json().encode()
        fakes.files.write(begun.plan_id, f"steps/{key}.json", content, "application/json")
        fakes.plans.records.setdefault(begun.plan_id, {})[key] = record
    done = {f"{number:03}": 1 for number in range(1, 31)}
    changed = {"pipeline_version": 1, "state": state, "steps_started": dict.fromkeys(done, fakes.clock())}
    fakes.plans.plans[begun.plan_id] = begun.model_copy(update=changed | {"steps_finished": done})
    return fakes.plans.plans[begun.plan_id]


def test_its_progress_counts_the_steps_that_it_had(fakes: Fakes) -> None:
    status = http("GET", f"/v1/plans/{old(fakes).plan_id}").body
    assert (status["state"], status["steps_completed"], status["steps_total"]) == ("completed", 30, 30)
    assert status["progress_percentage"] == tool("plan_list").body["plans"][0]["progress_percentage"] == 100.0


def test_its_graph_shows_its_own_steps_with_their_files(fakes: Fakes) -> None:
    plan = old(fakes)
    graph = http("GET", f"/v1/plans/{plan.plan_id}/graph").body
    assert len(graph["nodes"]) == 30
    purpose = graph["nodes"][3]
    assert (purpose["step"], purpose["title"], purpose["state"]) == ("004-purpose", "Purpose", "finished")
    assert purpose["files"] == ["004-0-purpose-purpose.json", "004-2-purpose.md"]
    assert graph["edges"] == []


def test_its_files_are_listed_read_and_exported(fakes: Fakes) -> None:
    plan = old(fakes)
    listed = tool("plan_artifacts", plan_id=plan.plan_id, prefix="004-").body["artifacts"]
    assert [file["path"] for file in listed] == ["004-0-purpose-purpose.json", "004-2-purpose.md"]
    read = fetch(f"/v1/plans/{plan.plan_id}/artifacts/004-2-purpose.md")
    assert (read.status, read.content) == (200, b"# Step\n\nWords.\n")
    assert "download_url" in tool("plan_export", plan_id=plan.plan_id).body


def test_its_report_and_its_zip_have_links(fakes: Fakes) -> None:
    plan = old(fakes)
    assert http("GET", f"/v1/plans/{plan.plan_id}/files/report").body["download_size"] == len(b"<p>Report</p>")
    assert "download_url" in tool("plan_file_info", plan_id=plan.plan_id, artifact="zip").body
    (path,) = (path for path in fakes.files.paths(plan.plan_id, "") if path.endswith(".zip"))
    archive = zipfile.ZipFile(io.BytesIO(fakes.files.read(plan.plan_id, path)))
    assert {REPORT, "016-2-expert_criticism.md", "usage.json"} <= set(archive.namelist())
    assert json.loads(archive.read("usage.json"))["total"]["calls"] == 1


def test_a_section_of_its_own_is_compared(fakes: Fakes) -> None:
    one, other = old(fakes), old(fakes)
    changed = fakes.plans.files[other.plan_id]["004-2-purpose.md"]
    fakes.files.write(other.plan_id, changed.path, b"# Step\n\nOther words.\n", "text/markdown")
    fakes.plans.files[other.plan_id][changed.path] = changed.model_copy(update={"sha256": "0" * 64})
    compared = {"plan_id": one.plan_id, "other_plan_id": other.plan_id, "step": "004-purpose"}
    (section,) = tool("plan_diff", **compared).body["sections"]
    assert (section["path"], section["lines_added"], section["lines_removed"]) == ("004-2-purpose.md", 1, 1)


@pytest.mark.parametrize("state", ["failed", "stopped"])
def test_it_is_not_resumed_but_drafted_anew(fakes: Fakes, state: PlanState) -> None:
    plan = old(fakes, state)
    refused = tool("plan_resume", plan_id=plan.plan_id).body["error"]
    assert (refused["code"], refused["details"]) == (
        "PIPELINE_VERSION_MISMATCH",
        {"plan_version": 1, "pipeline_version": 2},
    )
    assert tool("plan_retry", plan_id=plan.plan_id).body["state"] == "pending"
    status = tool("plan_status", plan_id=plan.plan_id).body
    assert (status["steps_completed"], status["steps_total"]) == (0, 15)


def test_a_change_of_it_starts_no_run(fakes: Fakes) -> None:
    plan, path = old(fakes), "016-2-expert_criticism.md"
    edit = {"content": "# Mine\n", "expected_sha256": fakes.files.sha256(plan.plan_id, path)}
    for refused in (
        tool("plan_artifact_edit", plan_id=plan.plan_id, path=path, **edit),
        tool("plan_invalidate", plan_id=plan.plan_id, stages=["016"]),
        tool("plan_validate", plan_id=plan.plan_id),
    ):
        assert (refused.is_error, refused.body["error"]["code"]) == (True, "PIPELINE_VERSION_MISMATCH")
    assert list(fakes.plans.plans) == [plan.plan_id]


def test_where_its_resume_is_forced_it_is_drafted_by_the_stages_of_today(fakes: Fakes) -> None:
    plan = old(fakes, "stopped")
    begun = tool("plan_resume", plan_id=plan.plan_id, force_upgrade=True).body
    assert (begun["state"], begun["steps_kept"]) == ("pending", 0)
    again = fakes.plans.plans[plan.plan_id]
    work(fakes, again, *in_order())
    deliver(fakes)
    end_run(fakes.ports.run_control, plan.plan_id, again.run, "SUCCEEDED")
    status = tool("plan_status", plan_id=plan.plan_id).body
    assert (status["state"], status["steps_completed"], status["steps_total"]) == ("completed", 15, 15)
    files = tool("plan_artifacts", plan_id=plan.plan_id, limit=200).body["artifacts"]
    assert [file["path"] for file in files if "purpose" in file["path"]] == []
