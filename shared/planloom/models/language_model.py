"""Ask language models: send, check, ask again where that helps, then ask the next model; count all of it."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from planloom.domain.errors import AnswerInvalid, AnswerTruncated, ModelError
from planloom.domain.frozen import Answer
from planloom.domain.usage import Usage
from planloom.models.chat_model import ChatModel, Reply
from planloom.models.model import Question
from planloom.models.patience import Patience
from planloom.models.prompt import Prompt, prompt_of
from planloom.models.read_answer import read_answer

A = TypeVar("A", bound=Answer)
Sleep = Callable[[float], Awaitable[None]]


@dataclass
class _Meter:
    """What one question has cost so far, failed requests included."""

    usage: Usage = field(default_factory=Usage)

    def count(self, reply: Reply | None, seconds: float) -> None:
        self.usage += Usage(
            calls=1,
            retries=1 if self.usage.calls else 0,
            input_tokens=reply.input_tokens if reply else 0,
            cached_tokens=reply.cached_tokens if reply else 0,
            output_tokens=reply.output_tokens if reply else 0,
            seconds=seconds,
        )


class LanguageModel:
    """The models of a profile, first the one that is asked first, for one event loop.

    At most *concurrency* requests are under way at once. Where all models fail, so does the question: nothing else
    answers in their place.
    """

    def __init__(self, chats: Sequence[ChatModel], concurrency: int, sleep: Sleep = asyncio.sleep) -> None:
        self._chats = tuple(chats)
        self._turn = asyncio.Semaphore(concurrency)
        self._sleep = sleep

    async def ask(self, question: Question[A]) -> tuple[A, Usage]:
        """Return a valid answer and the usage of every request that it took.

        Raises the ModelError of the last model, whose ``usage`` holds what all of them cost.
        """
        prompt, meter = prompt_of(question), _Meter()  # type: ignore[arg-type]
        failure: ModelError | None = None
        for chat in self._chats:
            try:
                return await self._ask(chat, prompt, question.answer, meter), meter.usage
            except ModelError as error:
                failure = error
        assert failure, "a profile without a model is not available"
        failure.usage = meter.usage
        raise failure

    async def close(self) -> None:
        """Hang up on every provider."""
        for chat in self._chats:
            await chat.close()

    async def _ask(self, chat: ChatModel, prompt: Prompt, answer: type[A], meter: _Meter) -> A:
        patience = Patience()
        while True:
            reply = None
            try:
                patience.requests += 1
                reply = await self._send(chat, prompt, meter)
                return read_answer(reply, answer)
            except ModelError as error:
                wait = patience.wait_after(error)
                if wait is None:
                    raise _told(error, chat.name, patience.requests) from None
                if reply and isinstance(error, AnswerInvalid | AnswerTruncated):
                    # half an answer is not worth sending back: it would be cut off once more
                    shown = reply.text if isinstance(error, AnswerInvalid) else ""
                    prompt = prompt.after(shown, error.message)
                if wait:
                    await self._sleep(wait)

    async def _send(self, chat: ChatModel, prompt: Prompt, meter: _Meter) -> Reply:
        async with self._turn:
            begun, reply = time.monotonic(), None
            try:
                reply = await chat.reply(prompt)
                return reply
            finally:
                meter.count(reply, time.monotonic() - begun)


def _told(error: ModelError, model: str, requests: int) -> ModelError:
    """Say for people which model failed, how, and after how many requests; *error* keeps its class."""
    times = "1 request" if requests == 1 else f"{requests} requests"
    error.message = f"{model}: {error.message} ({times})."
    error.args = (error.message,)
    return error
