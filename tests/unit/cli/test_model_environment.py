"""What of the caller's environment reaches the Lambdas of the embedded AWS: keys that it names, and no others."""

from pathlib import Path

import pytest

from planloom.settings import BedrockSettings
from planloom.wiring.models import make_models
from planloom_cli.model_environment import model_environment

AWS = {"AWS_ACCESS_KEY_ID": "AKIAMINE", "AWS_SECRET_ACCESS_KEY": "s3cret", "AWS_DEFAULT_REGION": "eu-central-1"}


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in (*AWS, "AWS_REGION", "AWS_SESSION_TOKEN", "PLANLOOM_BEDROCK"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "config"))
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "credentials"))


def told(monkeypatch: pytest.MonkeyPatch, **environment: str) -> dict[str, str]:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    return model_environment()


def test_aws_credentials_come_under_names_of_their_own_and_make_bedrocks_profiles(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = told(monkeypatch, **AWS, AWS_SESSION_TOKEN="token")

    assert found == {
        "PLANLOOM_BEDROCK_REGION": "eu-central-1",
        "PLANLOOM_BEDROCK_KEY_ID": "AKIAMINE",
        "PLANLOOM_BEDROCK_KEY": "s3cret",
        "PLANLOOM_BEDROCK_SESSION_TOKEN": "token",
    }
    assert "premium" in make_models(found).available()


def test_a_geography_is_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    found = told(monkeypatch, **AWS, PLANLOOM_BEDROCK="eu")
    assert make_models(found).names("premium")[0].startswith("eu.")


def test_credentials_on_disk_are_not_used_unless_the_environment_names_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    lines = "[default]\naws_access_key_id = AKIAMINE\naws_secret_access_key = s3cret\nregion = eu-west-1\n"
    (tmp_path / "credentials").write_text(lines)
    assert told(monkeypatch) == {}
    assert told(monkeypatch, AWS_PROFILE="default")["PLANLOOM_BEDROCK_KEY_ID"] == "AKIAMINE"


def test_bedrock_can_be_switched_off(monkeypatch: pytest.MonkeyPatch) -> None:
    found = told(monkeypatch, **AWS, PLANLOOM_BEDROCK="off")
    assert list(make_models(found).available()) == ["baseline"]
    assert "PLANLOOM_BEDROCK is off" in make_models(found).unavailable()["premium"]


def test_without_a_region_there_is_no_bedrock(monkeypatch: pytest.MonkeyPatch) -> None:
    found = told(monkeypatch, AWS_ACCESS_KEY_ID="AKIAMINE", AWS_SECRET_ACCESS_KEY="s3cret")
    assert list(make_models(found).available()) == ["baseline"]
    assert "without a region: set AWS_REGION" in make_models(found).unavailable()["premium"]
    assert told(monkeypatch, AWS_REGION="eu-west-1")["PLANLOOM_BEDROCK_REGION"] == "eu-west-1"


def test_a_profile_that_does_not_exist_makes_no_bedrock(monkeypatch: pytest.MonkeyPatch) -> None:
    found = told(monkeypatch, AWS_PROFILE="nobody")
    assert found == {}
    assert "AWS_PROFILE (logged in)" in make_models(found).unavailable()["premium"]


def test_an_openrouter_key_is_passed_on_and_no_key_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    found = told(monkeypatch, OPENROUTER_API_KEY=" sk-or-1 ", **AWS)
    assert found["OPENROUTER_API_KEY"] == "sk-or-1"
    assert "s3cret" not in repr(BedrockSettings.read(found))
