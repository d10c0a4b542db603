"""What model calls cost: calls, tokens and seconds, added up from call to stage to plan."""

from pydantic import Field

from planloom.domain.frozen import Frozen


class Usage(Frozen):
    """Counts for one call, one stage or one plan; add two with ``+``."""

    calls: int = Field(default=0, ge=0, description="Requests sent, failed ones included")
    retries: int = Field(default=0, ge=0, description="Part of calls: those after a question's first")
    input_tokens: int = Field(default=0, ge=0)
    cached_tokens: int = Field(default=0, ge=0, description="Part of input_tokens served from a cache")
    output_tokens: int = Field(default=0, ge=0)
    seconds: float = Field(default=0.0, ge=0, description="Sum over calls; calls run beside each other")

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            calls=self.calls + other.calls,
            retries=self.retries + other.retries,
            input_tokens=self.input_tokens + other.input_tokens,
            cached_tokens=self.cached_tokens + other.cached_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            seconds=round(self.seconds + other.seconds, 6),
        )
