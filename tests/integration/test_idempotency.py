"""Calls with a client_request_id: answered once, on the real table."""

import time

import boto3
import pytest

from planloom import wiring
from planloom.adapters.dynamodb_requests import KEPT_SECONDS, once, requests_of
from planloom.core.errors import RequestConflict
from tests.fake_ports import PROMPT, Fakes, make_fakes
from tests.integration.conftest import TABLE
from tests.unit.api.calling import http, tool


@pytest.fixture
def fakes(aws: None, monkeypatch: pytest.MonkeyPatch) -> Fakes:
    """Ports in memory, with answered requests on the table."""
    made = make_fakes()
    monkeypatch.setattr(wiring, "ports", lambda: made.ports)
    monkeypatch.setattr(wiring, "request_state_key", lambda: b"0123456789abcdef0123456789abcdef")
    monkeypatch.setattr(wiring, "requests", lambda account: requests_of(account, TABLE))
    return made


def test_a_repeat_gets_the_same_answer_and_makes_no_second_plan(fakes: Fakes) -> None:
    first = tool("plan_create", prompt=PROMPT, client_request_id="r1")
    fakes.clock.pass_(minutes=5)
    assert tool("plan_create", prompt=PROMPT, client_request_id="r1").body == first.body
    assert len(fakes.plans.plans) == 1


def test_another_body_under_the_same_id_is_a_conflict(fakes: Fakes) -> None:
    assert http("POST", "/v1/plans", {"prompt": PROMPT, "client_request_id": "r1"}).status == 202
    answer = http("POST", "/v1/plans", {"prompt": PROMPT + " Now!", "client_request_id": "r1"})
    assert (answer.status, answer.body["error"]["code"]) == (409, "REQUEST_CONFLICT")
    assert len(fakes.plans.plans) == 1


def test_other_facts_under_the_same_id_are_a_conflict(fakes: Fakes) -> None:
    def create(**facts: object) -> dict[str, object]:
        return tool("plan_create", prompt=PROMPT, client_request_id="r1", facts=facts).body

    first = create(total=None)
    assert create(total=None) == first
    for other in (
        create(total=None, bans=[]),
        create(),
        tool("plan_create", prompt=PROMPT, client_request_id="r1").body,
    ):
        assert other["error"]["code"] == "REQUEST_CONFLICT"  # type: ignore[index]
    assert len(fakes.plans.plans) == 1


def test_ids_of_different_accounts_have_nothing_to_do_with_each_other(fakes: Fakes) -> None:
    mine = tool("plan_create", prompt=PROMPT, client_request_id="r1").body["plan_id"]
    other = tool("plan_create", account="other", prompt=PROMPT, client_request_id="r1").body["plan_id"]
    assert mine != other


def test_a_call_that_failed_may_be_repeated_under_its_id(fakes: Fakes) -> None:
    fakes.pipeline.broken = True
    assert tool("plan_create", prompt=PROMPT, client_request_id="r1").is_error
    fakes.pipeline.broken = False
    assert not tool("plan_create", prompt=PROMPT, client_request_id="r1").is_error
    assert len(fakes.pipeline.started) == 1


def test_an_answer_is_kept_for_a_day_and_goes_by_itself(fakes: Fakes) -> None:
    tool("plan_create", prompt=PROMPT, client_request_id="r1")
    rows = boto3.client("dynamodb").scan(TableName=TABLE)["Items"]
    (kept,) = [row for row in rows if row["SK"]["S"].startswith("REQUEST#strategic.plan_create")]
    # an hour of leeway: it is the clock of the library
    assert abs(int(kept["expires"]["N"]) - time.time() - KEPT_SECONDS) < 3600


def test_after_that_day_the_same_create_still_makes_no_second_plan(fakes: Fakes) -> None:
    first = tool("plan_create", prompt=PROMPT, client_request_id="r1").body["plan_id"]
    for row in boto3.client("dynamodb").scan(TableName=TABLE)["Items"]:
        boto3.client("dynamodb").delete_item(TableName=TABLE, Key={name: row[name] for name in ("PK", "SK")})
    assert tool("plan_create", prompt=PROMPT, client_request_id="r1").body["plan_id"] == first
    conflict = tool("plan_create", prompt=PROMPT + " Now!", client_request_id="r1")
    assert conflict.body["error"]["code"] == "REQUEST_CONFLICT"


def test_without_an_id_each_call_is_a_new_plan(fakes: Fakes) -> None:
    assert tool("plan_create", prompt=PROMPT).body["plan_id"] != tool("plan_create", prompt=PROMPT).body["plan_id"]


def test_the_conflict_names_the_id_and_not_the_body(fakes: Fakes) -> None:
    from planloom.planes.strategic.endpoints.plans import PlanStopped

    def stopped() -> PlanStopped:
        return PlanStopped(plan_id="p", state="stopped", stop_requested=True)

    store = requests_of("acme", TABLE)
    once(store, "stop", "r9", {"a": 1}, PlanStopped, stopped)
    with pytest.raises(RequestConflict, match="'r9'"):
        once(store, "stop", "r9", {"a": 2}, PlanStopped, stopped)


@pytest.mark.parametrize("name", ["plan_retry", "plan_resume"])
def test_a_repeated_retry_or_resume_gets_the_same_answer_and_begins_one_run(fakes: Fakes, name: str) -> None:
    plan_id = tool("plan_create", prompt=PROMPT).body["plan_id"]
    tool("plan_stop", plan_id=plan_id)
    first = tool(name, plan_id=plan_id, client_request_id="r1")
    assert first.body["state"] == "pending"
    fakes.clock.pass_(minutes=5)
    assert tool(name, plan_id=plan_id, client_request_id="r1").body == first.body
    conflict = tool(name, plan_id=plan_id, model_profile="premium", client_request_id="r1")
    assert conflict.body["error"]["code"] == "REQUEST_CONFLICT"
    assert [run for _, run, _ in fakes.pipeline.started] == [1, 2]
