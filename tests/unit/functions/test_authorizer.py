"""The door's lock: what the gateway is told of a key."""

from typing import Any

import pytest

from functions.authorizer.handler import handler
from planloom import wiring
from planloom.services.make_key import make_key
from tests.unit.api.calling import Context
from tests.worlds import Fakes, make_fakes

API = "arn:aws:execute-api:eu-west-1:123456789012:abc123"


@pytest.fixture
def fakes(monkeypatch: pytest.MonkeyPatch) -> Fakes:
    made = make_fakes()
    monkeypatch.setattr(wiring, "world", lambda: made.world)
    return made


def asked(headers: dict[str, str] | None) -> dict[str, Any]:
    return handler({"methodArn": f"{API}/api/POST/mcp", "headers": headers}, Context())


@pytest.mark.parametrize("header", ["X-API-Key", "x-api-key"])
def test_a_key_opens_every_route_of_this_deployment_for_its_account(fakes: Fakes, header: str) -> None:
    answer = asked({header: make_key(fakes.world, "team-a")})
    # the answer is kept for a minute and serves other routes too
    allowed = {"Action": "execute-api:Invoke", "Effect": "Allow", "Resource": f"{API}/api/*"}
    assert answer["policyDocument"]["Statement"] == [allowed]
    assert (answer["principalId"], answer["context"]) == ("team-a", {"account": "team-a"})


@pytest.mark.parametrize("headers", [None, {}, {"x-api-key": ""}, {"x-api-key": "pex_wrong"}, {"x-api-key": "secret"}])
def test_whoever_has_no_valid_key_is_denied_and_has_no_account(fakes: Fakes, headers: dict[str, str] | None) -> None:
    answer = asked(headers)
    assert [statement["Effect"] for statement in answer["policyDocument"]["Statement"]] == ["Deny"]
    assert answer["context"] == {}


def test_a_revoked_key_is_denied(fakes: Fakes) -> None:
    key = make_key(fakes.world, "team-a")
    ((digest, kept),) = fakes.keys.keys.items()
    fakes.keys.keys[digest] = kept.model_copy(update={"revoked_at": fakes.clock()})
    assert asked({"X-API-Key": key})["policyDocument"]["Statement"][0]["Effect"] == "Deny"


def test_no_key_is_written_to_the_log(fakes: Fakes, capsys: pytest.CaptureFixture[str]) -> None:
    key = make_key(fakes.world, "team-a")
    asked({"X-API-Key": key})
    asked({"X-API-Key": "pex_wrong_but_secret_somewhere"})
    written = "".join(capsys.readouterr())
    assert key not in written
    assert "pex_" not in written
