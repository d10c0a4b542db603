"""Where an OpenAI-compatible endpoint is, which of its models to use, and the key to it."""

from dataclasses import dataclass, field
from urllib.parse import urlsplit

OPENAI = "https://api.openai.com/v1"
OPENROUTER = "https://openrouter.ai/api/v1"


@dataclass(frozen=True)
class Endpoint:
    """What the operator's environment says; empty where it says nothing. The key is never shown."""

    base_url: str = ""
    api_key: str = field(default="", repr=False)
    model: str = ""

    @property
    def url(self) -> str:
        """Where requests go: OpenAI itself where no other URL is set."""
        return self.base_url or OPENAI

    @property
    def is_openai(self) -> bool:
        """Whether it is OpenAI's own, which knows fields that others reject."""
        return urlsplit(self.url).hostname == urlsplit(OPENAI).hostname

    def lacks(self) -> str | None:
        """Return what must be set before the endpoint can be used, or None. Nothing is sent anywhere."""
        if not self.model:
            return "PLANLOOM_MODEL is not set: name a model of your endpoint"
        if not self.base_url and not self.api_key:
            return "neither OPENAI_BASE_URL nor OPENAI_API_KEY is set"
        parts = urlsplit(self.url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            return "OPENAI_BASE_URL is not an http or https URL"
        return None
