"""Programs over MCP and over HTTP alike: the same handles, tokens, lines, results and refusals."""

import re
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from planloom.planes.programs.reference_card import prompt_hash
from planloom.planes.programs.sources import SourceFailed
from planloom.planes.programs.verdict import Policy
from tests.unit.api.calling import http, rpc, stream
from tests.unit.operations.conftest import MCP, OverHttp, OverMcp
from tests.unit.operations.fakes import Bench

Surface = OverMcp | OverHttp
LONG = "Run.filter{state = failed}[id].sort(id)"


def session_of(bench: Bench, surface: Surface) -> str:
    """Return the name of the session that a surface uses."""
    return "s0" if isinstance(surface, OverMcp) else surface.path().rpartition("/")[2]


def fence(found: dict[str, Any]) -> str:
    matched = re.search(r"```text\n(.*)\n```", found["run_markdown"])
    assert matched, found
    return matched[1]


def test_a_dry_run_mints_a_plan_commit_ref_and_says_what_needs_a_review(surface: Surface, bench: Bench) -> None:
    found = surface.run("Plan.stop(p001)", mode="plan")
    assert found["_meta"]["plasm"] == {
        "dry_verdict": "review",
        "dry_review": ["Plan.stop destroys data."],
        "plan_commit_ref": "pc0",
    }
    assert (found["verdict"], found["plan_commit_ref"], found["changes"]) == ("review", "pc0", ["Plan.stop (destroys)"])
    assert bench.lists.asked == []


def test_the_same_program_has_the_same_id_on_both_surfaces(bench: Bench) -> None:
    surfaces: list[Surface] = [OverMcp(), OverHttp(True), OverHttp(False)]
    spelled = ["x = Plan[id]\nx", "y=Plan[id]; y", "Plan[ id ]"]
    found = [surface.run(text, mode="plan") for surface, text in zip(surfaces, spelled, strict=True)]
    assert len({each["commit_id"] for each in found}) == 1
    assert [each["plan_commit_ref"] for each in found] == ["pc0"] * 3


def test_a_plan_commit_of_one_surface_is_accepted_on_the_other(bench: Bench) -> None:
    bench.work_at_once()
    card = rpc("resources/read", {"uri": "plasm://reference"}, "ann", MCP)["contents"][0]["text"]
    path = f"/execute/{prompt_hash(card)}/s0"
    first = OverMcp().run("x = Plan.stop(p001)\nx", mode="plan")
    # the count of dry runs differs, the program is the same
    second = http("POST", path, b"Plan.stop( p001 )", "ann", {"mode": "plan"}).body
    assert (first["plan_commit_ref"], second["plan_commit_ref"]) == ("pc0", "pc1")
    assert first["commit_id"] == second["commit_id"]
    over_http = http("POST", path, {"program": "y = Plan.stop(p001); y", "plan_commit_ref": "pc0"}, "ann")
    assert fence(over_http.body) == "`s0_o1` ! 1r"
    assert fence(OverMcp().run("Plan.stop(p001)", plan_commit_ref="pc1")) == "`s0_o2` ! 1r"


def test_plasm_run_with_mode_plan_is_a_dry_run(bench: Bench) -> None:
    called = {"name": "plasm_run", "arguments": {"program": "Plan.stop(p001)", "mode": "plan"}}
    found = rpc("tools/call", called, "ann", MCP)
    assert found["_meta"]["plasm"]["plan_commit_ref"] == found["structuredContent"]["plan_commit_ref"] == "pc0"
    assert bench.lists.asked == []


def test_a_plan_commit_expires_after_ten_minutes(surface: Surface, bench: Bench) -> None:
    ref = surface.run("Plan.stop(p001)", mode="plan")["plan_commit_ref"]
    bench.clock.ahead += timedelta(seconds=600)
    refused = surface.run("Plan.stop(p001)", plan_commit_ref=ref)
    assert (refused["code"], refused["status"]) in (("plan_commit_expired", 0), ("plan_commit_expired", 410))
    assert "Dry-run the program again" in refused["detail"]


