"""Prices: exact, by what the provider counted, and never guessed."""

from datetime import date
from decimal import Decimal

import pytest

from planloom.models.prices import price_list, price_of, price_table
from planloom.models.profiles import all_profiles

HAIKU = "global.anthropic.claude-haiku-5-5"


def cost(model: str, read: int, cached: int = 0, written: int = 0, wrote: int = 0, prices: str = "bedrock") -> object:
    return price_of(prices, model, input_tokens=read, cached_tokens=cached, written_tokens=written, output_tokens=wrote)


def test_each_kind_of_token_has_its_own_price() -> None:
    price = price_table().price("bedrock", HAIKU)
    assert price

    assert cost(HAIKU, 1_000_000 // 10) == price.input / 10
    assert cost(HAIKU, 3000, cached=1000, written=500, wrote=200) == (
        1500 * price.input + 1000 * price.cached + 500 * price.written + 200 * price.output
    ) / Decimal(1_000_000)


def test_the_table_says_where_its_prices_are_from_and_of_which_day() -> None:
    assert "aws.amazon.com/bedrock/pricing" in price_table().source
    assert date(2026, 1, 1) < price_table().date < date(2100, 1, 1)


@pytest.mark.parametrize(("prices", "model"), [("bedrock", "global.x"), ("", HAIKU), ("openai", "qwen3")])
def test_a_price_that_is_not_in_the_table_is_not_known(prices: str, model: str) -> None:
    assert cost(model, 10, prices=prices) is None


def test_a_request_without_tokens_costs_nothing() -> None:
    assert cost("qwen3", 0, prices="") == 0


def test_a_price_is_not_known_for_a_prompt_longer_than_it_holds_for() -> None:
    price = price_table().price("bedrock", HAIKU)
    assert price
    assert price.up_to
    assert cost(HAIKU, price.up_to) is not None
    assert cost(HAIKU, price.up_to + 1) is None


@pytest.mark.parametrize(
    ("url", "found"),
    [
        ("https://api.openai.com/v1", "openai"),
        ("https://openrouter.ai/api/v1", "openrouter"),
        ("http://127.0.0.1:11434/v1", ""),
        ("https://api.openai.com.evil.example/v1", ""),
    ],
)
def test_prices_are_valid_only_at_their_provider(url: str, found: str) -> None:
    assert price_list(url) == found


def test_every_model_that_a_profile_names_has_a_price() -> None:
    lists = {"bedrock": "global.{}", "openrouter": "{}"}
    for name, profile in all_profiles().items():
        for entry in profile.models:
            if entry.provider in lists:
                model = lists[entry.provider].format(entry.model)
                assert price_table().price(entry.provider, model), f"{name}: {model}"
