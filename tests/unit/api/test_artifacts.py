"""The files of a plan over HTTP and MCP; plans archived, deleted, exported and compared."""

import io
import json
import zipfile
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planloom.core.artifacts import sha256_of
from planloom.planes.strategic.services import read_artifact
from planloom.planes.strategic.services.end_run import end_run
from planloom.planes.strategic.services.read_artifact import MOST_BYTES
from tests.fake_ports import PROMPT, Fakes
from tests.unit.api.calling import fetch, http, tool
from tests.unit.strategic.services.walk import begin, deliver, in_order, work


@pytest.fixture
def plan_id(fakes: Fakes) -> str:
    """A stopped plan with three finished steps."""
    plan = begin(fakes)
    work(fakes, plan, "start", "premise_attack", "screening")
    deliver(fakes)
    tool("plan_stop", plan_id=plan.plan_id)
    return plan.plan_id


def put(fakes: Fakes, plan_id: str, path: str, content: bytes) -> None:
    """Replace a file and what the view says of it."""
    fakes.files.write(plan_id, path, content, "text/markdown")
    found = fakes.plans.files[plan_id][path]
    change = {"size": len(content), "sha256": sha256_of(content)}
    fakes.plans.files[plan_id][path] = found.model_copy(update=change)


def test_4_1_files_are_listed_with_all_that_an_artifact_has(fakes: Fakes, plan_id: str) -> None:
    listed = http("GET", f"/v1/plans/{plan_id}/artifacts").body
    paths = [file["path"] for file in listed["artifacts"]]
    assert paths == sorted(paths)
    assert (listed["total"], listed["next_after"]) == (len(paths), None)
    prompt = next(file for file in listed["artifacts"] if file["path"] == "001-2-plan.txt")
    assert prompt == {
        "path": "001-2-plan.txt",
        "size": len(PROMPT.encode()),
        "sha256": sha256_of(PROMPT.encode()),
        "content_type": "text/plain",
        "updated_at": "2026-11-02T09:00:00Z",
        "edited": False,
    }
    assert tool("plan_artifacts", plan_id=plan_id).body == listed


def test_files_come_in_pages_and_by_prefix(fakes: Fakes, plan_id: str) -> None:
    every = [file["path"] for file in tool("plan_artifacts", plan_id=plan_id).body["artifacts"]]
    seen: list[str] = []
    page = tool("plan_artifacts", plan_id=plan_id, limit=2).body
    while True:
        seen += [file["path"] for file in page["artifacts"]]
        if page["next_after"] is None:
            break
        page = tool("plan_artifacts", plan_id=plan_id, limit=2, after=page["next_after"]).body
    assert seen == every
    only = tool("plan_artifacts", plan_id=plan_id, prefix="002-").body
    assert [file["path"][:4] for file in only["artifacts"]] == ["002-"] * only["total"]


def test_12_what_is_told_of_a_run_is_listed_and_read_beside_its_artifacts(fakes: Fakes, plan_id: str) -> None:
    fakes.files.write(plan_id, "run_error.json", b'{"step": "013-repair"}', "application/json")
    paths = [file["path"] for file in tool("plan_artifacts", plan_id=plan_id).body["artifacts"]]
    assert "run_error.json" in paths
    assert "run.log" in paths
    assert "quality.json" not in paths
    assert tool("plan_artifact_read", plan_id=plan_id, path="run_error.json").body["text"] == '{"step": "013-repair"}'
    missing = tool("plan_artifact_read", plan_id=plan_id, path="quality.json")
    assert (missing.body["error"]["code"], missing.is_error) == ("ARTIFACT_NOT_FOUND", True)


def test_a_file_is_read_whole_with_its_hash_as_tag(fakes: Fakes, plan_id: str) -> None:
    answer = fetch(f"/v1/plans/{plan_id}/artifacts/002-2-screening.md")
    assert (answer.status, answer.content) == (200, fakes.files.read(plan_id, "002-2-screening.md"))
    assert answer.headers["content-type"] == "text/markdown; charset=utf-8"
    assert answer.headers["etag"] == f'"{sha256_of(answer.content)}"'
    assert answer.headers["accept-ranges"] == "bytes"
    again = fetch(f"/v1/plans/{plan_id}/artifacts/002-2-screening.md", {"if-none-match": answer.headers["etag"]})
    assert (again.status, again.content) == (304, b"")


