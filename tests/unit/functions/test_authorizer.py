"""The authorizer: whose key it is, for all routes of its deployment, and nothing of the key in the log."""

from datetime import UTC, datetime
from typing import Any

import pytest

from functions.authorizer.handler import handler
from planloom import wiring
from planloom.accounts.keys import digest_of
from planloom.accounts.make_key import make_key, revoke_key
from planloom.accounts.tickets import make_ticket
from tests.fake_ports import Fakes
from tests.unit.functions.conftest import Context, Log

ARN = "arn:aws:execute-api:eu-west-1:123456789012:abc/api"


def ask(headers: dict[str, str] | None) -> dict[str, Any]:
    event = {"type": "REQUEST", "methodArn": f"{ARN}/POST/mcp", "headers": headers}
    return dict(handler(event, Context()))


def policy(effect: str) -> dict[str, Any]:
    statement = {"Action": "execute-api:Invoke", "Effect": effect, "Resource": f"{ARN}/*"}
    return {"Version": "2012-10-17", "Statement": [statement]}


@pytest.mark.parametrize("name", ["X-API-Key", "x-api-key", "X-Api-Key"])
def test_10_4_a_key_opens_every_route_for_its_account_however_its_header_is_written(fakes: Fakes, name: str) -> None:
    key = make_key(fakes.ports.keys, fakes.ports.clock, "acme")
    answer = ask({"Host": "abc", name: key})

    context = {"account": "acme", "key": digest_of(key)}
    assert answer == {"principalId": "acme", "policyDocument": policy("Allow"), "context": context}


@pytest.mark.parametrize(
    "headers",
    [None, {}, {"X-API-Key": ""}, {"X-API-Key": "pex_unknown"}, {"X-API-Key": "x"}, {"Authorization": "pex_"}],
)
def test_without_a_known_key_every_route_is_shut(fakes: Fakes, headers: dict[str, str] | None) -> None:
    make_key(fakes.ports.keys, fakes.ports.clock, "acme")

    assert ask(headers) == {"principalId": "nobody", "policyDocument": policy("Deny"), "context": {}}


def test_a_revoked_key_opens_nothing(fakes: Fakes) -> None:
    secret = make_key(fakes.ports.keys, fakes.ports.clock, "acme")
    key = fakes.keys.keys[digest_of(secret)]
    fakes.keys.keys[key.digest] = key.model_copy(update={"revoked_at": datetime(2026, 11, 2, tzinfo=UTC)})

    assert ask({"X-API-Key": secret})["policyDocument"] == policy("Deny")


def test_the_day_of_the_last_use_is_noted_once_a_day_and_a_table_that_fails_denies_no_call(
    fakes: Fakes, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret, noted = make_key(fakes.ports.keys, fakes.ports.clock, "acme"), []
    use = fakes.keys.use
    monkeypatch.setattr(fakes.keys, "use", lambda digest, day: (noted.append(str(day)), use(digest, day)))
    for _ in range(3):
        ask({"X-API-Key": secret})
    fakes.clock.pass_(days=1)
    ask({"X-API-Key": secret})
    assert noted == ["2026-11-02", "2026-11-03"]

    def fail(*_: object) -> None:
        raise ConnectionError

    fakes.clock.pass_(days=1)
    monkeypatch.setattr(fakes.keys, "use", fail)
    assert ask({"X-API-Key": secret})["policyDocument"] == policy("Allow")


def test_the_log_says_whether_and_never_which(fakes: Fakes, log: Log) -> None:
    good, bad = make_key(fakes.ports.keys, fakes.ports.clock, "acme"), "pex_" + "w" * 43

    ask({"X-API-Key": good})
    ask({"X-API-Key": bad})

    assert [(line["message"], line["allowed"]) for line in log.messages()] == [
        ("key checked", True),
        ("key checked", False),
    ]
    for secret in (good, bad):
        assert secret[4:] not in log.text()


PLAN = "7f1c1c52-1111-4222-8333-444455556666"
SECRET = b"0123456789abcdef0123456789abcdef"


def ask_for_events(ticket: str, plan_id: str = PLAN, headers: dict[str, str] | None = None) -> dict[str, Any]:
    event = {
        "type": "REQUEST",
        "methodArn": f"{ARN}/GET/v1/plans/{plan_id}/events",
        "headers": headers or {},
        "queryStringParameters": {"ticket": ticket, "after": "7"},
        "pathParameters": {"plan_id": plan_id},
    }
    return dict(handler(event, Context()))


@pytest.fixture
def key(fakes: Fakes) -> str:
    return make_key(fakes.ports.keys, fakes.ports.clock, "acme")


@pytest.fixture
def ticket(fakes: Fakes, key: str, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(wiring, "request_state_key", lambda: SECRET)
    return make_ticket(SECRET, digest_of(key), PLAN, fakes.clock())[0]


def test_a_ticket_opens_the_events_of_its_plan_alone(key: str, ticket: str) -> None:
    answer = ask_for_events(ticket)
    statement = answer["policyDocument"]["Statement"][0]
    assert (statement["Effect"], statement["Resource"]) == ("Allow", f"{ARN}/GET/v1/plans/{PLAN}/events")
    assert answer["context"] == {"account": "acme", "key": digest_of(key)}
    other = ask_for_events(ticket, PLAN[:-1] + "7")
    assert (other["policyDocument"]["Statement"][0]["Effect"], other["context"]) == ("Deny", {})


def test_a_ticket_is_refused_after_its_minute_and_where_it_is_forged(fakes: Fakes, ticket: str) -> None:
    assert ask_for_events(ticket[:-2] + "xx")["context"] == {}
    fakes.clock.pass_(seconds=61)
    assert ask_for_events(ticket)["context"] == {}


def test_10_4_a_ticket_ends_with_the_key_that_it_was_got_with(fakes: Fakes, key: str, ticket: str) -> None:
    make_key(fakes.ports.keys, fakes.ports.clock, "acme")
    revoke_key(fakes.ports.keys, fakes.ports.clock, "acme", key)
    answer = ask_for_events(ticket)
    assert (answer["policyDocument"]["Statement"][0]["Effect"], answer["context"]) == ("Deny", {})


def test_a_key_counts_before_a_ticket(fakes: Fakes, ticket: str) -> None:
    answer = ask_for_events(ticket, headers={"X-API-Key": make_key(fakes.ports.keys, fakes.ports.clock, "other")})
    assert answer["context"]["account"] == "other"
    assert ask_for_events(ticket, headers={"X-API-Key": "pex_wrong"})["context"] == {}


def test_a_ticket_opens_no_other_route(ticket: str) -> None:
    event = {"type": "REQUEST", "methodArn": f"{ARN}/GET/v1/plans", "queryStringParameters": {"ticket": ticket}}
    assert dict(handler(event, Context()))["context"] == {}
