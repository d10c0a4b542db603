"""Plans as MCP resources, prompts about them and completions (16): for their caller alone."""

import base64
import json
from typing import Any
from uuid import uuid4

import pytest

from planloom.core.artifacts import artifact, content_type_of, sha256_of
from planloom.planes.strategic.services import plan_resource
from planloom.planes.strategic.services.end_run import end_plan
from tests.fake_ports import PROMPT, Fakes
from tests.unit.api.calling import http, rpc, tool
from tests.unit.strategic.services.walk import begin, deliver, work

VERSION = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}


@pytest.fixture
def plan_id(fakes: Fakes) -> str:
    """A finished plan."""
    plan = begin(fakes)
    work(fakes, plan, "start")
    deliver(fakes)
    for path in ("016-2-expert_criticism.md", "030-report.html"):
        content = f"<p>{path}, né</p>".encode()
        fakes.files.write(plan.plan_id, path, content, content_type_of(path))
        fakes.plans.files[plan.plan_id][path] = artifact(path, content, fakes.clock())
    end_plan(fakes.ports.run_control, fakes.plans.plans[plan.plan_id], "completed")
    return plan.plan_id


def read(uri: str, account: str = "acme") -> Any:
    return rpc("resources/read", {"uri": uri}, account)


def test_16_a_report_is_read_with_type_size_hash_and_time(fakes: Fakes, plan_id: str) -> None:
    (content,) = read(f"planexe://plan/{plan_id}/report")["contents"]
    report = fakes.files.read(plan_id, "030-report.html")
    assert (content["mimeType"], content["text"]) == ("text/html", report.decode())
    assert content["_meta"] == {
        "size": len(report),
        "sha256": sha256_of(report),
        "generated_at": "2026-11-02T09:00:00+00:00",
    }


def test_16_a_zip_is_read_as_bytes(fakes: Fakes, plan_id: str) -> None:
    (content,) = read(f"planexe://plan/{plan_id}/zip")["contents"]
    blob = base64.b64decode(content["blob"])
    assert (content["mimeType"], content["_meta"]["sha256"]) == ("application/zip", sha256_of(blob))
    assert blob.startswith(b"PK")


def test_16_the_files_of_a_plan_are_found_in_its_list(fakes: Fakes, plan_id: str) -> None:
    (content,) = read(f"planexe://plan/{plan_id}/files")["contents"]
    listed = json.loads(content["text"])
    assert listed == tool("plan_artifacts", plan_id=plan_id, limit=1000).body
    assert content["mimeType"] == "application/json"
    assert content["_meta"]["sha256"] == sha256_of(content["text"].encode())
    for file in listed["artifacts"]:
        assert read(f"planexe://plan/{plan_id}/file/{file['path']}")["contents"][0]["_meta"]["sha256"] == file["sha256"]


def test_16_a_file_is_read_by_its_path(fakes: Fakes, plan_id: str) -> None:
    (content,) = read(f"planexe://plan/{plan_id}/file/001-2-plan.txt")["contents"]
    assert (content["uri"], content["text"]) == (f"planexe://plan/{plan_id}/file/001-2-plan.txt", PROMPT)


def test_16_resources_are_listed_for_their_caller_newest_first_in_pages(fakes: Fakes, plan_id: str) -> None:
    fakes.clock.pass_(minutes=1)
    newer = [begin(fakes).plan_id for _ in range(10)]
    tool("plan_create", account="other", prompt=PROMPT)
    first = rpc("resources/list")
    assert {resource["uri"].split("/")[3] for resource in first["resources"]} == set(newer)
    rest = rpc("resources/list", {"cursor": first["nextCursor"]})
    assert [resource["uri"] for resource in rest["resources"]] == [
        f"planexe://plan/{plan_id}/{tail}" for tail in ("file/001-2-plan.txt", "files", "zip", "report")
    ]
    assert "nextCursor" not in rest
    report = rest["resources"][-1]
    assert (report["mimeType"], report["size"]) == ("text/html", len(fakes.files.read(plan_id, "030-report.html")))
    for resource in rest["resources"]:
        assert read(resource["uri"])["contents"][0]["mimeType"] == resource["mimeType"], "what is listed can be read"
    assert len(rpc("resources/list", account="other")["resources"]) == 2, "a prompt and a list of files"


