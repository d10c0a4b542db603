"""What a profile is: models in order of preference, and how each is asked."""

from typing import Literal

from pydantic import Field

from planloom.domain.frozen import Frozen

Provider = Literal["outline", "openai", "openrouter", "bedrock"]
OutputMode = Literal["native", "tool", "prompted"]


class ModelEntry(Frozen):
    """One model of a profile. ``model`` is empty where the operator's environment names it."""

    key: str
    provider: Provider
    model: str = ""
    output: tuple[OutputMode, ...] = Field(
        default=("tool", "prompted"), min_length=1, description="How the schema is sent: the first that works"
    )
    max_tokens: int = Field(default=32_000, gt=0, description="Limit on each answer")
    timeout_seconds: float = Field(default=600.0, gt=0, description="Limit on each request")


class Profile(Frozen):
    """A profile: its models in order of preference; ``concurrency`` bounds the requests of one stage at a time."""

    title: str
    summary: str
    concurrency: int = Field(default=40, gt=0)
    models: tuple[ModelEntry, ...]
