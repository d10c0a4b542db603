"""What a plan will about cost: bounds that follow from the goal's length, the profile and the price of its model."""

import pytest

from planloom.domain.plans import ModelProfile
from planloom.models.endpoint import OPENROUTER, Endpoint
from planloom.models.profiles import Models
from planloom.models.providers import Bedrock, Providers
from planloom.models.quote import Bounds, PriceBounds, Quote, quote

GOAL = "We open a bakery. " * 100


def at(providers: Providers) -> Models:
    return Models(look=lambda: providers)


def test_without_a_model_a_plan_costs_nothing_and_takes_a_minute_at_most() -> None:
    assert quote(Models(), "baseline", GOAL) == Quote(
        model_profile="baseline",
        models=("outline",),
        calls=Bounds(low=0, high=0),
        input_tokens=0,
        output_tokens=0,
        price_usd=PriceBounds(low=0, high=0),
        minutes=Bounds(low=1, high=1),
    )


def test_the_price_is_that_of_the_model_that_is_asked_first() -> None:
    models = at(Providers(bedrock=Bedrock("eu-west-1", connect=lambda **_: None, geography="eu")))

    found = quote(models, "premium", GOAL)

    assert found.models[0] == "eu.anthropic.claude-sonnet-5-5"
    assert found.calls == Bounds(low=111, high=160)
    assert found.input_tokens == 160 * (3_600 + 450)
    assert found.output_tokens == 160 * 2_000
    # USD 2.2, of a cache 0.11, and 11 a million: the least with 68% from the cache and short answers
    least = 111 * (4_050 * (0.32 * 2.2 + 0.68 * 0.11) + 500 * 11) / 1e6
    most = 160 * (4_050 * 2.2 + 2_000 * 11) / 1e6
    assert found.price_usd
    assert found.price_usd.low == pytest.approx(least, abs=0.01)
    assert found.price_usd.high == pytest.approx(most, abs=0.01)
    assert found.minutes.high > quote(models, "baseline", GOAL).minutes.high


@pytest.mark.parametrize(
    ("providers", "profile", "known"),
    [
        (Providers(endpoint=Endpoint("http://127.0.0.1:1/v1", "", "qwen3:32b")), "custom", False),
        (Providers(endpoint=Endpoint("", "sk-1", "gpt-6.1-sol")), "custom", True),
        (Providers(openrouter=Endpoint(OPENROUTER, "sk-1")), "baseline", True),
        (Providers(openrouter=Endpoint("http://127.0.0.1:1/v1", "sk-1")), "baseline", False),
    ],
)
def test_a_price_that_is_not_known_is_not_guessed(providers: Providers, profile: ModelProfile, known: bool) -> None:
    assert (quote(at(providers), profile, GOAL).price_usd is not None) == known
