"""Profiles: which are configured, why others are not, and that the outline is never a fallback."""

import asyncio
from dataclasses import replace
from typing import Any, get_args

import pytest
from pydantic_ai.models import KnownModelName

from planloom.core.errors import ModelProfilesUnavailable
from planloom.models.endpoint import OPENROUTER, Endpoint
from planloom.models.language_model import LanguageModel
from planloom.models.profiles import LOOKED_FOR, Models, all_profiles
from planloom.models.providers import Bedrock, Providers
from planloom.wiring.models import make_models

LOCAL = Endpoint("http://127.0.0.1:11434/v1", "", "qwen3")
ROUTER = Endpoint(OPENROUTER, "sk-or-1")


def no_client(*, timeout: float, connections: int) -> Any:
    raise AssertionError("a client was made")


BEDROCK = Bedrock("eu-west-1", no_client)


def models_of(**providers: Any) -> Models:
    there = Providers(**providers)
    return Models(look=lambda: there)


def test_without_an_endpoint_only_the_outline_is_available() -> None:
    models = Models()
    assert list(models.available()) == ["baseline"]
    assert models.names("baseline") == ("outline",)
    assert models.outline_only("baseline")
    with pytest.raises(ModelProfilesUnavailable, match="without a language model"):
        models.model("baseline")


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
        (Endpoint("http://127.0.0.1/v1", "", "qwen3", "many"), "PLANLOOM_MODEL_CONCURRENCY is not a whole number"),
        (Endpoint("http://127.0.0.1/v1", "", "qwen3", "0"), "PLANLOOM_MODEL_CONCURRENCY is not a whole number"),
        (Endpoint("http://127.0.0.1/v1", "", "qwen3", "4", "9999"), "PLANLOOM_MODEL_TIMEOUT is not a whole number"),
    ],
)
def test_what_is_missing_is_named(endpoint: Endpoint, why: str) -> None:
    models = Models(endpoint)
    assert why in models.unavailable()["custom"]
    with pytest.raises(ModelProfilesUnavailable, match=why):
        models.names("custom")
    assert not models.outline_only("custom"), "a profile without a model is not drafted by the outline"


def test_a_slow_server_is_given_fewer_calls_at_a_time_and_more_time_for_each() -> None:
    slow = make_models(
        {
            "OPENAI_BASE_URL": LOCAL.base_url,
            "PLANLOOM_MODEL": "qwen3",
            "PLANLOOM_MODEL_CONCURRENCY": "2",
            "PLANLOOM_MODEL_TIMEOUT": " 700 ",
            "PLANLOOM_MODEL_MAX_TOKENS": "8000",
            "PLANLOOM_BEDROCK": "off",
        }
    ).available()["custom"]

    assert (slow.concurrency, slow.models[0].timeout_seconds, slow.models[0].max_tokens) == (2, 700.0, 8000)
    plain = Models(LOCAL).available()
    assert Models(LOCAL).long_answers("custom")
    assert not Models(replace(LOCAL, max_tokens="8000")).long_answers("custom")
    assert (plain["custom"].concurrency, plain["custom"].models[0].timeout_seconds) == (40, 600.0)
    others = models_of(openrouter=ROUTER, endpoint=Endpoint("http://127.0.0.1/v1", "", "qwen3", "2", "600")).available()
    assert (others["premium"].concurrency, others["premium"].models[0].timeout_seconds) == (40, 600.0)


def test_bedrock_makes_three_profiles_by_inference_profiles_of_its_geography() -> None:
    models = models_of(bedrock=Bedrock("eu-west-1", no_client, "eu"))

    assert list(models.available()) == ["baseline", "premium", "frontier"]
    for profile in ("baseline", "premium", "frontier"):
        assert all(name.startswith("eu.") for name in models.names(profile))
        assert len(models.names(profile)) >= 2, "one to ask where the first fails"
        assert not models.outline_only(profile)


def test_an_openrouter_key_makes_three_profiles() -> None:
    models = models_of(openrouter=ROUTER)

    assert list(models.available()) == ["baseline", "premium", "frontier"]
    assert models.names("premium") == ("anthropic/claude-sonnet-5.5", "openai/gpt-6-sol")


def test_models_are_called_in_the_order_of_the_file() -> None:
    both = models_of(openrouter=ROUTER, bedrock=BEDROCK).available()["premium"]

    listed = [entry.key for entry in all_profiles()["premium"].models]
    assert [entry.key for entry in both.models] == listed


def test_the_outline_is_left_out_where_a_language_model_can_be_asked() -> None:
    for providers in ({"openrouter": ROUTER}, {"bedrock": BEDROCK}):
        assert "outline" not in models_of(**providers).names("baseline")


def test_where_not_even_the_outline_may_draft_no_profile_is_left() -> None:
    models = models_of(outline=False, no_bedrock="Bedrock is switched off here")

    assert models.available() == {}
    assert set(models.unavailable()) == {"baseline", "premium", "frontier", "custom"}
    with pytest.raises(ModelProfilesUnavailable, match="Available profiles: none") as found:
        models.names("baseline")
    assert found.value.code == "MODEL_PROFILES_UNAVAILABLE"
    assert "Bedrock is switched off here; OPENROUTER_API_KEY is not set" in found.value.message


def test_the_configuration_is_cached_for_minutes() -> None:
    now, found = 0.0, [Providers(), Providers(openrouter=ROUTER), Providers()]
    models = Models(look=lambda: found.pop(0), monotonic=lambda: now)

    assert [list(models.available()) for _ in range(3)] == [["baseline"]] * 3
    now = LOOKED_FOR
    assert "premium" in models.available()
    assert len(found) == 1


def test_no_key_is_ever_shown() -> None:
    assert "sk-" not in repr(Providers(endpoint=Endpoint("", "sk-1", "gpt"), openrouter=ROUTER))


def test_bedrock_models_are_known_to_the_model_library_by_these_names() -> None:
    known = set(get_args(KnownModelName.__value__))
    ours = {e.model for p in all_profiles().values() for e in p.models if e.provider == "bedrock"}
    assert {f"bedrock:global.{model}" for model in ours} <= known


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