def test_3_what_a_model_wrote_does_not_run_in_a_browser(fakes: Fakes, plan_id: str) -> None:
    headers = fetch(f"/v1/plans/{plan_id}/artifacts/002-2-screening.md").headers
    assert headers["content-security-policy"] == "sandbox; default-src 'none'"
    assert headers["x-content-type-options"] == "nosniff"


def test_a_range_within_a_character_gives_just_those_bytes(fakes: Fakes, plan_id: str) -> None:
    put(fakes, plan_id, "002-2-screening.md", "café €5".encode())
    path = f"/v1/plans/{plan_id}/artifacts/002-2-screening.md"
    part = fetch(path, {"range": "bytes=4-7"})
    assert (part.status, part.content) == (206, "café €5".encode()[4:8])
    assert part.headers["content-range"] == "bytes 4-7/10"
    assert fetch(path, {"range": "bytes=-2"}).content == b"\xac5"
    behind = fetch(path, {"range": "bytes=10-"})
    assert (behind.status, json.loads(behind.content)["error"]["details"]) == (416, {"size": 10})
    stale = fetch(path, {"range": "bytes=0-1", "if-range": '"another"'})
    assert (stale.status, stale.content) == (200, "café €5".encode())
    fresh = fetch(path, {"range": "bytes=0-1", "if-range": part.headers["etag"]})
    assert (fresh.status, fresh.content) == (206, b"ca")


def test_11_2_one_call_gives_at_most_4_mib(fakes: Fakes, plan_id: str) -> None:
    put(fakes, plan_id, "002-2-screening.md", b"x" * (MOST_BYTES + 7))
    path = f"/v1/plans/{plan_id}/artifacts/002-2-screening.md"
    refused = http("GET", path)
    assert (refused.status, refused.body["error"]["code"]) == (413, "ARTIFACT_TOO_LARGE")
    first = fetch(path, {"range": "bytes=0-"})
    assert (first.status, len(first.content)) == (206, MOST_BYTES)
    assert first.headers["content-range"] == f"bytes 0-{MOST_BYTES - 1}/{MOST_BYTES + 7}"
    assert fetch(path, {"range": f"bytes={MOST_BYTES}-"}).content == b"x" * 7


@pytest.mark.parametrize(
    "path", ["../plan.json", "plan.json", "steps/001.json", "001-1-x/../../plan.json", "exports/a.zip", "", "001-..-a"]
)
def test_10_1_no_path_leads_out_of_the_artifacts(fakes: Fakes, plan_id: str, path: str) -> None:
    assert fakes.files.read(plan_id, "plan.json") is not None
    answer = tool("plan_artifact_read", plan_id=plan_id, path=path)
    assert (answer.body["error"]["code"], answer.is_error) == ("INVALID_ARGUMENT", True)
    for spelled in (path, path.replace("/", "%2F"), path.replace(".", "%2e")):
        got = fetch(f"/v1/plans/{plan_id}/artifacts/{spelled}")
        assert got.status in (404, 405, 422) or b"artifacts" in got.content, "no path lists, none reads"
        assert b"account" not in got.content


def test_a_text_is_read_in_parts_that_join_to_the_whole(fakes: Fakes, plan_id: str) -> None:
    whole = ("é€😀x" * 200).encode()
    put(fakes, plan_id, "002-2-screening.md", whole)
    joined, offset = "", 0
    while offset is not None:
        part = tool("plan_artifact_read", plan_id=plan_id, path="002-2-screening.md", offset=offset, limit=101).body
        assert part["offset"] == offset
        joined, offset = joined + part["text"], part["next_offset"]
    assert joined.encode() == whole
    assert (part["size"], part["sha256"]) == (len(whole), sha256_of(whole))
    beyond = tool("plan_artifact_read", plan_id=plan_id, path="002-2-screening.md", offset=len(whole) + 1)
    assert (beyond.body["error"]["code"], beyond.is_error) == ("INVALID_ARGUMENT", True)


@given(st.text(max_size=40), st.integers(0, 60), st.integers(4, 20))
def test_any_part_of_any_text_begins_and_ends_between_characters(text: str, offset: int, limit: int) -> None:
    content = text.encode("utf-8", "replace")
    offset = min(offset, len(content))
    chunk = content[offset : offset + limit]
    begin, shown, end = read_artifact._characters(chunk, last=offset + limit >= len(content))
    assert shown.encode() == chunk[begin:end]
    assert "\ufffd" not in shown or "\ufffd" in text
    assert end > 0 or not chunk


