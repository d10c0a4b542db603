"""Keys of model providers in AWS: from the operator's secret, found without a new deployment, never shown."""

import json

import boto3
import pytest

from planloom.models import profiles
from planloom.wiring.models import make_models
from tests.integration.conftest import mocked_aws

KEY = "sk-or-secret"


@pytest.fixture
def secret() -> str:
    with mocked_aws():
        client = boto3.client("secretsmanager")
        yield client.create_secret(Name="keys", SecretString="{}")["ARN"]  # type: ignore[misc]


def fill(secret: str, value: str) -> None:
    boto3.client("secretsmanager").put_secret_value(SecretId=secret, SecretString=value)


def test_a_fresh_deployment_has_bedrock_and_no_outline(secret: str) -> None:
    models = make_models({"PLANLOOM_MODEL_SECRET": secret, "PLANLOOM_BEDROCK": "eu"})

    assert list(models.available()) == ["baseline", "premium", "frontier"]
    assert all(name.startswith("eu.") for name in models.names("baseline"))
    assert models.missing("baseline")["outline"] == "the outline is available only on the embedded AWS"


def test_without_bedrock_and_keys_nothing_is_available(secret: str) -> None:
    models = make_models({"PLANLOOM_MODEL_SECRET": secret, "PLANLOOM_BEDROCK": "off"})

    assert models.available() == {}
    assert models.missing("premium")["bedrock-sonnet"] == "Bedrock is switched off here"


def test_keys_that_the_operator_fills_in_later_are_found_and_read_once(
    secret: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    models = make_models({"PLANLOOM_MODEL_SECRET": secret, "PLANLOOM_BEDROCK": "off"})
    assert models.available() == {}

    fill(
        secret,
        json.dumps({"OPENROUTER_API_KEY": KEY, "OPENAI_BASE_URL": "https://m.example/v1", "PLANLOOM_MODEL": "m"}),
    )
    assert models.available() == {}, "looked at again after minutes"
    monkeypatch.setattr(profiles, "LOOKED_FOR", 0.0)

    assert list(models.available()) == ["baseline", "premium", "frontier", "custom"]
    assert models.names("custom") == ("m",)
    assert KEY not in repr(vars(models))


@pytest.mark.parametrize("value", ["", "not JSON", "[]", '{"OPENROUTER_API_KEY": 5}'])
def test_a_secret_that_holds_something_else_holds_no_keys(secret: str, value: str) -> None:
    fill(secret, value or " ")
    assert make_models({"PLANLOOM_MODEL_SECRET": secret, "PLANLOOM_BEDROCK": "off"}).available() == {}
