"""Watching a plan through the gateway of the embedded AWS, as a browser and as the command do."""

import httpx2
import pytest

from planloom.planes.strategic.stages.pipeline import PIPELINE
from tests.e2e.conftest import PATIENCE, Running
from tests.e2e.observing import STREAM, Observed, get, keyed, sent


def test_a_plan_is_followed_live_and_every_event_seen_once(service: Running, observed: Observed) -> None:
    plan_id, seen = observed.plan_id, observed.events

    cursors = [event["cursor"] for event in seen]
    assert cursors == sorted(set(cursors))
    assert observed.calls > 2, "it was read after its end, not followed"
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
    ticket = httpx2.post(url, headers=keyed(service), timeout=PATIENCE).json()["ticket"]
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
