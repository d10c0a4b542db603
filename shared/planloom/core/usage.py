"""What model calls cost: requests, tokens, seconds and money, added up from request to call to stage to plan."""

from decimal import Decimal
from typing import Literal

from pydantic import Field

from planloom.core.frozen import Frozen

CURRENCY = "USD"

Outcome = Literal[
    "answered", "invalid", "truncated", "refused", "rejected", "rate_limited", "server_error", "timed_out", "cancelled"
]


class Usage(Frozen):
    """Counts for one call, one stage or one plan; add two with ``+``."""

    calls: int = Field(default=0, ge=0, description="Requests sent, failed ones included")
    retries: int = Field(default=0, ge=0, description="Part of calls: those after a question's first")
    input_tokens: int = Field(default=0, ge=0)
    cached_tokens: int = Field(default=0, ge=0, description="Part of input_tokens served from a cache")
    output_tokens: int = Field(default=0, ge=0)
    seconds: float = Field(default=0.0, ge=0, description="Sum over calls; calls run beside each other")
    price: Decimal = Field(default=Decimal(0), ge=0, description="US dollars, of the requests whose price is known")
    unpriced: int = Field(default=0, ge=0, description="Part of calls: those with tokens of a model without a price")

    @property
    def price_known(self) -> bool:
        """Whether ``price`` is all of it."""
        return self.unpriced == 0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            calls=self.calls + other.calls,
            retries=self.retries + other.retries,
            input_tokens=self.input_tokens + other.input_tokens,
            cached_tokens=self.cached_tokens + other.cached_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            seconds=round(self.seconds + other.seconds, 6),
            price=self.price + other.price,
            unpriced=self.unpriced + other.unpriced,
        )


class Request(Frozen):
    """One request to one model, and how it ended; ``price`` in US dollars, None where it is not known.

    Where a request brought no answer, the provider said nothing of tokens, and none are counted.
    """

    model: str
    outcome: Outcome
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0
    price: Decimal | None = None

    def usage(self, *, again: bool) -> Usage:
        """Return the request as usage; *again*: not its question's first."""
        return Usage(
            calls=1,
            retries=int(again),
            input_tokens=self.input_tokens,
            cached_tokens=self.cached_tokens,
            output_tokens=self.output_tokens,
            seconds=self.seconds,
            price=Decimal(0) if self.price is None else self.price,
            unpriced=int(self.price is None),
        )


class Bill(Usage):
    """The usage of one question with the requests that it took, in order."""

    requests: tuple[Request, ...] = ()

    def and_(self, request: Request) -> "Bill":
        """Return the bill with *request* on it."""
        total = self + request.usage(again=bool(self.requests))
        return Bill(**total.model_dump(), requests=(*self.requests, request))