def test_9_2_a_file_that_is_gone_from_the_bucket_is_unavailable_and_not_empty(fakes: Fakes, plan_id: str) -> None:
    del fakes.files.contents[plan_id, "002-2-screening.md"]
    answer = tool("plan_artifact_read", plan_id=plan_id, path="002-2-screening.md")
    assert (answer.body["error"]["code"], answer.is_error) == ("content_unavailable", False)
    assert http("GET", f"/v1/plans/{plan_id}/artifacts/002-2-screening.md").status == 503


def test_appendix_b_an_export_holds_everything_with_its_hash(fakes: Fakes, plan_id: str) -> None:
    fakes.files.write(plan_id, "run.log", b"a line", "text/plain")
    answer = tool("plan_export", plan_id=plan_id).body
    assert answer["download_expires_at"] == "2026-11-02T10:00:00Z"
    (path,) = fakes.files.paths(plan_id, "exports/")
    archive = zipfile.ZipFile(io.BytesIO(fakes.files.read(plan_id, path)))
    manifest = json.loads(archive.read("manifest.json"))
    listed = {file["path"]: file["sha256"] for file in manifest["files"]}
    assert set(archive.namelist()) == {*listed, "manifest.json"}
    assert {name: sha256_of(archive.read(name)) for name in listed} == listed
    assert {"plan.json", "steps/001.json", "001-2-plan.txt", "002-2-screening.md", "run.log"} <= set(listed)
    assert tool("plan_export", plan_id=plan_id).body == answer, "the same files are zipped once"


def test_appendix_b_an_archived_plan_leaves_the_list_and_comes_back(fakes: Fakes, plan_id: str) -> None:
    archived = tool("plan_archive", plan_id=plan_id)
    assert (archived.body["archived"], archived.body["archived_at"]) == (True, "2026-11-02T09:00:00Z")
    assert tool("plan_archive", plan_id=plan_id).body == archived.body, "a repeat changes nothing"
    assert tool("plan_status", plan_id=plan_id).body["archived"] is True
    assert tool("plan_list").body["plans"] == []
    assert [plan["plan_id"] for plan in tool("plan_list", archived=True).body["plans"]] == [plan_id]
    assert http("GET", "/v1/plans", query={"archived": "true"}).body["plans"][0]["plan_id"] == plan_id
    assert tool("plan_status", plan_id=plan_id).body["state"] == "stopped", "it can still be read"
    kept = json.loads(fakes.files.read(plan_id, "plan.json"))
    assert kept["archived_at"] == "2026-11-02T09:00:00Z"
    back = http("POST", f"/v1/plans/{plan_id}/archive", {"archived": False}).body
    assert (back["archived"], back["archived_at"]) == (False, None)
    assert [plan["plan_id"] for plan in tool("plan_list").body["plans"]] == [plan_id]


@pytest.mark.parametrize("name", ["plan_archive", "plan_delete"])
def test_a_plan_that_is_going_must_be_stopped_first(fakes: Fakes, name: str) -> None:
    plan = begin(fakes)
    refused = tool(name, plan_id=plan.plan_id)
    assert (refused.body["error"]["code"], refused.is_error) == ("PLAN_ACTIVE", True)
    assert "plan_stop" in refused.body["error"]["message"]
    assert fakes.plans.get(plan.plan_id) == plan


def test_a_deleted_plan_is_gone_and_its_owner_is_told_why(fakes: Fakes, plan_id: str) -> None:
    answer = tool("plan_delete", plan_id=plan_id)
    assert answer.body["deleted"]
    assert "the id is never given again" in answer.body["message"]
    assert [key for key in fakes.files.contents if key[0] == plan_id] == []
    assert tool("plan_list").body["plans"] == []
    again = tool("plan_delete", plan_id=plan_id)
    assert (again.body["error"]["code"], "you deleted it" in again.body["error"]["message"]) == ("PLAN_NOT_FOUND", True)
    other = tool("plan_status", account="other", plan_id=plan_id)
    assert (other.body["error"]["code"], "deleted" in other.body["error"]["message"]) == ("PLAN_NOT_FOUND", False)


