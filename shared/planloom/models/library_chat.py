"""Adapts a model of the model library to ChatModel: converts prompts, replies and errors, and tries output modes.

Only this file and those of the providers import the model library; they are imported when a language model is called.
"""

import asyncio
from typing import Any

from pydantic_ai import exceptions as library
from pydantic_ai.messages import (
    CachePoint,
    ModelMessage,
    ModelRequest,
    ModelResponse,
    SystemPromptPart,
    TextPart,
    ToolCallPart,
    UserPromptPart,
)
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition

from planloom.models import errors as model_errors
from planloom.models.chat_model import Finish, ModeUnknown, Reply
from planloom.models.profile import ModelEntry, OutputMode
from planloom.models.prompt import Prompt

#: The name of the schema in requests.
ANSWER = "answer"

#: Exception of the library, class and message of our error; the first match applies. The provider's own message is
#: left out: it may contain keys, prompts or addresses.
ERRORS: tuple[tuple[type[Exception], type[model_errors.ModelError], str], ...] = (
    (library.ModelTimeoutError, model_errors.ModelTimedOut, "no response before the timeout"),
    (library.ModelRequestTimeout, model_errors.ModelTimedOut, "no response before the timeout"),
    (TimeoutError, model_errors.ModelTimedOut, "no response before the timeout"),
    (library.ModelRateLimitError, model_errors.ModelRateLimited, "too many requests"),
    (
        library.ModelQuotaExceededError,
        model_errors.ModelUnavailable,
        "the quota or credit at the provider is used up: add credit, then resume the plan",
    ),
    (library.ModelServerError, model_errors.ModelServerError, "the provider returned a server error"),
    (library.ModelUnavailableError, model_errors.ModelServerError, "the provider is overloaded or down"),
    (
        library.ModelConnectionError,
        model_errors.ModelServerError,
        "the provider cannot be reached, or closed the connection",
    ),
    (library.ContentFilterError, model_errors.AnswerRefused, "the model refused to answer"),
    (
        library.ModelAuthenticationError,
        model_errors.ModelRejected,
        "the provider rejects the API key, or the key has no access to this model: check both",
    ),
    (
        library.ModelNotFoundError,
        model_errors.ModelRejected,
        "the provider has no such model, or its URL is wrong: check the name, and whether the URL must end in /v1",
    ),
    (
        library.ModelContextWindowExceededError,
        model_errors.ModelRejected,
        "the request is longer than the model's context",
    ),
    (library.ModelHTTPError, model_errors.ModelRejected, "the provider rejects the request"),
    (library.UserError, model_errors.ModelRejected, "the model library cannot send this request"),
    (Exception, model_errors.ModelServerError, "the provider's response is not valid"),
)

#: Exceptions that the library documents: their class name would add nothing to the message.
LIBRARY: tuple[type[Exception], ...] = (library.AgentRunError, library.UserError, TimeoutError)

#: Proxies with a shorter timeout than ours answer with it.
TIMED_OUT = 408

#: How endpoints answer if they do not support a field of the request.
MODE_STATUSES = frozenset({400, 415, 422, 501})

FINISHES: dict[str | None, Finish] = {"length": "truncated", "content_filter": "refused"}


class LibraryChat:
    """*model* with the settings of *entry*, for one event loop; it keeps to the first output mode that works.

    *prices* is the name of its price list, empty if none is known.
    """

    def __init__(self, entry: ModelEntry, model: Model[Any], settings: ModelSettings, prices: str) -> None:
        self._entry = entry
        self._model = model
        self._settings = ModelSettings(max_tokens=entry.max_tokens) | settings
        self._prices = prices
        self._modes = list(entry.output)

    @property
    def name(self) -> str:
        """The name of the model at its provider."""
        return self._entry.model

    @property
    def prices(self) -> str:
        """The name of its price list."""
        return self._prices

    #: Whether the provider's prompt cache needs a cache point after the shared material.
    marks_cache = False

    async def reply(self, prompt: Prompt) -> Reply:
        """Send *prompt* once. Raises ModelError by class, ModeUnknown if another output mode should be tried."""
        mode = self._modes[0]
        messages, parameters = _messages(prompt, marked=self.marks_cache), _parameters(prompt, mode)
        try:
            async with asyncio.timeout(self._entry.timeout_seconds):
                return _reply(await self._model.request(messages, self._settings, parameters))
        except Exception as error:
            # any other exception too: the request is valid, so the response is the cause
            raise self._convert(error, mode) from None

    def _convert(self, error: Exception, mode: OutputMode) -> model_errors.ModelError:
        kind, words = next((ours, words) for theirs, ours, words in ERRORS if isinstance(error, theirs))
        status = error.status_code if isinstance(error, library.ModelHTTPError) else None
        if status == TIMED_OUT:
            kind, words = model_errors.ModelTimedOut, "no response before the timeout"
        if status:
            words = f"{words} (HTTP {status})"
        elif not isinstance(error, LIBRARY):
            # the class name shows a fault of our own; its message may contain the prompt
            words = f"{words} ({type(error).__name__})"
        unknown = status in MODE_STATUSES or isinstance(error, library.UserError)
        if kind is model_errors.ModelRejected and unknown and self._other_mode(mode):
            return ModeUnknown(f"{words} in output mode '{mode}'")
        if kind is model_errors.ModelRateLimited:
            return model_errors.ModelRateLimited(words, getattr(error, "retry_after", None))
        return kind(words)

    def _other_mode(self, mode: OutputMode) -> bool:
        """Stop using *mode* if there is another one; return whether there is another one to try."""
        if mode == self._modes[0] and len(self._modes) > 1:
            self._modes.pop(0)
        return mode != self._modes[0]


def _messages(prompt: Prompt, *, marked: bool) -> list[ModelMessage]:
    user = UserPromptPart(prompt.user)
    if marked and prompt.material:
        user = UserPromptPart([prompt.material, CachePoint(), prompt.asked])
    found: list[ModelMessage] = [ModelRequest(parts=[SystemPromptPart(prompt.system), user])]
    for exchange in prompt.earlier:
        found.append(ModelResponse(parts=[TextPart(exchange.answer)]))
        found.append(ModelRequest(parts=[UserPromptPart(exchange.complaint)]))
    return found


def _parameters(prompt: Prompt, mode: OutputMode) -> ModelRequestParameters:
    # not strict: a strict schema has no bounds, and bounds keep answers short
    if mode == "tool":
        tool = ToolDefinition(name=ANSWER, parameters_json_schema=prompt.schema, kind="output", strict=False)
        return ModelRequestParameters(output_mode=mode, output_tools=[tool], allow_text_output=False)
    shape = OutputObjectDefinition(json_schema=prompt.schema, name=ANSWER, strict=False)
    return ModelRequestParameters(output_mode=mode, output_object=shape)


def _reply(response: ModelResponse) -> Reply:
    calls = [part.args_as_json_str() for part in response.parts if isinstance(part, ToolCallPart)]
    texts = [part.content for part in response.parts if isinstance(part, TextPart)]
    cached, written = response.usage.cache_read_tokens, response.usage.cache_write_tokens
    return Reply(
        text=calls[0] if calls else "".join(texts),
        finish=FINISHES.get(response.finish_reason, "complete"),
        # some endpoints do not include cached tokens in the input tokens
        input_tokens=max(response.usage.input_tokens, cached + written),
        cached_tokens=cached,
        written_tokens=written,
        output_tokens=response.usage.output_tokens,
    )