def test_deny_and_needs_fix_are_refused_whatever_is_passed(surface: Surface, bench: Bench) -> None:
    bench.policy = Policy(deny=("Plan.stop",))
    for program, code, status in (("Plan.stop(p001)", "program_denied", 403), ("Plam", "program_needs_fix", 422)):
        assert surface.run(program, mode="plan")["plan_commit_ref"] == ""
        refused = surface.run(program, force=True)
        assert (refused["code"], refused["status"]) in ((code, 0), (code, status))
    assert bench.lists.asked == []


def test_a_refusal_and_an_accept_call_no_backend(surface: Surface, bench: Bench) -> None:
    # so that neither takes longer than its 2 s and 1 s, however slow a backend is
    bench.lists.failing = dict.fromkeys(("plan_stop", "run_list"), SourceFailed("Nobody answers."))
    assert surface.run("Plan.stop(p001)")["code"] == "plan_requires_review"
    assert surface.run(LONG, force=True)["operation"]
    assert surface.run("Plan[id]", wait=False)["operation"]
    assert bench.lists.asked == []


def test_review_is_blocked_without_a_matching_plan_commit_or_force(surface: Surface, bench: Bench) -> None:
    bench.work_at_once()
    refused = surface.run("Plan.stop(p001)")
    assert (refused["code"], refused["status"]) in (("plan_requires_review", 0), ("plan_requires_review", 400))
    assert refused["_meta"]["plasm"] == {"code": "plan_requires_review", "dry_verdict": "review"}
    ref = surface.run("Plan.stop(p001)", mode="plan")["plan_commit_ref"]
    assert surface.run("Plan.stop(p002)", plan_commit_ref=ref)["code"] == "plan_commit_mismatch"
    assert fence(surface.run("Plan.stop(p001)", plan_commit_ref=ref)) == "`s0_o1` ! 1r"
    assert fence(surface.run("Plan.stop(p002)", force=True)) == "`s0_o2` ! 1r"


def test_a_bounded_ok_program_is_answered_at_once(surface: Surface, bench: Bench) -> None:
    found = surface.run("Plan[id, title].limit(2)")
    assert found["run_markdown"] == "| id | title |\n|---|---|\n| p000 | P000 |\n| p001 | P001 |"
    assert (found["operation"], found["handle"]) == (False, "")
    rows = [{"id": "p000", "title": "P000"}, {"id": "p001", "title": "P001"}]
    assert found["results"] == [{"name": "", "rows": rows, "total": 2, "page": ""}]
    assert found["_meta"]["plasm"] == {"continuity": {"p": "succeeded"}, "dry_verdict": "ok", "dry_review": []}


def test_wait_false_and_force_accept_an_operation_that_is_polled_to_its_result(surface: Surface, bench: Bench) -> None:
    accepted = surface.run(LONG, wait=False, force=True)
    assert (accepted["operation"], fence(accepted)) == (True, "`s0_o1` + pc0 review")
    plasm = accepted["_meta"]["plasm"]
    assert (plasm["continuity"], plasm["op"]) == ({"p": "running", "h": "s0_o1"}, {"n": 1, "+": 1, "c": "pc0"})
    polled = surface.run("wait(s0_o1)")
    assert fence(polled) == "`s0_o1` = 1/4 read Run"
    bench.work("s0_o1", name=session_of(bench, surface))
    ended = surface.run("wait(s0_o1)")
    assert (fence(ended), ended["_meta"]["plasm"]["continuity"]) == ("`s0_o1` ! 45r", {"p": "succeeded", "h": "s0_o1"})
    whole = surface.whole(ended["resource"])
    assert [len(each["rows"]) for each in whole["nodes"] if each["returned"]] == [45]
    page = surface.run(f"page({ended['results'][0]['page']})")
    assert [row["id"] for row in page["results"][0]["rows"]] == [f"r{number:03}" for number in range(25, 45)]


