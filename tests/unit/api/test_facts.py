"""plan_facts over HTTP and MCP, and the facts that plan_create takes."""

from typing import Any

import pytest

from planloom import wiring
from planloom.core.artifacts import GIVEN
from planloom.models.errors import ModelRejected
from planloom.planes.strategic.facts.given import FactsGiven, KeptGiven
from planloom.planes.strategic.services.plan_facts import find_facts
from tests.fake_ports import PROMPT, Fakes
from tests.fakes import FakeGoalReader
from tests.unit.api.calling import http, rpc, tool
from tests.unit.strategic.services.goal_reading import GOAL, ReaderModel, run, with_model


@pytest.fixture
def modelled(fakes: Fakes, monkeypatch: pytest.MonkeyPatch) -> Fakes:
    """The API over ports whose model reads goals, once the reader is run by hand."""
    made = with_model(ReaderModel(), FakeGoalReader())
    monkeypatch.setattr(wiring, "ports", lambda: made.ports)
    return made


def kept(fakes: Fakes, plan_id: str) -> KeptGiven:
    return KeptGiven.model_validate_json(fakes.files.contents[plan_id, GIVEN])


def test_a_goal_is_understood_over_http_and_over_mcp_alike(fakes: Fakes) -> None:
    answer = http("POST", "/v1/facts", {"prompt": PROMPT})

    assert answer.status == 200
    assert answer.body == tool("plan_facts", prompt=PROMPT).body
    assert answer.body == http("GET", f"/v1/facts/{answer.body['facts_id']}").body
    assert list(answer.body) == [
        "facts_id",
        "state",
        "poll_after_sec",
        "model_profile",
        "facts",
        "goal",
        "quote",
        "error",
    ]
    total = answer.body["facts"]["total"]
    assert (total["low"], total["high"], total["currency"]) == (240_000, 240_000, "EUR")
    assert "240,000" in total["quote"]
    assert "".join(part["text"] for part in answer.body["goal"]) == PROMPT
    assert answer.body["quote"] == {
        "model_profile": "baseline",
        "detail": "standard",
        "models": ["outline"],
        "calls": {"low": 0, "high": 0},
        "input_tokens": 0,
        "output_tokens": 0,
        "price_usd": {"low": 0, "high": 0},
        "minutes": {"low": 1, "high": 1},
        "credits": None,
    }
    assert fakes.plans.plans == {}


def test_corrections_are_shown_in_place_of_what_was_read_and_answer_their_questions(fakes: Fakes) -> None:
    given = {"total": {"low": 300_000, "currency": "USD"}, "start": "2026-12-01", "bans": []}

    facts = http("POST", "/v1/facts", {"prompt": PROMPT, "facts": given}).body["facts"]

    assert (facts["total"]["low"], facts["total"]["quote"]) == (300_000, "USD 300,000")
    assert facts["start"]["earliest"] == "2026-12-01"
    assert not {"total", "start", "bans"} & {question["field"] for question in facts["questions"]}
    assert http("POST", "/v1/facts", {"prompt": PROMPT}).body["facts"]["total"]["low"] == 240_000, "not kept"


def test_the_quote_is_for_the_detail_that_is_asked_for(modelled: Fakes) -> None:
    def calls(answer: Any) -> int:
        assert answer["quote"]["detail"] == answer["asked"]
        return int(answer["quote"]["calls"]["high"])

    asked = {"prompt": GOAL}
    quoted = [http("POST", "/v1/facts", asked | {"detail": d}).body | {"asked": d} for d in ("brief", "full")]
    polled = http("GET", f"/v1/facts/{quoted[0]['facts_id']}", query={"detail": "brief"}).body | {"asked": "brief"}
    over_mcp = tool("plan_facts", **asked, detail="full").body | {"asked": "full"}

    brief, full = map(calls, quoted)
    assert brief < full
    assert (calls(polled), calls(over_mcp)) == (brief, full)


