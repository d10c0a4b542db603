"""A model of the model library as our chat model: prompts, replies and errors translated, output modes tried in turn.

The model library is imported here and by the providers' own files, and these only once a language model is asked.
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

from planloom.domain import model_errors
from planloom.models.chat_model import Finish, ModeUnknown, Reply
from planloom.models.profile import ModelEntry, OutputMode
from planloom.models.prompt import Prompt

#: The name under which the answer's schema is sent.
ANSWER = "answer"

#: What the library raises, what it is to us, and how we put it; the first that fits counts. What the provider said
#: is left out: it may repeat keys, prompts or addresses.
ERRORS: tuple[tuple[type[Exception], type[model_errors.ModelError], str], ...] = (
    (library.ModelTimeoutError, model_errors.ModelTimedOut, "no answer in time"),
    (library.ModelRequestTimeout, model_errors.ModelTimedOut, "no answer in time"),
    (TimeoutError, model_errors.ModelTimedOut, "no answer in time"),
    (library.ModelRateLimitError, model_errors.ModelRateLimited, "too many requests"),
    (
        library.ModelQuotaExceededError,
        model_errors.ModelUnavailable,
        "its quota or credit is used up: top it up, then resume",
    ),
    (library.ModelServerError, model_errors.ModelServerError, "the provider failed"),
    (library.ModelUnavailableError, model_errors.ModelServerError, "the provider is overloaded or down"),
    (library.ModelConnectionError, model_errors.ModelServerError, "the provider cannot be reached, or hung up"),
    (library.ContentFilterError, model_errors.AnswerRefused, "it refused to answer"),
    (
        library.ModelAuthenticationError,
        model_errors.ModelRejected,
        "the provider rejects the key, or denies it this model: check both",
    ),
    (
        library.ModelNotFoundError,
        model_errors.ModelRejected,
        "the provider knows no such model, or its URL is wrong: check the name, and whether the URL must end in /v1",
    ),
    (library.ModelContextWindowExceededError, model_errors.ModelRejected, "the request is too long for it"),
    (library.ModelHTTPError, model_errors.ModelRejected, "the provider rejects the request"),
    (library.UserError, model_errors.ModelRejected, "it cannot be asked"),
    (Exception, model_errors.ModelServerError, "the provider's answer makes no sense"),
)

#: What the library foresees; by what its errors are called nobody is helped.
LIBRARY: tuple[type[Exception], ...] = (library.AgentRunError, library.UserError, TimeoutError)

#: Some proxies give up on their model before we do.
TIMED_OUT = 408

#: How endpoints turn down a field of the request that they do not know.
MODE_STATUSES = frozenset({400, 415, 422, 501})

FINISHES: dict[str | None, Finish] = {"length": "truncated", "content_filter": "refused"}


class LibraryChat:
    """*model* as *entry* wants it asked, for one event loop; the first of the entry's output modes that works is kept.

    *prices* names the list of prices that holds there, empty where none does.
    """

    def __init__(self, entry: ModelEntry, model: Model[Any], settings: ModelSettings, prices: str) -> None:
        self._entry = entry
        self._model = model
        self._settings = ModelSettings(max_tokens=entry.max_tokens) | settings
        self._prices = prices
        self._modes = list(entry.output)

    @property
    def name(self) -> str:
        """The model's name at its provider."""
        return self._entry.model

    @property
    def prices(self) -> str:
        """The list of prices that holds for it."""
        return self._prices

    #: Whether the provider's prompt cache wants to be shown where shared material ends.
    marks_cache = False

    async def reply(self, prompt: Prompt) -> Reply:
        """Send *prompt* once. Raises ModelError by class; ModeUnknown where another output mode should be tried."""
        mode = self._modes[0]
        messages, parameters = _messages(prompt, marked=self.marks_cache), _parameters(prompt, mode)
        try:
            async with asyncio.timeout(self._entry.timeout_seconds):
                return _reply(await self._model.request(messages, self._settings, parameters))
        except Exception as error:
            # whatever it is: what was sent is sound, so that it comes of what was answered
            raise self._ours(error, mode) from None

    def _ours(self, error: Exception, mode: OutputMode) -> model_errors.ModelError:
        kind, words = next((ours, words) for theirs, ours, words in ERRORS if isinstance(error, theirs))
        status = error.status_code if isinstance(error, library.ModelHTTPError) else None
        if status == TIMED_OUT:
            kind, words = model_errors.ModelTimedOut, "no answer in time"
        if status:
            words = f"{words} (HTTP {status})"
        elif not isinstance(error, LIBRARY):
            # seen for what it is, should it be a fault of ours after all; what it says may repeat the prompt
            words = f"{words} ({type(error).__name__})"
        unknown = status in MODE_STATUSES or isinstance(error, library.UserError)
        if kind is model_errors.ModelRejected and unknown and self._other_mode(mode):
            return ModeUnknown(f"{words} in output mode '{mode}'")
        if kind is model_errors.ModelRateLimited:
            return model_errors.ModelRateLimited(words, getattr(error, "retry_after", None))
        return kind(words)

    def _other_mode(self, mode: OutputMode) -> bool:
        """Leave *mode*, if it is still in use and another is left; return whether there is one to try now."""
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
    # not strict: it would drop the bounds from the schema, and bounds are what keeps answers short
    if mode == "tool":
        tool = ToolDefinition(name=ANSWER, parameters_json_schema=prompt.schema, kind="output", strict=False)
        return ModelRequestParameters(output_mode=mode, output_tools=[tool], allow_text_output=False)
    shape = OutputObjectDefinition(json_schema=prompt.schema, name=ANSWER, strict=False)
    return ModelRequestParameters(output_mode=mode, output_object=shape)


def _reply(response: ModelResponse) -> Reply:
    called = [part.args_as_json_str() for part in response.parts if isinstance(part, ToolCallPart)]
    said = [part.content for part in response.parts if isinstance(part, TextPart)]
    cached, written = response.usage.cache_read_tokens, response.usage.cache_write_tokens
    return Reply(
        text=called[0] if called else "".join(said),
        finish=FINISHES.get(response.finish_reason, "complete"),
        # some endpoints leave out of it what came from the cache
        input_tokens=max(response.usage.input_tokens, cached + written),
        cached_tokens=cached,
        written_tokens=written,
        output_tokens=response.usage.output_tokens,
    )