def test_an_expensive_program_is_asynchronous_unless_the_caller_waits(surface: Surface, bench: Bench) -> None:
    assert surface.run(LONG, force=True)["_meta"]["plasm"]["auto_async"] is True
    found = surface.run(LONG, force=True, wait=True)
    assert (found["operation"], found["results"][0]["total"]) == (False, 45)
    assert len(surface.whole(found["resource"])["returns"][0]["rows"]) == 45


def test_an_advisory_review_alone_stays_synchronous(surface: Surface, bench: Bench) -> None:
    found = surface.run('x = Plan("p000")\nPlan("p001")[id]', force=True)
    assert (found["operation"], found["results"][0]["rows"]) == (False, [{"id": "p001"}])
    assert found["_meta"]["plasm"]["dry_verdict"] == "review"


def test_wait_false_accepts_a_bounded_ok_program_too(surface: Surface, bench: Bench) -> None:
    accepted = surface.run("Plan[id].limit(2)", wait=False)
    assert (accepted["operation"], fence(accepted)) == (True, "`s0_o1` + pc0 ok")
    assert accepted["_meta"]["plasm"]["auto_async"] is False


def test_an_accept_says_how_to_continue_and_no_poll_repeats_it(surface: Surface, bench: Bench) -> None:
    accepted = surface.run(LONG, wait=False, force=True)["run_markdown"]
    assert ("wait(s0_o1)" in accepted, "cancel(s0_o1)" in accepted) == (True, True)
    polls = [surface.run("wait(s0_o1)") for _ in range(3)]
    assert {each["run_markdown"] for each in polls} == {"```text\n`s0_o1` = 1/4 read Run\n```"}
    numbers = [each["_meta"]["plasm"]["op"]["n"] for each in polls]
    assert numbers == sorted(set(numbers))


def test_a_failed_operation_is_operation_failed_with_its_message(surface: Surface, bench: Bench) -> None:
    bench.lists.failing["run_list"] = SourceFailed("The disk is broken.", code="broken")
    surface.run(LONG, wait=False, force=True)
    bench.work("s0_o1", name=session_of(bench, surface))
    ended = surface.run("wait(s0_o1)")
    assert fence(ended).startswith("`s0_o1` ? ")
    assert "The disk is broken." in ended["run_markdown"]
    plasm = ended["_meta"]["plasm"]
    assert (plasm["code"], plasm["continuity"]) == ("operation_failed", {"p": "failed", "h": "s0_o1"})


def test_a_result_that_is_not_kept_any_more_is_said_to_be_unavailable(surface: Surface, bench: Bench) -> None:
    operations = replace(bench.programs.operations, most_ended=1)
    bench.programs = replace(bench.programs, operations=operations)
    for number in (1, 2, 3):
        surface.run("Plan[id]", wait=False)
        bench.work(f"s0_o{number}", name=session_of(bench, surface))
    code = "operation_result_unavailable"
    refused = surface.run("wait(s0_o1)")
    assert (refused["code"], refused["status"]) in ((code, 0), (code, 410))
    assert fence(surface.run("wait(s0_o3)")) == "`s0_o3` ! 25r"


def test_an_unknown_handle_is_answered_with_up_to_8_open_ones(surface: Surface, bench: Bench) -> None:
    for _ in range(9):
        surface.run(LONG, wait=False, force=True)
    said = surface.run("wait(s0_o70)")["detail"]
    assert re.findall(r"s0_o\d+", said)[1:] == [f"s0_o{number}" for number in range(1, 9)]


def test_a_page_can_be_dry_run_and_a_page_of_a_page_follows(surface: Surface, bench: Bench) -> None:
    handle = surface.run("Plan[id]")["results"][0]["page"]
    assert surface.run(f"page({handle})", mode="plan")["verdict"] == "ok"
    second = surface.run(f"page({handle})")["results"][0]
    assert (len(second["rows"]), second["page"]) == (25, "s0_pg2")
    third = surface.run("page(s0_pg2)")["results"][0]
    assert (len(third["rows"]), third["page"]) == (10, "")
    # a page can be read again
    assert surface.run(f"page({handle})")["results"][0]["rows"] == second["rows"]


