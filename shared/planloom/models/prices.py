"""What a request costs, by the price table; what the table does not know is not guessed."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cache
from importlib.resources import files
from typing import Any
from urllib.parse import urlsplit

from planloom.domain.frozen import Frozen

MILLION = 1_000_000

#: Whose prices hold at which host; a model of that name elsewhere may cost anything.
HOSTS = {"api.openai.com": "openai", "openrouter.ai": "openrouter"}


class Price(Frozen):
    """US dollars per million tokens; ``up_to`` is the length of prompts, in tokens, up to which they hold."""

    input: Decimal
    cached: Decimal
    written: Decimal
    output: Decimal
    up_to: int | None = None


@dataclass(frozen=True)
class PriceTable:
    """Prices by list and model, as the file has them; where they are from, and of which day they are."""

    source: str
    date: date
    prices: Mapping[str, Mapping[str, Mapping[str, Any]]]

    def price(self, prices: str, model: str) -> Price | None:
        """Return the price of *model* in the list *prices*, or None."""
        found = self.prices.get(prices, {}).get(model)
        # one of eight hundred: the others need not be made
        return Price.model_validate(found) if found else None


@cache
def price_table() -> PriceTable:
    """Return the table that planloom ships."""
    text = (files(__package__) / "prices.toml").read_text(encoding="utf-8")
    # as decimals: sums over thousands of requests stay exact
    found = tomllib.loads(text, parse_float=Decimal)
    head = found.pop("table")
    return PriceTable(source=head["source"], date=head["date"], prices=found)


def price_list(url: str) -> str:
    """Return whose prices hold at the endpoint *url*, empty where that is not known."""
    return HOSTS.get(urlsplit(url).hostname or "", "")


def price_of(
    prices: str, model: str, *, input_tokens: int, cached_tokens: int, written_tokens: int, output_tokens: int
) -> Decimal | None:
    """Return US dollars for one request, or None where the table has no price for it.

    Cached and written tokens are parts of *input_tokens*.
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