def test_a_model_that_still_reads_is_polled_by_id(modelled: Fakes) -> None:
    asked = http("POST", "/v1/facts", {"prompt": GOAL})

    assert (asked.status, asked.body["state"], asked.body["poll_after_sec"]) == (202, "reading", 3)
    assert asked.body["facts"]["read_by"] == "rules"
    facts_id = asked.body["facts_id"]
    run(modelled.ports, facts_id)
    polled = http("GET", f"/v1/facts/{facts_id}")
    assert (polled.status, polled.body["state"], polled.body["facts"]["read_by"]) == (200, "ready", "model")
    assert polled.body["poll_after_sec"] is None
    assert tool("plan_facts", facts_id=facts_id).body == polled.body


def test_a_model_that_failed_says_why_and_is_no_error_of_the_call(
    fakes: Fakes, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = with_model(ReaderModel(ModelRejected("Check the key.")))
    monkeypatch.setattr(wiring, "ports", lambda: made.ports)

    answer = tool("plan_facts", prompt=GOAL)

    assert not answer.is_error
    assert answer.body["error"] == {"code": "generation_error", "message": "Check the key."}
    assert (answer.body["state"], answer.body["facts"]["read_by"]) == ("failed", "rules")


def test_another_account_is_not_told_that_there_is_a_reading(fakes: Fakes) -> None:
    facts_id = http("POST", "/v1/facts", {"prompt": PROMPT}).body["facts_id"]

    refused = http("GET", f"/v1/facts/{facts_id}", account="other")

    assert (refused.status, refused.body["error"]["code"]) == (404, "FACTS_NOT_FOUND")
    assert tool("plan_facts", account="other", facts_id=facts_id).body == refused.body
    body = {"prompt": PROMPT, "facts": {"facts_id": facts_id}}
    assert http("POST", "/v1/plans", body, account="other").status == 404


def test_a_call_of_the_tool_names_a_prompt_or_a_reading(fakes: Fakes) -> None:
    for arguments in ({}, {"prompt": PROMPT, "facts_id": "x"}):
        answer = tool("plan_facts", **arguments)
        assert (answer.is_error, answer.body["error"]["code"]) == (True, "INVALID_ARGUMENT")


def test_the_tool_says_that_it_repeats_and_destroys_nothing_and_may_cost(fakes: Fakes) -> None:
    (found,) = [each for each in rpc("tools/list")["tools"] if each["name"] == "plan_facts"]
    assert found["annotations"] == {"readOnlyHint": False, "destructiveHint": False, "idempotentHint": True}


def test_a_plan_is_created_with_the_reading_and_the_corrections(modelled: Fakes) -> None:
    facts_id = http("POST", "/v1/facts", {"prompt": GOAL}).body["facts_id"]
    run(modelled.ports, facts_id)
    reading = find_facts(modelled.ports.goal_readings, "acme", facts_id)
    given = {"facts_id": facts_id, "deadline": "2027-06-01"}

    created = http("POST", "/v1/plans", {"prompt": GOAL, "facts": given})
    made = tool("plan_create", prompt=GOAL, facts=given)

    assert created.status == 202
    for plan_id in (created.body["plan_id"], made.body["plan_id"]):
        assert kept(modelled, plan_id) == KeptGiven(facts=reading.facts, given=FactsGiven.model_validate(given))


@pytest.mark.parametrize(
    ("facts", "field"),
    [
        ({"total": {"low": -1, "currency": "EUR"}}, "facts.total.low"),
        ({"total": {"low": 5, "currency": "euro"}}, "facts.total.currency"),
        ({"deadline": {"earliest": "2027-06-01", "latest": "2027-05-01"}}, "facts.deadline"),
        ({"people": [{"count": 2}]}, "facts.people.0.who"),
        ({"budget": 5}, "facts.budget"),
    ],
)
def test_a_correction_that_does_not_fit_is_refused_with_its_field(
    fakes: Fakes, facts: dict[str, Any], field: str
) -> None:
    for refused in (
        http("POST", "/v1/plans", {"prompt": PROMPT, "facts": facts}),
        http("POST", "/v1/facts", {"prompt": PROMPT, "facts": facts}),
    ):
        assert refused.status == 422
        assert refused.body["error"]["details"]["fields"] == [field]
    for tool_name in ("plan_create", "plan_facts"):
        assert tool(tool_name, prompt=PROMPT, facts=facts).body["error"]["details"]["fields"] == [field]
    assert fakes.plans.plans == {}