def test_cancel_answers_cancelled_twice_and_leaves_a_snapshot(surface: Surface, bench: Bench) -> None:
    surface.run(LONG, wait=False, force=True)
    found = [surface.run("cancel(s0_o1)") for _ in range(2)]
    assert [fence(each) for each in found] == ["`s0_o1` x"] * 2
    assert [each["_meta"]["plasm"]["continuity"] for each in found] == [{"p": "cancelled", "h": "s0_o1"}] * 2
    assert surface.whole(found[0]["resource"])["state"] == "stopped"


@pytest.mark.parametrize(
    ("program", "asked", "code", "status"),
    [
        ("Plan[", {}, "invalid_program", 422),
        ("Plam", {}, "program_needs_fix", 422),
        ("wait(s0_o9)", {}, "unknown_operation_handle", 404),
        ("cancel(o9)", {}, "invalid_handle", 400),
        ("wait(s7_o9)", {}, "invalid_handle", 400),
        ("wait(s0_o9)", {"mode": "plan"}, "continuation_in_dry_run", 400),
        ("Plan.limit(2)", {"plan_commit_ref": "pc9"}, "unknown_plan_commit_ref", 404),
        ("page(s0_pg9)", {}, "operation_failed", 422),
    ],
)
def test_refusals_have_their_codes(
    surface: Surface, program: str, asked: dict[str, Any], code: str, status: int
) -> None:
    found = surface.run(program, **asked)
    assert (found["code"], found["status"]) in ((code, 0), (code, status))
    assert found["_meta"]["plasm"]["code"] == code


def test_problem_documents_have_the_fields_of_rfc_9457(bench: Bench) -> None:
    found = OverHttp(False).run("Plan[id].limit(x)")
    assert (
        found.items()
        >= {
            "type": "urn:planloom:invalid_program",
            "title": "Invalid program",
            "status": 422,
            "code": "invalid_program",
            "line": 1,
        }.items()
    )
    assert found["detail"].startswith("Line 1, column ")


def test_too_many_operations_name_the_count_and_the_handles(surface: Surface, bench: Bench) -> None:
    for _ in range(16):
        surface.run(LONG, wait=False, force=True)
    found = surface.run(LONG, wait=False, force=True)
    assert (found["code"], "(16/16)" in found["detail"], "s0_o16" in found["detail"]) == (
        "too_many_operations",
        True,
        True,
    )


def test_a_session_over_http_is_opened_with_its_card_and_belongs_to_its_account(bench: Bench) -> None:
    opened = http("POST", "/execute", {"ask": "which runs failed"}, "ann")
    body = opened.body
    assert opened.status == 303
    assert opened.headers["location"] == f"execute/{body['prompt_hash']}/{body['session']}"
    assert body["prompt_hash"] == prompt_hash(body["card"])
    path = f"/{opened.headers['location']}"
    assert http("GET", path, account="ann").body["session"] == body["session"]
    for wrong, account in ((path, "bob"), (path.replace(body["prompt_hash"], "0" * 64), "ann"), (path + "1", "ann")):
        found = http("POST", wrong, {"program": "Plan.limit(1)"}, account)
        assert (found.status, found.body["code"]) == (404, "unknown_session"), wrong
    assert http("POST", "/execute/x/y", {"program": "Plan"}, "ann").body["code"] == "INVALID_ARGUMENT"
    assert http("POST", path, {"program": "Plan"}, None).status == 403


def test_s0_of_mcp_is_reached_over_http_too(bench: Bench) -> None:
    OverMcp().run(LONG, wait=False, force=True)
    card = rpc("resources/read", {"uri": "plasm://reference"}, "ann", MCP)["contents"][0]["text"]
    found = http("POST", f"/execute/{prompt_hash(card)}/s0", b"cancel(s0_o1)", "ann")
    assert fence(found.body) == "`s0_o1` x"


