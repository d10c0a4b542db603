"""The configured providers of a deployment, and what is missing to use each of the others. Sends no request."""

from dataclasses import dataclass, field
from typing import Any, Protocol

from planloom.models.endpoint import OPENROUTER, Endpoint
from planloom.models.profile import ModelEntry, Provider


class ConnectBedrock(Protocol):
    """Makes a client of the Bedrock runtime, so that this package does not import the SDK."""

    def __call__(self, *, timeout: float, connections: int) -> Any:
        """Return a client with a read timeout of *timeout* seconds, no retries and a pool of *connections*."""
        ...


@dataclass(frozen=True)
class Bedrock:
    """Amazon Bedrock in one region, by inference profiles of one geography (``global``, ``us``, ``eu``, ...)."""

    region: str
    connect: ConnectBedrock = field(repr=False, compare=False)
    geography: str = "global"

    def profile_id(self, model: str) -> str:
        """Return the inference profile of the foundation model *model*."""
        return f"{self.geography}.{model}"


@dataclass(frozen=True)
class Providers:
    """The configured providers. ``no_bedrock`` is the reason why Bedrock is not; ``outline`` allows the outline."""

    endpoint: Endpoint = field(default_factory=Endpoint)
    openrouter: Endpoint = field(default_factory=lambda: Endpoint(OPENROUTER))
    bedrock: Bedrock | None = None
    no_bedrock: str = "no AWS credentials are set"
    outline: bool = True

    def available(self, entry: ModelEntry) -> ModelEntry | None:
        """Return *entry* with the name of the model at its provider, or None if the provider is not configured."""
        if self.lacks(entry):
            return None
        if entry.provider == "openai":
            bounds = self.endpoint.bounds()
            timeout = float(bounds.get("timeout_seconds", entry.timeout_seconds))
            most = bounds.get("max_tokens", entry.max_tokens)
            return entry.model_copy(
                update={"model": self.endpoint.model, "timeout_seconds": timeout, "max_tokens": most}
            )
        if entry.provider == "bedrock" and self.bedrock:
            return entry.model_copy(update={"model": self.bedrock.profile_id(entry.model)})
        return entry

    def lacks(self, entry: ModelEntry) -> str | None:
        """Return why *entry* cannot be called, or None."""
        if entry.provider == "openai":
            return self.endpoint.lacks()
        missing: dict[Provider, str | None] = {
            "openrouter": None if self.openrouter.api_key else "OPENROUTER_API_KEY is not set",
            "bedrock": None if self.bedrock else self.no_bedrock,
            "outline": None if self.outline else "the outline is available only on the embedded AWS",
        }
        return missing[entry.provider]
