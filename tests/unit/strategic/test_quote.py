"""What a plan will about cost: bounds that follow from the goal's length, the profile and the price of its model."""

import pytest

from planloom.models.endpoint import OPENROUTER, Endpoint
from planloom.models.profile import ModelProfile
from planloom.models.profiles import Models
from planloom.models.providers import Bedrock, Providers
from planloom.planes.strategic.plans import Detail
from planloom.planes.strategic.quote import BY_DETAIL, Bounds, PriceBounds, Quote, quote

GOAL = "We open a bakery. " * 100


def at(providers: Providers) -> Models:
    return Models(look=lambda: providers)


def test_without_a_model_a_plan_costs_nothing_and_takes_a_minute_at_most() -> None:
    assert quote(Models(), "baseline", GOAL) == Quote(
        model_profile="baseline",
        detail="standard",
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
    measured = BY_DETAIL["standard"]
    few, many = measured.calls
    read, (short, long) = measured.input_tokens + 450, measured.output_tokens
    assert found.calls == Bounds(low=few, high=many)
    assert (found.input_tokens, found.output_tokens) == (many * read, many * long)
    # USD 2.2, of a cache 0.11, and 11 a million: the least with 80% from the cache and short answers
    least = few * (read * (0.2 * 2.2 + 0.8 * 0.11) + short * 11) / 1e6
    most = many * (read * 2.2 + long * 11) / 1e6
    assert found.price_usd
    assert found.price_usd.low == pytest.approx(least, abs=0.01)
    assert found.price_usd.high == pytest.approx(most, abs=0.01)


def test_more_detail_costs_more() -> None:
    models = at(Providers(bedrock=Bedrock("eu-west-1", connect=lambda **_: None, geography="eu")))
    details: tuple[Detail, ...] = ("brief", "standard", "full")

    found = [quote(models, "premium", GOAL, detail) for detail in details]

    assert tuple(each.detail for each in found) == details
    costs = [(each.calls.high, each.input_tokens, each.price_usd and each.price_usd.high) for each in found]
    assert costs == sorted(costs)
    assert len(set(costs)) == 3


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