def test_plasm_context_opens_a_session_whose_handles_have_its_name(bench: Bench) -> None:
    opened = rpc("tools/call", {"name": "plasm_context", "arguments": {"ask": "plans"}}, "ann", MCP)
    found = opened["structuredContent"]
    assert (found["session"], found["prompt_hash"]) == ("s1", prompt_hash(found["card"]))
    assert OverMcp().run(LONG, wait=False, force=True, session="s1")["handle"] == "s1_o1"
    assert OverMcp().run("wait(s1_o1)")["code"] == "invalid_handle"
    assert OverMcp().run("wait(s1_o1)", session="s1")["operation"]


def test_the_mcp_endpoint_lists_its_tools_and_resources(bench: Bench) -> None:
    tools = {each["name"]: each for each in rpc("tools/list", None, "ann", MCP)["tools"]}
    assert {"plasm", "plasm_run", "plasm_context"} <= tools.keys()
    assert tools["plasm"]["annotations"]["readOnlyHint"]
    listed = [each["uri"] for each in rpc("resources/list", None, "ann", MCP)["resources"]]
    assert listed == ["plasm://reference", "plasm://entities"]
    entities = OverMcp().whole("plasm://entities")
    assert [each["name"] for each in entities] == ["Plan", "Run", "Event"]
    assert OverMcp().whole("plasm://entities/Run") == entities[1]
    assert "resources/templates/list" in str(rpc("resources/read", {"uri": "plasm://nothing/x"}, "ann", MCP))


def test_another_account_reads_no_resource_of_a_session(bench: Bench) -> None:
    found = OverMcp().run(LONG, force=True, wait=True)
    OverMcp().run(LONG, force=True, wait=False)
    for uri in (found["resource"], "plasm://s0/operations/s0_o1"):
        assert OverMcp().whole(uri)
        assert "error" in rpc("resources/read", {"uri": uri}, "bob", MCP)


def events(text: str) -> list[tuple[str, str, str]]:
    """Return the events of a stream: name, id and data."""
    return re.findall(r"event: (\w+)\nid: (\w+)\nn: \d+\ndata: (.*)\n\n", text)


def test_a_stream_has_the_line_as_it_is_then_progress_then_the_end(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    surface = OverHttp(True)
    surface.run(LONG, wait=False, force=True)
    session = session_of(bench, surface)
    path = f"{surface.path()}/operations/s0_o1/stream"
    first = stream(path, "ann")
    assert (first.status, first.headers["content-type"].split(";")[0]) == (200, "text/event-stream")
    assert events(first.body) == [("snapshot", "0", "`s0_o1` ~ 1/4 read Run")]
    known = bench.store.operation("ann", session, 1)
    assert known
    for rows in (10, 42):
        bench.store.report("ann", session, 1, known.progress.model_copy(update={"rows": rows}))
    # a slow reader gets the newest line
    second = stream(path, "ann", last_event_id="0")
    assert events(second.body) == [("progress", "2", "`s0_o1` ~ 1/4 read Run 42r")]
    monkeypatch.setattr("planloom.api.execute_http.LONGEST_WAIT", 0.0)
    assert ": keep-alive" in stream(path, "ann", last_event_id="2").body
    bench.work("s0_o1", name=session)
    last = stream(path, "ann", last_event_id="2")
    assert events(last.body) == [("terminal", "end", "`s0_o1` ! 45r")]
    assert stream(path, "ann", last_event_id="end").status == 204
    both = events(stream(path, "ann").body)
    assert [name for name, _, _ in both] == ["snapshot", "terminal"]
    assert stream(path, "bob").status == 404


@pytest.mark.parametrize("end", ["x", "?"])
def test_a_stream_ends_with_the_line_of_a_cancelled_or_failed_operation(bench: Bench, end: str) -> None:
    surface = OverHttp(True)
    bench.lists.failing["run_list"] = SourceFailed("The disk is broken.", code="broken")
    surface.run(LONG, wait=False, force=True)
    if end == "x":
        surface.run("cancel(s0_o1)")
    else:
        bench.work("s0_o1", name=session_of(bench, surface))
    found = events(stream(f"{surface.path()}/operations/s0_o1/stream", "ann").body)
    assert [name for name, _, _ in found] == ["snapshot", "terminal"]
    assert found[1][2].startswith(f"`s0_o1` {end}")
