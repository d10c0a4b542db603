"""Settings of an OpenAI-compatible endpoint: its URL, the API key and the model to use."""

from dataclasses import dataclass, field
from urllib.parse import urlsplit

OPENAI = "https://api.openai.com/v1"
#: Upper bounds of the settings: a stage has about 13 minutes (780 seconds), and at most 100 calls at a time.
MOST_CALLS, LONGEST, MOST_TOKENS = 100, 780, 200_000
OPENROUTER = "https://openrouter.ai/api/v1"


@dataclass(frozen=True)
class Endpoint:
    """The settings of the operator's environment, empty if not set. The key is not in its repr.

    ``concurrency`` (requests at a time), ``timeout`` (seconds) and ``max_tokens`` (of one answer) replace the bounds of
    the profile, for a server that is slow or small.
    """

    base_url: str = ""
    api_key: str = field(default="", repr=False)
    model: str = ""
    concurrency: str = ""
    timeout: str = ""
    max_tokens: str = ""

    @property
    def url(self) -> str:
        """The base URL of requests: that of OpenAI if no other is set."""
        return self.base_url or OPENAI

    @property
    def is_openai(self) -> bool:
        """Whether this is OpenAI's own endpoint, which accepts fields that others reject."""
        return urlsplit(self.url).hostname == urlsplit(OPENAI).hostname

    def bounds(self) -> dict[str, int]:
        """Return the bounds that are set, by field name of Profile or ModelEntry."""
        given = {
            "concurrency": self.concurrency,
            "timeout_seconds": self.timeout,
            "max_tokens": self.max_tokens,
        }
        return {name: int(value) for name, value in given.items() if value}

    def lacks(self) -> str | None:
        """Return why the endpoint cannot be used, or None; sends no request."""
        if not self.model:
            return "PLANLOOM_MODEL is not set: set it to the name of a model of your endpoint"
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
