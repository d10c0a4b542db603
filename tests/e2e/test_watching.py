"""Watching a plan through the gateway of the embedded AWS, as a browser and as the command do."""

import json
from typing import Any

import httpx2
import pytest

from planloom.planes.strategic.stages.pipeline import PIPELINE
from tests.e2e.conftest import Running

#: Longer than a call is held.
TIMEOUT = 40.0
STREAM = {"Accept": "text/event-stream"}


def get(service: Running, path: str, **options: Any) -> httpx2.Response:
    return httpx2.get(f"{service.address.http_url}{path}", timeout=TIMEOUT, **options)


def keyed(service: Running, **more: str) -> dict[str, str]:
    return {"X-API-Key": service.address.key, **more}


def sent(answer: httpx2.Response) -> list[dict[str, Any]]:
    """Return the events of a stream, each with the id that a browser would send back."""
    blocks = [dict(line.split(": ", 1) for line in block.splitlines()) for block in answer.text.split("\n\n") if block]
    return [json.loads(block["data"]) | {"id": block["id"]} for block in blocks if "data" in block]


def follow(service: Running, plan_id: str) -> tuple[list[dict[str, Any]], int]:
    """Follow a plan to its end as EventSource does: each answer ends, and the next call says what was seen last."""
    seen: list[dict[str, Any]] = []
    calls = 0
    while True:
        calls += 1
        last = {"Last-Event-ID": seen[-1]["id"]} if seen else {}
        answer = get(service, f"/v1/plans/{plan_id}/events", headers=keyed(service, **STREAM, **last))
        if answer.status_code == 204:
            return seen, calls
        # beyond their number calls are turned away; a browser comes back
        assert answer.status_code in (200, 429), answer.text
        if answer.status_code == 200:
            assert answer.headers["content-type"].startswith("text/event-stream")
            assert answer.text.startswith("retry: ")
            seen += sent(answer)


def test_a_plan_is_followed_live_and_every_event_seen_once(service: Running) -> None:
    plan_id = service.create("bakery-cafe-lisbon")
    seen, calls = follow(service, plan_id)

    cursors = [event["cursor"] for event in seen]
    assert cursors == sorted(set(cursors))
    assert calls > 2, "it was read after its end, not followed"
    states = [event["data"]["state"] for event in seen if event["type"] == "state_changed"]
    assert states == ["pending", "processing", "completed"]
    finished = [event["data"]["step"] for event in seen if event["type"] == "stage_finished"]
    assert len(finished) == len(set(finished)) == len(PIPELINE)
    percents = [event["data"]["progress_percentage"] for event in seen if event["type"] == "progress_updated"]
    assert percents == sorted(percents)
    assert percents[-1] == 100.0
    # what was published last is the end: nothing of a stage comes after it
    assert [event["type"] for event in seen][-2:] in (["state_changed", "log"], ["log", "state_changed"])

    service.until_folded()
    whole = get(service, f"/v1/plans/{plan_id}/events?limit=500", headers=keyed(service)).json()["events"]
    assert [{name: value for name, value in event.items() if name != "id"} for event in seen] == whole


def test_a_ticket_opens_the_events_of_its_plan_and_nothing_else(service: Running, drafted: str) -> None:
    url = f"{service.address.http_url}/v1/plans/{drafted}/events/ticket"
    ticket = httpx2.post(url, headers=keyed(service), timeout=TIMEOUT).json()["ticket"]
    stopped = service.create("flood-wall-aalborg")
    service.call("plan_stop", plan_id=stopped)

    def status(path: str) -> int:
        return get(service, path, headers=STREAM).status_code

    assert sent(get(service, f"/v1/plans/{drafted}/events?ticket={ticket}", headers=STREAM))
    assert status(f"/v1/plans/{drafted}/events") in (401, 403)
    assert status(f"/v1/plans/{drafted}/events?ticket={ticket}x") == 403
    assert status(f"/v1/plans/{stopped}/events?ticket={ticket}") == 403
    assert status(f"/v1/plans/{drafted}?ticket={ticket}") == 401
    assert status(f"/v1/plans?ticket={ticket}") == 401
    assert status(f"/v1/plans/{drafted}/logs?ticket={ticket}") == 401


@pytest.mark.parametrize("tail", ["", "/logs", "/graph", "/wait?timeout_sec=0"])
def test_other_routes_of_a_plan_are_reached_past_the_one_with_its_own_lock(
    service: Running, drafted: str, tail: str
) -> None:
    assert get(service, f"/v1/plans/{drafted}{tail}", headers=keyed(service)).status_code == 200


def test_the_log_of_a_run_is_among_its_files_and_says_what_happened(service: Running, drafted: str) -> None:
    answer = get(service, f"/v1/plans/{drafted}/artifacts/run.log", headers=keyed(service))
    assert answer.status_code == 200
    lines = answer.text.splitlines()
    assert lines[0].endswith("INFO    new -> pending")
    assert lines[-1].endswith("INFO    processing -> completed")
    assert sum(" finished in " in line for line in lines) == len(PIPELINE)


def test_17_2_an_agent_waits_for_a_plan(service: Running, drafted: str) -> None:
    waited = service.call("plan_wait", plan_id=drafted, timeout_sec=5)
    assert (waited["state"], waited["timed_out"]) == ("completed", False)
    assert "plan_file_info" in waited["next_steps"][0]