def test_what_a_late_worker_wrote_of_a_deleted_plan_is_erased_later(fakes: Fakes, plan_id: str) -> None:
    from planloom.planes.strategic.services.delete_plan import erase_deleted

    http("DELETE", f"/v1/plans/{plan_id}")
    fakes.files.write(plan_id, "013-2-repair.md", b"late", "text/markdown")
    assert erase_deleted(fakes.ports.plan_records, fakes.ports.shares) == []
    fakes.clock.pass_(hours=2)
    assert erase_deleted(fakes.ports.plan_records, fakes.ports.shares) == [plan_id]
    assert fakes.files.paths(plan_id) == []
    assert erase_deleted(fakes.ports.plan_records, fakes.ports.shares) == []


def test_a_crash_while_a_plan_is_deleted_is_healed(fakes: Fakes, plan_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from planloom.planes.strategic.services.delete_plan import erase_deleted

    def crash(_: str) -> None:
        raise ConnectionError

    with monkeypatch.context() as broken:
        broken.setattr(fakes.files, "remove_all", crash)
        assert tool("plan_delete", plan_id=plan_id).is_error
    assert tool("plan_status", plan_id=plan_id).body["error"]["code"] == "PLAN_NOT_FOUND"
    fakes.clock.pass_(hours=2)
    assert erase_deleted(fakes.ports.plan_records, fakes.ports.shares) == [plan_id]
    assert fakes.files.paths(plan_id) == []


def test_a_request_id_whose_plan_was_deleted_does_not_bring_it_back(fakes: Fakes) -> None:
    from planloom.core.errors import RequestConflict
    from planloom.planes.strategic.services.create_plan import create_plan

    plan = create_plan(fakes.ports.run_control, fakes.ports.models, "acme", PROMPT, client_request_id="r1")
    tool("plan_stop", plan_id=plan.plan_id)
    tool("plan_delete", plan_id=plan.plan_id)
    with pytest.raises(RequestConflict, match="was deleted"):
        create_plan(fakes.ports.run_control, fakes.ports.models, "acme", PROMPT, client_request_id="r1")
    assert fakes.files.paths(plan.plan_id) == []


def drafted(fakes: Fakes, prompt: str) -> str:
    plan = begin(fakes, prompt)
    work(fakes, plan, "start", "screening")
    deliver(fakes)
    return plan.plan_id


def test_two_plans_are_compared_section_by_section_prompt_first(fakes: Fakes) -> None:
    one = drafted(fakes, PROMPT)
    other = drafted(fakes, PROMPT.replace("€240,000", "€310,000"))
    found = http("GET", f"/v1/plans/{one}/diff/{other}").body
    assert (found["plan_id"], found["other_plan_id"], found["same"]) == (one, other, False)
    prompt = found["sections"][0]
    assert (prompt["title"], prompt["change"], prompt["lines_added"], prompt["lines_removed"]) == (
        "Prompt",
        "changed",
        1,
        1,
    )
    changed = [line for line in prompt["diff"].splitlines() if line[0] in "+-"][2:]
    assert [("€240,000" in line, "€310,000" in line) for line in changed] == [(True, False), (False, True)]
    assert found["sections"][-1]["title"] == "Screening"
    text = fetch(f"/v1/plans/{one}/diff/{other}", query={"format": "text"})
    assert text.headers["content-type"].startswith("text/plain")
    assert "## Prompt (changed, +1 -1)" in text.content.decode()


def test_a_plan_is_the_same_as_itself(fakes: Fakes) -> None:
    one = drafted(fakes, PROMPT)
    found = tool("plan_diff", plan_id=one, other_plan_id=one).body
    assert found["same"]
    assert {section["change"] for section in found["sections"]} == {"same"}


def test_a_section_that_only_one_plan_has_is_added_or_removed(fakes: Fakes) -> None:
    one, other = drafted(fakes, PROMPT), drafted(fakes, PROMPT)
    del fakes.plans.files[other]["002-2-screening.md"]
    (gone,) = tool("plan_diff", plan_id=one, other_plan_id=other, step="002").body["sections"]
    (new,) = tool("plan_diff", plan_id=other, other_plan_id=one, step="002-screening").body["sections"]
    lines = len(fakes.files.read(one, "002-2-screening.md").decode().splitlines())
    assert (gone["change"], gone["lines_added"], gone["lines_removed"]) == ("removed", 0, lines)
    assert (new["change"], new["lines_added"], new["lines_removed"]) == ("added", lines, 0)


def test_a_plan_of_another_account_is_not_compared_on_either_side(fakes: Fakes) -> None:
    mine, theirs = drafted(fakes, PROMPT), tool("plan_create", account="other", prompt=PROMPT).body["plan_id"]
    for pair in ((mine, theirs), (theirs, mine)):
        answer = tool("plan_diff", plan_id=pair[0], other_plan_id=pair[1])
        assert (answer.body["error"]["code"], answer.is_error) == ("PERMISSION_DENIED", True)
    unknown = tool("plan_diff", plan_id=mine, other_plan_id=str(uuid4()))
    assert unknown.body["error"]["code"] == "PLAN_NOT_FOUND"


def test_long_diffs_are_cut_and_say_so(fakes: Fakes) -> None:
    one, other = drafted(fakes, PROMPT), drafted(fakes, PROMPT)
    put(fakes, one, "002-2-screening.md", b"\n".join(b"one %d" % n for n in range(9000)))
    put(fakes, other, "002-2-screening.md", b"\n".join(b"two %d" % n for n in range(9000)))
    found = tool("plan_diff", plan_id=one, other_plan_id=other).body["sections"]
    cut = next(section for section in found if section["path"] == "002-2-screening.md")
    assert (cut["truncated"], cut["lines_added"], cut["lines_removed"]) == (True, 9000, 9000)
    assert sum(len(section["diff"]) for section in found) <= 40_000
    assert http("GET", f"/v1/plans/{one}/diff/{other}").body["sections"][-1]["truncated"]


def test_a_step_alone_is_shown_uncut(fakes: Fakes) -> None:
    one, other = drafted(fakes, PROMPT), drafted(fakes, PROMPT)
    put(fakes, one, "002-2-screening.md", b"\n".join(b"one %d" % n for n in range(9000)))
    put(fakes, other, "002-2-screening.md", b"\n".join(b"two %d" % n for n in range(9000)))
    (alone,) = tool("plan_diff", plan_id=one, other_plan_id=other, step="002").body["sections"]
    assert (alone["truncated"], alone["diff"].splitlines()[-1]) == (False, "+two 8999")
    (same,) = http("GET", f"/v1/plans/{one}/diff/{other}", query={"step": "002-screening"}).body["sections"]
    assert same == alone


def test_a_step_alone_that_no_answer_holds_is_refused_with_what_to_do(fakes: Fakes) -> None:
    one, other = drafted(fakes, PROMPT), drafted(fakes, PROMPT)
    put(fakes, one, "002-2-screening.md", b"one" * 100_000)
    put(fakes, other, "002-2-screening.md", b"two" * 100_000)
    answer = tool("plan_diff", plan_id=one, other_plan_id=other, step="002")
    assert (answer.body["error"]["code"], answer.is_error) == ("ARTIFACT_TOO_LARGE", True)
    assert "plan_artifact_read" in answer.body["error"]["message"]
    assert http("GET", f"/v1/plans/{one}/diff/{other}", query={"step": "002"}).status == 413


@pytest.mark.parametrize("step", ["099", "002-screenings", "030", "030-report"])
def test_a_step_without_a_section_is_not_said_to_be_the_same(fakes: Fakes, step: str) -> None:
    one, other = drafted(fakes, PROMPT), drafted(fakes, PROMPT)
    answer = tool("plan_diff", plan_id=one, other_plan_id=other, step=step)
    assert (answer.body["error"]["code"], answer.is_error) == ("INVALID_ARGUMENT", True)
    assert f"'{step}'. Name a step as 016 or 016-expert_criticism" in answer.body["error"]["message"]
    assert http("GET", f"/v1/plans/{one}/diff/{other}", query={"step": step}).status == 422


def test_9_3_the_report_of_a_stopped_plan_is_not_ready_since_a_resume_may_make_it(fakes: Fakes, plan_id: str) -> None:
    answer = tool("plan_file_info", plan_id=plan_id)
    assert (answer.body, answer.is_error) == ({}, False)
    assert http("GET", f"/v1/plans/{plan_id}/files/report").status == 204
    assert "download_url" in tool("plan_file_info", plan_id=plan_id, artifact="zip").body


def test_every_link_is_minted_again(fakes: Fakes) -> None:
    plan = begin(fakes)
    work(fakes, plan, *in_order())
    end_run(fakes.ports.run_control, plan.plan_id, 1, "SUCCEEDED")
    first = tool("plan_file_info", plan_id=plan.plan_id).body["download_expires_at"]
    fakes.clock.pass_(minutes=30)
    assert (first, tool("plan_file_info", plan_id=plan.plan_id).body["download_expires_at"]) == (
        "2026-11-02T10:00:00Z",
        "2026-11-02T10:30:00Z",
    )
