"""Watching a plan: events as JSON and as a stream, waiting, the log and the graph, over HTTP and MCP."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from planloom import wiring
from planloom.accounts.tickets import key_of_ticket
from planloom.planes.strategic.plans import Failure
from planloom.planes.strategic.services.end_run import end_plan
from planloom.planes.strategic.services.follow_events import Followed, follow_events
from planloom.planes.strategic.watch_settings import WatchSettings
from tests.fake_ports import PROMPT, Fakes
from tests.unit.api.calling import Answer, http, stream, tool
from tests.unit.strategic.services.walk import deliver, work

FAILURE = Failure(
    failure_reason="generation_error",
    failed_step="013-repair",
    message="The model said: the budget is €240,000, of which nothing is left.",
    recoverable=True,
)


@pytest.fixture
def plan_id(fakes: Fakes) -> str:
    """A plan that has begun."""
    made = str(http("POST", "/v1/plans", {"prompt": PROMPT}).body["plan_id"])
    work(fakes, fakes.plans.plans[made], "start")
    deliver(fakes)
    return made


def sent(answer: Answer) -> list[dict[str, Any]]:
    """Return the data of a stream's events, each of which must carry its cursor as id."""
    found = []
    for block in str(answer.body).strip().split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
        if "data" in fields:
            data = json.loads(fields["data"])
            assert fields["id"] == str(data["cursor"])
            found.append(data)
    return found


def while_asleep(fakes: Fakes, monkeypatch: pytest.MonkeyPatch, act: Callable[[int], object], **watching: Any) -> None:
    """Let *act* happen at each pause of a call that waits; it gets the number of pauses before."""
    pauses = 0

    def sleep(seconds: float) -> None:
        nonlocal pauses
        fakes.clock.pass_(seconds=seconds)
        act(pauses)
        pauses += 1

    ports = replace(fakes.ports, sleep=sleep, watch_settings=WatchSettings(**watching))
    monkeypatch.setattr(wiring, "ports", lambda: ports)


def fail(fakes: Fakes, plan_id: str) -> None:
    end_plan(fakes.ports.run_control, fakes.plans.plans[plan_id], "failed", FAILURE)


def test_4_1_events_come_in_pages_that_join(fakes: Fakes, plan_id: str) -> None:
    whole = http("GET", f"/v1/plans/{plan_id}/events").body
    first = http("GET", f"/v1/plans/{plan_id}/events", query={"limit": "2"}).body
    rest = http("GET", f"/v1/plans/{plan_id}/events", query={"after": str(first["next_cursor"])}).body
    assert first["events"] + rest["events"] == whole["events"]
    assert {frozenset(event) for event in whole["events"]} == {frozenset({"cursor", "ts", "type", "data"})}
    cursors = [event["cursor"] for event in whole["events"]]
    assert cursors == sorted(set(cursors))
    assert whole["events"][0]["data"] == {"run": 1, "state": "pending"}
    assert {"state_changed", "stage_started", "artifact_written", "stage_finished", "progress_updated"} <= {
        event["type"] for event in whole["events"]
    }


def test_after_the_last_event_comes_nothing_and_the_cursor_stays(fakes: Fakes, plan_id: str) -> None:
    last = http("GET", f"/v1/plans/{plan_id}/events").body["next_cursor"]
    assert http("GET", f"/v1/plans/{plan_id}/events", query={"after": str(last)}).body == {
        "events": [],
        "next_cursor": last,
    }


@pytest.mark.parametrize(
    "query", [{"after": "-1"}, {"after": "x"}, {"after": "9" * 13}, {"limit": "0"}, {"limit": "501"}]
)
def test_cursors_and_limits_that_do_not_fit_are_refused(fakes: Fakes, plan_id: str, query: dict[str, str]) -> None:
    assert http("GET", f"/v1/plans/{plan_id}/events", query=query).status == 422


def test_a_stream_answers_at_once_where_something_is_there(fakes: Fakes, plan_id: str) -> None:
    begun = fakes.clock()
    answer = stream(f"/v1/plans/{plan_id}/events")
    assert (answer.status, fakes.clock()) == (200, begun)
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert str(answer.body).startswith("retry: 250\n\n")
    assert sent(answer) == http("GET", f"/v1/plans/{plan_id}/events").body["events"]