def test_templates_are_listed(fakes: Fakes) -> None:
    listed = rpc("resources/templates/list")["resourceTemplates"]
    assert [template["uriTemplate"] for template in listed] == [
        "planexe://plan/{plan_id}/report",
        "planexe://plan/{plan_id}/zip",
        "planexe://plan/{plan_id}/files",
        "planexe://plan/{plan_id}/file/{path}",
    ]


@pytest.mark.parametrize("tail", ["report", "zip", "files", "file/001-2-plan.txt"])
def test_10_2_resources_of_others_and_unknown_ones_are_refused(fakes: Fakes, plan_id: str, tail: str) -> None:
    refused = read(f"planexe://plan/{plan_id}/{tail}", "other")["error"]
    assert (refused["code"], refused["data"]["error"]["code"]) == (-32602, "PERMISSION_DENIED")
    unknown = read(f"planexe://plan/{uuid4()}/{tail}")["error"]
    assert (unknown["code"], unknown["data"]["error"]["code"]) == (-32602, "PLAN_NOT_FOUND")
    assert "contents" in read(f"planexe://plan/{plan_id}/{tail}")


def test_10_2_every_template_is_tried_above() -> None:
    from planloom.api.plan_resources import TEMPLATES

    assert [tail for tail, *_ in TEMPLATES] == ["report", "zip", "files", "file/{path}"]


@pytest.mark.parametrize(
    "tail", ["file/../plan.json", "file/plan.json", "file/..%2Fplan.json", "steps", "report/x", "file/"]
)
def test_10_1_no_address_leads_out_of_the_artifacts(fakes: Fakes, plan_id: str, tail: str) -> None:
    refused = read(f"planexe://plan/{plan_id}/{tail}")["error"]
    assert (refused["code"], refused["data"]["error"]["code"]) == (-32602, "INVALID_ARGUMENT")


def test_what_is_not_ready_says_so(fakes: Fakes) -> None:
    refused = read(f"planexe://plan/{begin(fakes).plan_id}/report")["error"]
    assert (refused["code"], refused["data"]["error"]["code"]) == (-32602, "PLAN_NOT_COMPLETED")
    assert "plan_status" in refused["message"]


def test_16_the_prompt_of_a_plan_that_waits_for_a_worker_is_listed_and_read(fakes: Fakes) -> None:
    waiting = begin(fakes).plan_id
    listed, files = rpc("resources/list")["resources"]
    assert json.loads(read(files["uri"])["contents"][0]["text"])["total"] == 1
    (content,) = read(listed["uri"])["contents"]
    assert (listed["uri"], content["text"]) == (f"planexe://plan/{waiting}/file/001-2-plan.txt", PROMPT)
    assert content["mimeType"] == listed["mimeType"] == "text/plain"
    assert [file["path"] for file in tool("plan_artifacts", plan_id=waiting).body["artifacts"]] == ["001-2-plan.txt"]


def test_16_what_is_listed_with_a_hash_is_read_with_it(fakes: Fakes, plan_id: str) -> None:
    prompt, _, unmade, report = rpc("resources/list")["resources"]
    assert ("size" in unmade, unmade["_meta"]) == (False, {"state": "completed"})
    assert not fakes.files.paths(plan_id, "exports/"), "to list a zip does not make it"
    read(f"planexe://plan/{plan_id}/zip")
    _, _, made, _ = rpc("resources/list")["resources"]
    for resource in (prompt, report, made):
        (content,) = read(resource["uri"])["contents"]
        assert resource["_meta"] == {"state": "completed", **content["_meta"]}
        assert resource["size"] == content["_meta"]["size"]


def test_11_2_what_is_too_large_is_refused_with_what_to_do(
    fakes: Fakes, plan_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plan_resource, "MOST_BYTES", 10)
    for tail in ("report", "zip", "file/001-1-start.json"):
        refused = read(f"planexe://plan/{plan_id}/{tail}")["error"]
        assert refused["data"]["error"]["code"] == "ARTIFACT_TOO_LARGE"
        assert "plan_file_info" in refused["message"]


