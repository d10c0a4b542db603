"""The goal of a plan over HTTP: its parts, what was understood of them, and what a correction makes of it."""

import json

import pytest

from planloom.core.artifacts import sha256_of
from tests.fake_ports import PROMPT, Fakes
from tests.unit.api.calling import http
from tests.unit.strategic.services.walk import begin, deliver, work

START = "001-1-start.json"


@pytest.fixture
def plan_id(fakes: Fakes) -> str:
    """A stopped plan whose first step has finished."""
    plan = begin(fakes)
    work(fakes, plan, "start")
    deliver(fakes)
    http("POST", f"/v1/plans/{plan.plan_id}/stop")
    return plan.plan_id


def test_the_goal_is_whole_and_its_parts_say_what_was_understood(fakes: Fakes, plan_id: str) -> None:
    answer = http("GET", f"/v1/plans/{plan_id}/goal").body

    assert "".join(part["text"] for part in answer["goal"]) == PROMPT
    assert answer["sha256"] == sha256_of(fakes.files.read(plan_id, START) or b"")
    assert answer["facts"]["total"]["low"] == 240_000
    assert ["money" in part["kinds"] for part in answer["goal"] if "240,000" in part["text"]] == [True]


def test_a_plan_whose_goal_was_not_read_yet_shows_the_goal_alone(fakes: Fakes) -> None:
    plan = begin(fakes)

    assert http("GET", f"/v1/plans/{plan.plan_id}/goal").body == {
        "plan_id": plan.plan_id,
        "goal": [{"text": PROMPT, "kinds": [], "labels": []}],
        "facts": None,
        "sha256": None,
    }


def test_facts_of_another_version_are_not_shown(fakes: Fakes, plan_id: str) -> None:
    fakes.files.write(plan_id, START, b'{"facts": {"budget": 5}}', "application/json")

    assert http("GET", f"/v1/plans/{plan_id}/goal").body["facts"] is None
    assert http("POST", f"/v1/plans/{plan_id}/goal/corrected", {"facts": {"total": None}}).status == 404


def test_a_correction_gives_the_file_to_store_and_changes_nothing(fakes: Fakes, plan_id: str) -> None:
    before = fakes.files.read(plan_id, START)
    given = {"total": {"low": 300_000, "currency": "EUR"}, "deadline": "2027-06-30", "people": []}
    answer = http("POST", f"/v1/plans/{plan_id}/goal/corrected", {"facts": given}).body

    assert fakes.files.read(plan_id, START) == before
    assert answer["facts"]["total"] == {
        "low": 300_000,
        "high": 300_000,
        "currency": "EUR",
        "quote": "EUR 300,000",
        "assumed": False,
    }
    assert answer["facts"]["deadline"]["latest"] == "2027-06-30"
    assert answer["facts"]["people"] == []
    stored = http(
        "PUT",
        f"/v1/plans/{plan_id}/artifacts/{START}",
        {"content": answer["content"], "expected_sha256": answer["sha256"], "start": False},
    )
    assert stored.status == 200
    kept = json.loads(fakes.files.read(plan_id, START) or b"{}")["facts"]["money"]
    assert [(each["low"], each["by"]) for each in kept if each["role"] == "total"] == [(300_000, "caller")]


def test_a_correction_that_does_not_fit_is_refused(plan_id: str) -> None:
    facts = {"total": {"low": 300_000, "high": 200_000, "currency": "EUR"}}
    answer = http("POST", f"/v1/plans/{plan_id}/goal/corrected", {"facts": facts})

    assert answer.status == 422
    assert "high is less than low" in answer.body["error"]["message"]
