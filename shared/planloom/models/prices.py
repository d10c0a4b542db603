"""The price of a request, from the price table; a price that is not in the table is not estimated."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cache
from importlib.resources import files
from typing import Any
from urllib.parse import urlsplit

from planloom.core.frozen import Frozen

MILLION = 1_000_000

#: The price list by host; the same model may have another price at another host.
HOSTS = {"api.openai.com": "openai", "openrouter.ai": "openrouter"}


class Price(Frozen):
    """US dollars per million tokens, valid for prompts of at most ``up_to`` tokens."""

    input: Decimal
    cached: Decimal
    written: Decimal
    output: Decimal
    up_to: int | None = None


@dataclass(frozen=True)
class PriceTable:
    """Prices by list and model, with their source and date."""

    source: str
    date: date
    prices: Mapping[str, Mapping[str, Mapping[str, Any]]]

    def price(self, prices: str, model: str) -> Price | None:
        """Return the price of *model* in the list *prices*, or None."""
        found = self.prices.get(prices, {}).get(model)
        # only this one of eight hundred is validated
        return Price.model_validate(found) if found else None


@cache
def price_table() -> PriceTable:
    """Return the price table of the package."""
    text = (files(__package__) / "prices.toml").read_text(encoding="utf-8")
    # Decimal: sums of thousands of prices are exact
    found = tomllib.loads(text, parse_float=Decimal)
    head = found.pop("table")
    return PriceTable(source=head["source"], date=head["date"], prices=found)


def price_list(url: str) -> str:
    """Return the name of the price list for the endpoint *url*, empty if there is none."""
    return HOSTS.get(urlsplit(url).hostname or "", "")


def price_of(
    prices: str, model: str, *, input_tokens: int, cached_tokens: int, written_tokens: int, output_tokens: int
) -> Decimal | None:
    """Return the price of one request in US dollars, or None if the table has none.

    *input_tokens* includes cached and written tokens.
    """
    if not input_tokens and not output_tokens:
        return Decimal(0)
    price = price_table().price(prices, model)
    if price is None or (price.up_to is not None and input_tokens > price.up_to):
        return None
    plain = input_tokens - cached_tokens - written_tokens
    parts = (
        plain * price.input,
        cached_tokens * price.cached,
        written_tokens * price.written,
        output_tokens * price.output,
    )
    return sum(parts, Decimal(0)) / MILLION
