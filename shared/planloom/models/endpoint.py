"""Where an OpenAI-compatible endpoint is, which of its models to use, and the key to it."""

from dataclasses import dataclass, field
from urllib.parse import urlsplit

OPENAI = "https://api.openai.com/v1"
#: What an operator may set: a stage has some thirteen minutes, and no fan-out so many calls.
MOST_CALLS, LONGEST, MOST_TOKENS = 100, 780, 200_000
OPENROUTER = "https://openrouter.ai/api/v1"


@dataclass(frozen=True)
class Endpoint:
    """What the operator's environment says; empty where it says nothing. The key is never shown.

    ``concurrency``, ``timeout`` (seconds) and ``max_tokens`` (of one answer) suit the profile to a server that answers
    slowly, few at a time, or shortly.
    """

    base_url: str = ""
    api_key: str = field(default="", repr=False)
    model: str = ""
    concurrency: str = ""
    timeout: str = ""
    max_tokens: str = ""

    @property
    def url(self) -> str:
        """Where requests go: OpenAI itself where no other URL is set."""
        return self.base_url or OPENAI

    @property
    def is_openai(self) -> bool:
        """Whether it is OpenAI's own, which knows fields that others reject."""
        return urlsplit(self.url).hostname == urlsplit(OPENAI).hostname

    def bounds(self) -> dict[str, int]:
        """Return the bounds that are set, by the name of the profile's or the model's own; empty where none is."""
        told = {
            "concurrency": self.concurrency,
            "timeout_seconds": self.timeout,
            "max_tokens": self.max_tokens,
        }
        return {name: int(value) for name, value in told.items() if value}

    def lacks(self) -> str | None:
        """Return what must be set before the endpoint can be used, or None. Nothing is sent anywhere."""
        if not self.model:
            return "PLANLOOM_MODEL is not set: name a model of your endpoint"
        if not self.base_url and not self.api_key:
            return "neither OPENAI_BASE_URL nor OPENAI_API_KEY is set"
        parts = urlsplit(self.url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            return "OPENAI_BASE_URL is not an http or https URL"
        if not _within(self.concurrency, MOST_CALLS):
            return f"PLANLOOM_MODEL_CONCURRENCY is not a whole number from 1 to {MOST_CALLS}"
        if not _within(self.timeout, LONGEST):
            return f"PLANLOOM_MODEL_TIMEOUT is not a whole number of seconds from 1 to {LONGEST}"
        if not _within(self.max_tokens, MOST_TOKENS):
            return f"PLANLOOM_MODEL_MAX_TOKENS is not a whole number of tokens from 1 to {MOST_TOKENS}"
        return None


def _within(value: str, most: int) -> bool:
    return not value or (value.isascii() and value.isdigit() and 1 <= int(value) <= most)