def test_a_stream_goes_on_from_the_last_event_that_the_browser_saw(fakes: Fakes, plan_id: str) -> None:
    whole = sent(stream(f"/v1/plans/{plan_id}/events"))
    again = sent(stream(f"/v1/plans/{plan_id}/events", query={"after": "1"}, last_event_id=str(whole[2]["cursor"])))
    assert again == whole[3:]


@pytest.mark.parametrize("nonsense", ["", "x", "-1", "1e3", "9" * 5000])
def test_a_last_event_id_that_is_none_is_ignored(fakes: Fakes, plan_id: str, nonsense: str) -> None:
    assert len(sent(stream(f"/v1/plans/{plan_id}/events", last_event_id=nonsense))) > 3


def test_a_stream_is_held_until_something_comes(fakes: Fakes, plan_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    last = http("GET", f"/v1/plans/{plan_id}/events").body["next_cursor"]

    def act(pauses: int) -> None:
        if pauses == 3:
            work(fakes, fakes.plans.plans[plan_id], "screening")
            deliver(fakes)

    while_asleep(fakes, monkeypatch, act)
    begun = fakes.clock()
    found = sent(stream(f"/v1/plans/{plan_id}/events", query={"after": str(last)}))
    assert [event["type"] for event in found][:2] == ["stage_started", "stage_finished"]
    assert (fakes.clock() - begun).total_seconds() == 2.0


def test_a_stream_is_held_for_twenty_seconds_at_most(fakes: Fakes, plan_id: str) -> None:
    last = http("GET", f"/v1/plans/{plan_id}/events").body["next_cursor"]
    begun = fakes.clock()
    answer = stream(f"/v1/plans/{plan_id}/events", query={"after": str(last)})
    assert (answer.status, answer.body) == (200, "retry: 250\n\n: nothing yet\n\n")
    assert (fakes.clock() - begun).total_seconds() == 20.0


def test_a_browser_is_told_to_stop_once_everything_has_been_told(fakes: Fakes, plan_id: str) -> None:
    fail(fakes, plan_id)
    deliver(fakes)
    last = http("GET", f"/v1/plans/{plan_id}/events").body["next_cursor"]
    begun = fakes.clock()
    assert stream(f"/v1/plans/{plan_id}/events", query={"after": str(last)}).status == 200
    assert (fakes.clock() - begun).total_seconds() == 10.0
    assert stream(f"/v1/plans/{plan_id}/events", query={"after": str(last)}).status == 204
    assert stream(f"/v1/plans/{plan_id}/events", query={"after": "1"}).status == 200


def test_whoever_finds_no_seat_is_answered_at_once_and_told_to_come_back_later(
    fakes: Fakes, plan_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    last = http("GET", f"/v1/plans/{plan_id}/events").body["next_cursor"]
    crowd: list[Followed] = []

    def act(pauses: int) -> None:
        if pauses == 0:
            crowd.append(
                follow_events(
                    wiring.ports().plan_records,
                    wiring.ports().log,
                    wiring.ports().long_poll,
                    wiring.ports().watch_settings,
                    "acme",
                    plan_id,
                    last,
                )
            )

    while_asleep(fakes, monkeypatch, act, holds=1)
    held = stream(f"/v1/plans/{plan_id}/events", query={"after": str(last)})
    assert held.body == "retry: 250\n\n: nothing yet\n\n"
    assert crowd == [Followed(events=(), over=False, retry_ms=3000)]


def test_a_ticket_is_of_the_key_and_the_plan_and_lives_a_minute(fakes: Fakes, plan_id: str) -> None:
    answer = http("POST", f"/v1/plans/{plan_id}/events/ticket")
    assert answer.status == 200
    assert answer.body["expires_at"] == "2026-11-02T09:01:00Z"
    secret = wiring.request_state_key()
    assert key_of_ticket(secret, answer.body["ticket"], plan_id, fakes.clock()) == "key of acme"


def test_nobody_follows_the_stream_of_anothers_plan(fakes: Fakes, plan_id: str) -> None:
    assert stream(f"/v1/plans/{plan_id}/events", account="other").status == 403


def test_17_2_plan_wait_returns_as_soon_as_the_plan_has_ended(
    fakes: Fakes, plan_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    while_asleep(fakes, monkeypatch, lambda pauses: fail(fakes, plan_id) if pauses == 4 else None)
    begun = fakes.clock()
    answer = tool("plan_wait", plan_id=plan_id, poll_interval_sec=2)
    assert (fakes.clock() - begun).total_seconds() == 10.0
    assert (answer.body["state"], answer.body["timed_out"], answer.is_error) == ("failed", False, False)
    assert answer.body["next_steps"][0] == "Call plan_resume to continue from 013-repair."
    assert answer.body["error"]["failure_reason"] == "generation_error"


@pytest.mark.parametrize("timeout", [0, 3, 20, 600])
def test_17_2_plan_wait_is_bounded_whatever_is_asked_for(fakes: Fakes, plan_id: str, timeout: float) -> None:
    begun = fakes.clock()
    answer = http("GET", f"/v1/plans/{plan_id}/wait", query={"timeout_sec": str(timeout)})
    assert (fakes.clock() - begun).total_seconds() == min(timeout, 20)
    assert (answer.body["state"], answer.body["timed_out"]) == ("processing", True)
    assert answer.body["poll_after_sec"] == 5
    assert answer.body["next_steps"] == ["Call plan_wait again, or plan_status in 5 seconds."]


def test_17_2_plan_wait_that_finds_no_seat_sends_to_plan_status_and_claims_no_timeout(
    fakes: Fakes, plan_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wiring, "ports", lambda: replace(fakes.ports, watch_settings=WatchSettings(holds=1)))
    begun = fakes.clock()
    seat = fakes.ports.slots.take(1, begun, begun + timedelta(seconds=20))
    for answer in (tool("plan_wait", plan_id=plan_id), http("GET", f"/v1/plans/{plan_id}/wait")):
        assert (answer.body["state"], answer.body["timed_out"]) == ("processing", False)
        assert answer.body["next_steps"] == ["Too many calls are waiting just now: call plan_status in 5 seconds."]
    assert fakes.clock() == begun
    assert seat is not None
    fakes.ports.slots.release(seat, begun + timedelta(seconds=20))
    assert http("GET", f"/v1/plans/{plan_id}/wait").body["timed_out"] is True


def test_17_2_plan_wait_answers_all_that_plan_status_does(fakes: Fakes, plan_id: str) -> None:
    status = http("GET", f"/v1/plans/{plan_id}").body
    waited = http("GET", f"/v1/plans/{plan_id}/wait", query={"timeout_sec": "0"}).body
    assert set(waited) == set(status) | {"timed_out", "next_steps"}


@pytest.mark.parametrize(
    ("state", "failure", "first"),
    [
        ("completed", None, "Call plan_file_info"),
        ("stopped", None, "Call plan_resume"),
        ("failed", FAILURE, "Call plan_resume to continue from 013-repair."),
        ("failed", FAILURE.model_copy(update={"recoverable": False}), "Call plan_retry"),
        ("failed", FAILURE.model_copy(update={"failure_reason": "version_mismatch"}), "Call plan_retry"),
    ],
)
def test_6_3_next_steps_fit_how_the_plan_ended(
    fakes: Fakes, plan_id: str, state: Any, failure: Failure | None, first: str
) -> None:
    end_plan(fakes.ports.run_control, fakes.plans.plans[plan_id], state, failure)
    assert tool("plan_wait", plan_id=plan_id).body["next_steps"][0].startswith(first)


def test_6_3_a_plan_that_does_not_move_is_stalled_until_it_moves(fakes: Fakes, plan_id: str) -> None:
    fakes.clock.pass_(minutes=10)
    assert http("GET", f"/v1/plans/{plan_id}").body["stalled"] is False
    fakes.clock.pass_(seconds=1)
    assert http("GET", f"/v1/plans/{plan_id}").body["stalled"] is True
    assert "plan_logs_tail" in tool("plan_wait", plan_id=plan_id, timeout_sec=0).body["next_steps"][1]
    work(fakes, fakes.plans.plans[plan_id], "screening")
    deliver(fakes)
    assert http("GET", f"/v1/plans/{plan_id}").body["stalled"] is False
    fakes.clock.pass_(minutes=11)
    fail(fakes, plan_id)
    assert http("GET", f"/v1/plans/{plan_id}").body["stalled"] is False


def test_a_plan_that_waits_its_turn_says_its_place_over_both_mouths(
    fakes: Fakes, plan_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ports = replace(fakes.ports, watch_settings=WatchSettings(runs_at_once=1))
    monkeypatch.setattr(wiring, "ports", lambda: ports)
    _, first, second = (http("POST", "/v1/plans", {"prompt": PROMPT}).body["plan_id"] for _ in range(3))
    assert http("GET", f"/v1/plans/{first}").body["queue_position"] == 1
    found = tool("plan_wait", plan_id=second, timeout_sec=0).body
    assert found["queue_position"] == 2
    assert any("position 2" in step for step in found["next_steps"])
    assert tool("plan_status", plan_id=plan_id).body["queue_position"] is None


def test_17_3_the_latest_plan_is_the_callers_own(fakes: Fakes) -> None:
    answer = tool("plan_get_latest")
    assert (answer.is_error, answer.body["error"]["code"]) == (True, "PLAN_NOT_FOUND")
    older = http("POST", "/v1/plans", {"prompt": PROMPT}).body["plan_id"]
    fakes.clock.pass_(seconds=1)
    newer = http("POST", "/v1/plans", {"prompt": PROMPT}).body["plan_id"]
    fakes.clock.pass_(seconds=1)
    http("POST", "/v1/plans", {"prompt": PROMPT}, account="other")
    assert (tool("plan_get_latest").body["plan_id"], older == newer) == (newer, False)
    assert http("GET", "/v1/plans/latest").body == http("GET", f"/v1/plans/{newer}").body
    assert http("GET", "/v1/plans/latest", account="third").status == 404


def test_17_4_the_log_has_a_tail_and_goes_on_from_a_cursor(fakes: Fakes, plan_id: str) -> None:
    whole = tool("plan_logs_tail", plan_id=plan_id, max_lines=500).body
    assert whole["lines"][0]["text"] == "new -> pending"
    tail = tool("plan_logs_tail", plan_id=plan_id, max_lines=2).body
    assert tail["lines"] == whole["lines"][-2:]
    assert tail["next_cursor"] == whole["next_cursor"]
    nothing = tool("plan_logs_tail", plan_id=plan_id, since_cursor=tail["next_cursor"]).body
    assert (nothing["lines"], nothing["next_cursor"], nothing["state"]) == ([], tail["next_cursor"], "processing")
    third = whole["lines"][2]["cursor"]
    since = http("GET", f"/v1/plans/{plan_id}/logs", query={"since_cursor": str(third), "max_lines": "3"}).body
    assert since["lines"] == whole["lines"][3:6]


@pytest.mark.parametrize(
    ("redact", "in_logs", "in_events"), [("off", True, True), ("logs", False, True), ("all", False, False)]
)
def test_10_3_the_prompt_is_quoted_only_where_the_deployment_allows_it(
    fakes: Fakes, plan_id: str, monkeypatch: pytest.MonkeyPatch, redact: str, in_logs: bool, in_events: bool
) -> None:
    quoted = "the budget is €240,000, of which"
    ports = replace(fakes.ports, watch_settings=WatchSettings.model_validate({"redact": redact}))
    monkeypatch.setattr(wiring, "ports", lambda: ports)
    end_plan(ports.run_control, fakes.plans.plans[plan_id], "failed", FAILURE)
    logs = str(http("GET", f"/v1/plans/{plan_id}/logs").body)
    events = str(http("GET", f"/v1/plans/{plan_id}/events").body)
    assert (quoted in logs, quoted in events) == (in_logs, in_events)
    assert (quoted in str(sent(stream(f"/v1/plans/{plan_id}/events")))) == in_events
    assert (quoted in (fakes.files.read(plan_id, "run.log") or b"").decode()) == in_logs
    assert (quoted in (fakes.files.read(plan_id, "run_error.json") or b"").decode()) == in_logs
    assert "nothing is left" in logs


def test_appendix_b_the_graph_shows_each_step_and_what_it_made(fakes: Fakes, plan_id: str) -> None:
    body = http("GET", f"/v1/plans/{plan_id}/graph").body
    first, second = body["nodes"][:2]
    assert (first["step"], first["state"], second["state"]) == ("001-start", "finished", "waiting")
    assert "001-2-plan.txt" in first["files"]
    assert {"from": "start", "to": "screening"} in body["edges"]
    assert tool("plan_graph", plan_id=plan_id).body == body


def test_appendix_b_the_graph_comes_as_mermaid_too(fakes: Fakes, plan_id: str) -> None:
    drawn = stream(f"/v1/plans/{plan_id}/graph", query={"format": "mermaid"})
    assert drawn.headers["content-type"].startswith("text/vnd.mermaid")
    assert str(drawn.body).startswith("flowchart LR\n")
    assert tool("plan_graph", plan_id=plan_id, format="mermaid").body["mermaid"] == drawn.body
    assert http("GET", f"/v1/plans/{plan_id}/graph", query={"format": "dot"}).status == 422
