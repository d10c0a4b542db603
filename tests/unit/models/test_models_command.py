"""`planloom models`: what is there, what is not and why, and never the key."""

import json

import pytest
from typer.testing import CliRunner

from planloom_cli.main import app

VARIABLES = ("OPENAI_BASE_URL", "OPENAI_API_KEY", "PLANLOOM_MODEL")


def told(monkeypatch: pytest.MonkeyPatch, *options: str, **environment: str) -> str:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    ran = CliRunner().invoke(app, ["models", *options])
    assert ran.exit_code == 0, ran.output
    return ran.stdout


def test_without_an_endpoint_it_says_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    found = told(monkeypatch)
    assert "outline" in found
    assert "not available: PLANLOOM_MODEL is not set" in found


def test_with_an_endpoint_it_names_the_model_and_keeps_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    found = told(monkeypatch, "--json", OPENAI_API_KEY=" sk-secret ", PLANLOOM_MODEL=" gpt ")
    answer = json.loads(found)
    assert answer["available"] == {"baseline": ["outline"], "custom": ["gpt"]}
    assert set(answer["unavailable"]) == {"premium", "frontier"}
    assert "sk-secret" not in found
