"""A model behind an OpenAI-compatible endpoint: OpenAI, OpenRouter, Ollama, vLLM, LM Studio.

The model library is imported here and nowhere else, and this module only once a language model is asked.
"""

import asyncio

import httpx2
from openai import AsyncOpenAI, OpenAIError
from pydantic_ai import exceptions as library
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    SystemPromptPart,
    TextPart,
    ToolCallPart,
    UserPromptPart,
)
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.profiles.openai import OpenAIModelProfile
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition

from planloom.domain import errors
from planloom.models.chat_model import Finish, ModeUnknown, Reply
from planloom.models.endpoint import Endpoint
from planloom.models.profile import ModelEntry, OutputMode
from planloom.models.prompt import Prompt

#: The name under which the answer's schema is sent.
ANSWER = "answer"

#: What the library raises, what it is to us, and how we put it; the first that fits counts. What the provider said
#: is left out: it may repeat keys, prompts or addresses.
ERRORS: tuple[tuple[type[Exception], type[errors.ModelError], str], ...] = (
    (library.ModelTimeoutError, errors.ModelTimedOut, "no answer in time"),
    (library.ModelRequestTimeout, errors.ModelTimedOut, "no answer in time"),
    (TimeoutError, errors.ModelTimedOut, "no answer in time"),
    (library.ModelRateLimitError, errors.ModelRateLimited, "too many requests"),
    (library.ModelQuotaExceededError, errors.ModelUnavailable, "its quota or credit is used up"),
    (library.ModelServerError, errors.ModelServerError, "the provider failed"),
    (library.ModelUnavailableError, errors.ModelServerError, "the provider is overloaded or down"),
    (library.ModelConnectionError, errors.ModelServerError, "the provider cannot be reached, or hung up"),
    (library.ContentFilterError, errors.AnswerRefused, "it refused to answer"),
    (library.ModelAuthenticationError, errors.ModelRejected, "the provider rejects the API key"),
    (library.ModelNotFoundError, errors.ModelRejected, "the provider knows no such model, or its URL is wrong"),
    (library.ModelContextWindowExceededError, errors.ModelRejected, "the request is too long for it"),
    (library.ModelAPIError, errors.ModelRejected, "the provider rejects the request"),
    (Exception, errors.ModelServerError, "the provider's answer makes no sense"),
)

#: What may go wrong on the way; anything else is a fault of ours and goes up as it is.
EXPECTED = (library.AgentRunError, OpenAIError, httpx2.HTTPError, TimeoutError, ValueError)

#: How endpoints turn down a field of the request that they do not know.
MODE_STATUSES = frozenset({400, 415, 422, 501})

FINISHES: dict[str | None, Finish] = {"length": "truncated", "content_filter": "refused"}


class OpenAIChat:
    """*entry* at *endpoint*, for one event loop; the first of the entry's output modes that works is kept."""

    def __init__(self, entry: ModelEntry, endpoint: Endpoint) -> None:
        # planloom asks again by its own rules; a key must be given even where the endpoint wants none
        self._client = AsyncOpenAI(
            api_key=endpoint.api_key or "none", base_url=endpoint.url, max_retries=0, timeout=entry.timeout_seconds
        )
        self._model = OpenAIChatModel(
            entry.model,
            provider=OpenAIProvider(openai_client=self._client),
            profile=OpenAIModelProfile(openai_chat_supports_max_completion_tokens=endpoint.is_openai),
        )
        self._entry = entry
        self._modes = list(entry.output)

    @property
    def name(self) -> str:
        """The model's name at its provider."""
        return self._entry.model

    async def close(self) -> None:
        """Hang up."""
        await self._client.close()

    async def reply(self, prompt: Prompt) -> Reply:
        """Send *prompt* once. Raises ModelError by class; ModeUnknown where another output mode should be tried."""
        mode = self._modes[0]
        try:
            async with asyncio.timeout(self._entry.timeout_seconds):
                return _reply(await self._send(prompt, mode))
        except EXPECTED as error:
            raise self._ours(error, mode) from None

    async def _send(self, prompt: Prompt, mode: OutputMode) -> ModelResponse:
        settings = ModelSettings(max_tokens=self._entry.max_tokens, timeout=self._entry.timeout_seconds)
        return await self._model.request(_messages(prompt), settings, _parameters(prompt, mode))

    def _ours(self, error: Exception, mode: OutputMode) -> errors.ModelError:
        kind, words = next((ours, words) for theirs, ours, words in ERRORS if isinstance(error, theirs))
        if isinstance(error, library.ModelHTTPError):
            words = f"{words} (HTTP {error.status_code})"
            if kind is errors.ModelRejected and error.status_code in MODE_STATUSES and self._other_mode(mode):
                return ModeUnknown(f"{words} in output mode '{mode}'")
        if kind is errors.ModelRateLimited:
            return errors.ModelRateLimited(words, getattr(error, "retry_after", None))
        return kind(words)

    def _other_mode(self, mode: OutputMode) -> bool:
        """Leave *mode*, if it is still in use and another is left; return whether there is one to try now."""
        if mode == self._modes[0] and len(self._modes) > 1:
            self._modes.pop(0)
        return mode != self._modes[0]


def _messages(prompt: Prompt) -> list[ModelMessage]:
    found: list[ModelMessage] = [ModelRequest(parts=[SystemPromptPart(prompt.system), UserPromptPart(prompt.user)])]
    for exchange in prompt.earlier:
        found.append(ModelResponse(parts=[TextPart(exchange.answer)]))
        found.append(ModelRequest(parts=[UserPromptPart(exchange.complaint)]))
    return found


def _parameters(prompt: Prompt, mode: OutputMode) -> ModelRequestParameters:
    # not strict: it would drop the bounds from the schema, and bounds are what keeps answers short
    if mode == "tool":
        tool = ToolDefinition(name=ANSWER, parameters_json_schema=prompt.schema, kind="output", strict=False)
        return ModelRequestParameters(output_mode=mode, output_tools=[tool], allow_text_output=False)
    shape = OutputObjectDefinition(json_schema=prompt.schema, name=ANSWER, strict=False)
    return ModelRequestParameters(output_mode=mode, output_object=shape)


def _reply(response: ModelResponse) -> Reply:
    called = [part.args_as_json_str() for part in response.parts if isinstance(part, ToolCallPart)]
    said = [part.content for part in response.parts if isinstance(part, TextPart)]
    return Reply(
        text=called[0] if called else "".join(said),
        finish=FINISHES.get(response.finish_reason, "complete"),
        input_tokens=response.usage.input_tokens,
        cached_tokens=response.usage.cache_read_tokens,
        output_tokens=response.usage.output_tokens,
    )
