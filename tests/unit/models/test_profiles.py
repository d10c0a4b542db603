"""Profiles: which are there, which are not and why, and that the outline never stands in."""

import asyncio

import pytest

from planloom.domain.errors import ModelProfilesUnavailable
from planloom.models.endpoint import Endpoint
from planloom.models.language_model import LanguageModel
from planloom.models.model import OutlineModel
from planloom.models.profiles import Models, _profiles

LOCAL = Endpoint("http://127.0.0.1:11434/v1", "", "qwen3")


def test_without_an_endpoint_there_is_the_outline_alone() -> None:
    models = Models()
    assert list(models.available()) == ["baseline"]
    assert models.names("baseline") == ("outline",)
    assert isinstance(models.model("baseline"), OutlineModel)


@pytest.mark.parametrize(
    "endpoint", [LOCAL, Endpoint("", "sk-1", "gpt"), Endpoint("https://openrouter.ai/api/v1", "sk-1", "a/b")]
)
def test_an_endpoint_with_a_model_makes_the_custom_profile(endpoint: Endpoint) -> None:
    models = Models(endpoint)
    assert list(models.available()) == ["baseline", "custom"]
    assert models.names("custom") == (endpoint.model,)
    assert not models.outline_only("custom")


@pytest.mark.parametrize(
    ("endpoint", "why"),
    [
        (Endpoint("http://127.0.0.1/v1", "sk-1", ""), "PLANLOOM_MODEL is not set"),
        (Endpoint("", "", "qwen3"), "neither OPENAI_BASE_URL nor OPENAI_API_KEY is set"),
        (Endpoint("127.0.0.1:11434", "", "qwen3"), "OPENAI_BASE_URL is not an http or https URL"),
        (Endpoint("file:///etc/passwd", "", "qwen3"), "OPENAI_BASE_URL is not an http or https URL"),
    ],
)
def test_what_is_missing_is_named(endpoint: Endpoint, why: str) -> None:
    models = Models(endpoint)
    assert why in models.unavailable()["custom"]
    with pytest.raises(ModelProfilesUnavailable, match=why):
        models.names("custom")
    assert not models.outline_only("custom"), "what the profile is does not hang on whether it is there"


def test_the_key_is_never_shown() -> None:
    assert "sk-1" not in repr(Endpoint("", "sk-1", "gpt"))


def test_no_profile_mixes_the_outline_with_language_models() -> None:
    for profile in _profiles().values():
        assert len({entry.provider == "outline" for entry in profile.models}) <= 1


def test_one_event_loop_keeps_its_clients_and_another_gets_its_own() -> None:
    models = Models(LOCAL)

    async def twice() -> tuple[object, object]:
        found = models.model("custom"), models.model("custom")
        await models.close()
        return found

    (first, again), (other, _) = asyncio.run(twice()), asyncio.run(twice())
    assert isinstance(first, LanguageModel)
    assert first is again
    assert other is not first
