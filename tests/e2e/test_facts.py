"""plan_facts on the embedded AWS: by rules at once, and a plan that uses the reading."""

import json
from typing import Any

import httpx2

from planloom.core.artifacts import GIVEN
from planloom.planes.strategic.facts.given import KeptGiven
from tests.e2e.conftest import Running, example


def test_a_goal_is_read_at_once_without_a_model_and_its_reading_goes_into_the_plan(service: Running) -> None:
    prompt = example("bakery-cafe-lisbon")

    def call(method: str, path: str, body: dict[str, Any] | None = None) -> httpx2.Response:
        headers = {"X-API-Key": service.address.key}
        return httpx2.request(method, f"{service.address.http_url}/v1/{path}", json=body, headers=headers, timeout=60)

    asked = call("POST", "facts", {"prompt": prompt})

    found = asked.json()
    assert (asked.status_code, found["state"], found["facts"]["read_by"]) == (200, "ready", "rules")
    assert found["facts"]["total"]["low"] == 240_000
    assert call("GET", f"facts/{found['facts_id']}").json() == found
    given = {"facts_id": found["facts_id"], "deadline": "2027-06-01"}
    plan_id = call("POST", "plans", {"prompt": prompt, "facts": given}).json()["plan_id"]
    service.call("plan_stop", plan_id=plan_id)
    kept = KeptGiven.model_validate(json.loads(service.ports.files.read(plan_id, GIVEN) or b""))
    assert kept.facts
    assert kept.facts.read_by == "rules"
    assert kept.given.model_dump(mode="json", exclude_unset=True) == {
        "facts_id": found["facts_id"],
        "deadline": {"earliest": "2027-06-01"},
    }