def test_a_fault_of_ours_tells_readers_nothing_of_its_text(
    fakes: Fakes, plan_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: str) -> None:
        raise RuntimeError("table arn:aws:secret")

    monkeypatch.setattr(fakes.plans, "get", fail)
    refused = read(f"planexe://plan/{plan_id}/report")["error"]
    assert (refused["code"], refused["data"]["error"]["code"]) == (-32603, "INTERNAL_ERROR")
    assert "arn" not in json.dumps(refused)


def test_prompts_are_listed_and_name_the_plan_and_tools_that_exist(fakes: Fakes) -> None:
    listed = {prompt["name"]: prompt for prompt in rpc("prompts/list")["prompts"]}
    assert set(listed) == {"draft_a_prompt", "review_a_plan", "recover_a_failed_plan"}
    for name, argument in [
        ("draft_a_prompt", "goal"),
        ("review_a_plan", "plan_id"),
        ("recover_a_failed_plan", "plan_id"),
    ]:
        assert [each["name"] for each in listed[name]["arguments"]] == [argument]
        got = rpc("prompts/get", {"name": name, "arguments": {argument: "Open a café"}})
        assert "Open a café" in got["messages"][0]["content"]["text"]


def test_ids_and_paths_are_completed_from_ones_own(fakes: Fakes, plan_id: str) -> None:
    other = tool("plan_create", account="other", prompt=PROMPT).body["plan_id"]
    template = {"type": "ref/resource", "uri": "planexe://plan/{plan_id}/file/{path}"}
    prompt = {"type": "ref/prompt", "name": "review_a_plan"}

    def complete(ref: dict[str, str], name: str, value: str, **known: str) -> list[str]:
        params = {"ref": ref, "argument": {"name": name, "value": value}, "context": {"arguments": known}}
        return list(rpc("completion/complete", params)["completion"]["values"])

    assert complete(template, "plan_id", plan_id[:5]) == complete(prompt, "plan_id", "") == [plan_id]
    assert complete(prompt, "plan_id", "zzz") == []
    for _ in range(50):
        begin(fakes)
    told = rpc("completion/complete", {"ref": prompt, "argument": {"name": "plan_id", "value": ""}})["completion"]
    assert (len(told["values"]), told["hasMore"], "total" in told) == (50, True, False)
    assert complete(template, "path", "016-2", plan_id=plan_id) == ["016-2-expert_criticism.md"]
    assert complete(template, "path", "016-2") == []
    params = {"ref": template, "argument": {"name": "path", "value": ""}, "context": {"arguments": {"plan_id": other}}}
    assert rpc("completion/complete", params)["error"]["data"]["error"]["code"] == "PERMISSION_DENIED"


def test_14_1_the_version_of_the_interface_is_told_in_both_eras_of_the_protocol(fakes: Fakes) -> None:
    told = rpc("initialize", VERSION)
    assert 'planexe.version = "1.0"' in told["instructions"], "protocol 2025-11-25 knows no extensions"
    assert {"resources", "prompts", "completions", "tools"} <= set(told["capabilities"])
    protocol, method = "2026-07-28", "server/discover"
    about = {"protocolVersion": protocol, "clientCapabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    meta = {f"io.modelcontextprotocol/{name}": value for name, value in about.items()}
    asked = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {"_meta": meta}}
    headers = {"mcp-protocol-version": protocol, "mcp-method": method}
    discovered = http("POST", "/mcp", asked, headers=headers).body["result"]["capabilities"]
    assert discovered["extensions"] == {"planexe/interface": {"planexe.version": "1.0"}}
    assert http("GET", "/health").body["planexe.version"] == "1.0"


def test_without_an_account_nothing_is_listed(fakes: Fakes, plan_id: str) -> None:
    deliver(fakes)
    assert rpc("resources/list", account=None)["error"]["data"]["error"]["code"] == "PERMISSION_DENIED"
