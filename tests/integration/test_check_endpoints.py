"""`planloom models --check`: endpoints are asked for their models, and no key is shown."""

import pytest

from bench.stub_models import StubModels
from planloom_cli.check_endpoints import check_endpoints
from tests.unit.models.test_models_command import printed


def test_an_endpoint_is_asked_for_its_models_on_demand(monkeypatch: pytest.MonkeyPatch) -> None:
    with StubModels() as stub:
        found = printed(
            monkeypatch, "--check", OPENAI_BASE_URL=stub.url, OPENAI_API_KEY="sk-secret", PLANLOOM_MODEL="stub"
        )
        other = check_endpoints({"OPENAI_BASE_URL": stub.url, "PLANLOOM_MODEL": "gpt"})
    assert "custom: answers, and has the model" in found
    assert other == {"custom": "answers, but lists no 'gpt'"}
    assert stub.calls == [], "no model was asked"


def test_an_unreachable_endpoint_is_reported() -> None:
    with StubModels() as stub:
        gone = stub.url
    secret = gone.replace("http://", "http://me:sk-secret@")
    address = gone.removeprefix("http://").removesuffix("/v1")
    assert check_endpoints({"OPENAI_BASE_URL": secret, "PLANLOOM_MODEL": "stub"}) == {
        "custom": f"does not answer at {address} (ConnectError): check that it runs and that the URL is right"
    }
