"""`planloom models`: what is there, what is not and why, and never the key."""

import json

import pytest
from typer.testing import CliRunner

from planloom_cli.main import app

VARIABLES = (
    *("OPENAI_BASE_URL", "OPENAI_API_KEY", "PLANLOOM_MODEL", "OPENROUTER_API_KEY", "PLANLOOM_BEDROCK"),
    *("AWS_ACCESS_KEY_ID", "AWS_PROFILE", "AWS_BEARER_TOKEN_BEDROCK", "AWS_WEB_IDENTITY_TOKEN_FILE"),
)


def printed(monkeypatch: pytest.MonkeyPatch, *options: str, **environment: str) -> str:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    ran = CliRunner().invoke(app, ["models", *options])
    assert ran.exit_code == 0, ran.output
    return ran.stdout


def test_without_an_endpoint_it_says_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    found = printed(monkeypatch)
    assert "outline" in found
    assert "not available: PLANLOOM_MODEL is not set" in found


def test_with_an_endpoint_it_names_the_model_and_keeps_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    found = printed(monkeypatch, "--json", OPENAI_API_KEY=" sk-secret ", PLANLOOM_MODEL=" gpt ")
    answer = json.loads(found)
    assert answer["available"] == {"baseline": ["outline"], "custom": ["gpt"]}
    assert set(answer["unavailable"]) == {"premium", "frontier"}
    assert "sk-secret" not in found


def test_missing_settings_are_printed_for_each_model(monkeypatch: pytest.MonkeyPatch) -> None:
    found = json.loads(printed(monkeypatch, "--json", OPENROUTER_API_KEY="sk-or-1"))
    assert found["available"]["premium"] == ["anthropic/claude-sonnet-5.5", "openai/gpt-6-sol"]
    assert found["missing"]["premium"]["bedrock-sonnet"].startswith("no AWS credentials")
    assert "endpoints" not in found, "nothing is called unasked"
