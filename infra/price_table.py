"""Updates the price table: ``python -m infra.price_table`` reads prices from the locked genai-prices package.

For Amazon Bedrock the table has the models of the profiles, by inference profile; for OpenAI and OpenRouter, where the
operator names the model, all text models. If a price depends on the length of the prompt, the table has the length up
to which it is valid; for longer prompts it is unknown.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from importlib.metadata import version
from pathlib import Path

from genai_prices import data
from genai_prices.types import ModelInfo, ModelPrice, Provider, TieredPrices

from infra.sources import ROOT
from planloom.models.profiles import all_profiles
from planloom.settings import GEOGRAPHIES

TABLE = ROOT / "shared" / "planloom" / "models" / "prices.toml"
PROVIDERS = {"openai": "openai", "openrouter": "openrouter"}

HEAD = """\
# What models cost: US dollars per million tokens. Written by `python -m infra.price_table`; do not edit by hand.
# input: read and not cached; cached: read from the provider's cache; written: read and written to that cache;
# output: answered. up_to: the longest prompt, in tokens, for which the prices are valid, if longer ones cost more.

[table]
source = "genai-prices {version}; it names {urls}"
date = {date}
currency = "USD"
"""


@dataclass(frozen=True)
class Row:
    """The price of one model."""

    model: str
    input: Decimal
    cached: Decimal
    written: Decimal
    output: Decimal
    up_to: int | None

    def line(self) -> str:
        """Return the row as TOML."""
        parts = {"input": self.input, "cached": self.cached, "written": self.written, "output": self.output}
        shown = [f"{name} = {price.normalize():f}" for name, price in parts.items()]
        if self.up_to is not None:
            shown.append(f"up_to = {self.up_to}")
        return f'"{self.model}" = {{ {", ".join(shown)} }}'


def main() -> None:
    """Write the table."""
    TABLE.write_text(table(datetime.now(UTC)), encoding="utf-8")
    sys.stdout.write(f"{TABLE.relative_to(Path.cwd())}: {TABLE.read_text().count(' = {')} prices\n")


def table(now: datetime) -> str:
    """Return the table with the prices that are valid at *now*."""
    urls = [_provider(name).pricing_urls for name in ("aws", *PROVIDERS.values())]
    head = HEAD.format(
        version=version("genai-prices"), urls=", ".join(found[0] for found in urls if found), date=now.date()
    )
    parts = {"bedrock": sorted(_bedrock(now), key=lambda row: row.model)} | {
        ours: sorted(_all(_provider(theirs), now), key=lambda row: row.model) for ours, theirs in PROVIDERS.items()
    }
    return head + "".join(f"\n[{name}]\n" + "".join(f"{row.line()}\n" for row in rows) for name, rows in parts.items())


def _bedrock(now: datetime) -> Iterator[Row]:
    aws = _provider("aws")
    ours = {e.model for p in all_profiles().values() for e in p.models if e.provider == "bedrock"}
    for geography in GEOGRAPHIES:
        for model in ours:
            name = f"{geography}.{model}"
            found = aws.find_model(name)
            if found and (row := _row(name, found, now)):
                yield row


def _all(provider: Provider, now: datetime) -> Iterator[Row]:
    for model in provider.models:
        # requests do not use batches and fine-tuned models
        if ":" not in model.id and (row := _row(model.id, model, now)):
            yield row


def _row(name: str, model: ModelInfo, now: datetime) -> Row | None:
    price = model.get_prices(now)
    read, wrote = _base(price.input_mtok), _base(price.output_mtok)
    if read is None or wrote is None:
        return None
    cached, written = _base(price.cache_read_mtok), _base(price.cache_write_mtok)
    return Row(
        model=name,
        input=read,
        cached=read if cached is None else cached,
        written=read if written is None else written,
        output=wrote,
        up_to=_up_to(price),
    )


def _base(price: Decimal | TieredPrices | None) -> Decimal | None:
    return price.base if isinstance(price, TieredPrices) else price


def _up_to(price: ModelPrice) -> int | None:
    tiered = (p for p in (price.input_mtok, price.output_mtok, price.cache_read_mtok) if isinstance(p, TieredPrices))
    return min((tier.start for prices in tiered for tier in prices.tiers), default=None)


def _provider(name: str) -> Provider:
    return next(provider for provider in data.providers if provider.id == name)


if __name__ == "__main__":
    main()
