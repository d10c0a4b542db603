"""Estimates calls, tokens, price and minutes of a plan, from measurements of earlier drafts."""

from dataclasses import dataclass
from decimal import Decimal

from planloom.core.frozen import Frozen
from planloom.models.prices import price_of
from planloom.models.profile import ModelProfile
from planloom.models.profiles import Models
from planloom.planes.strategic.plans import Detail

#: Characters per token of English prose.
CHARACTERS_A_TOKEN = 4


@dataclass(frozen=True)
class Measured:
    """Measured usage of drafts, as least and most; tokens are per call, without the goal."""

    calls: tuple[int, int]
    minutes: tuple[int, int]
    input_tokens: int = 3_600
    output_tokens: tuple[int, int] = (500, 2_000)


#: Calls: 42, 51 and 54 for drafts without retries, at most with two parts in three repeated. Tokens: 23 requests of one
#: draft (on average 92,000 characters sent and 14,000 received, 22 November 2026), doubled for later calls, which
#: contain all that was written before.
BY_DETAIL: dict[Detail, Measured] = {
    "brief": Measured((36, 55), (8, 20), 30_000, (1_500, 3_000)),
    "standard": Measured((48, 80), (10, 30), 42_000, (2_000, 4_000)),
    "full": Measured((52, 90), (12, 35), 42_000, (2_000, 4_000)),
}
#: The largest part of the input that a provider reads from its cache: what calls share (docs/measurements.md).
CACHED = Decimal("0.8")
#: The outline takes 5 to 25 seconds (docs/measurements.md) and no tokens.
OUTLINE = Measured((0, 0), (1, 1))


class Bounds(Frozen):
    """The least and the most."""

    low: int
    high: int


class PriceBounds(Frozen):
    """The least and the most, in US dollars."""

    low: float
    high: float


class Quote(Frozen):
    """The estimate for a plan. Tokens are upper bounds; the price is null if the price of a model is not known."""

    model_profile: ModelProfile
    detail: Detail
    models: tuple[str, ...]
    calls: Bounds
    input_tokens: int
    output_tokens: int
    price_usd: PriceBounds | None
    minutes: Bounds


def quote(models: Models, profile: ModelProfile, goal: str, detail: Detail = "standard") -> Quote:
    """Return the estimate for a plan for *goal* of *detail* with *profile*. Raises ModelProfilesUnavailable."""
    names = models.names(profile)
    measured = OUTLINE if models.outline_only(profile) else BY_DETAIL[detail]
    most = measured.calls[1]
    read = measured.input_tokens + len(goal) // CHARACTERS_A_TOKEN
    return Quote(
        model_profile=profile,
        detail=detail,
        models=names,
        calls=_bounds(measured.calls),
        input_tokens=most * read,
        output_tokens=most * measured.output_tokens[1],
        price_usd=_price(models, profile, measured, read),
        minutes=_bounds(measured.minutes),
    )


def _bounds(pair: tuple[int, int]) -> Bounds:
    return Bounds(low=pair[0], high=pair[1])


def _price(models: Models, profile: ModelProfile, measured: Measured, read: int) -> PriceBounds | None:
    """Return the price with the model that is called first: the least with a cache, the most without."""
    prices, model = models.priced_first(profile)
    found = []
    for calls, cached, written in zip(measured.calls, (CACHED, Decimal(0)), measured.output_tokens, strict=True):
        # the tokens of one call: a price may be valid only up to a length of its prompt
        price = price_of(
            prices,
            model,
            input_tokens=read if calls else 0,
            cached_tokens=int(read * cached) if calls else 0,
            written_tokens=0,
            output_tokens=written if calls else 0,
        )
        if price is None:
            return None
        found.append(round(float(price * calls), 2))
    return PriceBounds(low=found[0], high=found[1])
