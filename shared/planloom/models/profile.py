"""A model profile: models in order of preference, and the settings of each."""

from typing import Literal

from pydantic import Field

from planloom.core.frozen import Frozen

ModelProfile = Literal["baseline", "premium", "frontier", "custom"]
Provider = Literal["outline", "openai", "openrouter", "bedrock"]
OutputMode = Literal["native", "tool", "prompted"]


class ModelEntry(Frozen):
    """One model of a profile. ``model`` is empty if the operator's environment names it."""

    key: str
    provider: Provider
    model: str = ""
    output: tuple[OutputMode, ...] = Field(
        default=("tool", "prompted"),
        min_length=1,
        description="How the schema is sent; the first that works is used",
    )
    max_tokens: int = Field(default=32_000, gt=0, description="Limit on each answer")
    timeout_seconds: float = Field(default=600.0, gt=0, description="Limit on each request")


class Profile(Frozen):
    """A profile: its models in order of preference; a stage sends at most ``concurrency`` requests at a time."""

    title: str
    summary: str
    concurrency: int = Field(default=40, gt=0)
    models: tuple[ModelEntry, ...]
