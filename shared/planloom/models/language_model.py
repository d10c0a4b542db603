"""Calls language models: validates each answer, retries where that helps, then calls the next model; counts usage."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from planloom.core.frozen import Answer
from planloom.core.usage import Usage
from planloom.models.chat_model import ChatModel
from planloom.models.errors import AnswerInvalid, AnswerLost, AnswerTruncated, ModelError
from planloom.models.meter import Meter, Sent
from planloom.models.model import Question
from planloom.models.prompt import Prompt, prompt_of
from planloom.models.read_answer import read_answer
from planloom.models.retries import Retries

A = TypeVar("A", bound=Answer)
Sleep = Callable[[float], Awaitable[None]]


class LanguageModel:
    """The models of a profile, in the order in which they are called, for one event loop.

    At most *concurrency* requests run at a time. A question fails if all models fail: there is no fallback.
    """

    def __init__(self, chats: Sequence[ChatModel], concurrency: int, sleep: Sleep = asyncio.sleep) -> None:
        self._chats = tuple(chats)
        self._slots = asyncio.Semaphore(concurrency)
        self._sleep = sleep

    async def ask(self, question: Question[A]) -> tuple[A, Usage]:
        """Return a valid answer and the usage of all requests.

        If no model gives a complete one, this is the last one without its invalid items. Raises the ModelError of the
        last model, whose ``usage`` is that of all models.
        """
        prompt, meter = prompt_of(question), Meter()  # type: ignore[arg-type]
        failure: ModelError | None = None
        rest: A | None = None
        for chat in self._chats:
            try:
                return await self._ask(chat, prompt, question, meter), meter.bill
            except ModelError as error:
                failure = error
                rest = _rest(error, question.answer) or rest
        if rest is not None:
            return rest, meter.bill
        assert failure, "a profile has at least one model"
        failure.usage = meter.bill
        raise failure

    async def close(self) -> None:
        """Close the connections to all providers."""
        for chat in self._chats:
            await chat.close()

    async def _ask(self, chat: ChatModel, prompt: Prompt, question: Question[A], meter: Meter) -> A:
        retries = Retries()
        rest: A | None = None
        while True:
            sent = Sent()
            try:
                retries.requests += 1
                return await self._send(chat, prompt, question, meter, sent)
            except ModelError as error:
                wait = retries.delay_after(error)
                rest = _rest(error, question.answer) or rest
                if wait is None:
                    if isinstance(error, AnswerLost):
                        error.rest = rest
                    raise _with_context(error, chat.name, retries.requests) from None
                if sent.reply and isinstance(error, AnswerInvalid | AnswerTruncated):
                    # a truncated answer is not sent back: with it the next one would be truncated as well
                    previous = sent.reply.text if isinstance(error, AnswerInvalid) else ""
                    prompt = prompt.after(previous, error.message)
                if wait:
                    await self._sleep(wait)

    async def _send(self, chat: ChatModel, prompt: Prompt, question: Question[A], meter: Meter, sent: Sent) -> A:
        async with self._slots:
            # the run may have ended while this call waited for a slot, or for the provider to recover
            question.look()
            try:
                with meter.metered(chat, sent):
                    sent.reply = await chat.reply(prompt)
                    return read_answer(sent.reply, question.answer)
            finally:
                question.on_usage(meter.bill)


def _rest(error: ModelError, answer: type[A]) -> A | None:
    rest = error.rest if isinstance(error, AnswerLost) else None
    return rest if isinstance(rest, answer) else None


def _with_context(error: ModelError, model: str, requests: int) -> ModelError:
    """Return *error* with a message that names the model, the reason and the number of requests."""
    times = "1 request" if requests == 1 else f"{requests} requests"
    reason = "; ".join(error.message.splitlines())
    reason = f"the answer does not match the schema: {reason}" if isinstance(error, AnswerInvalid) else reason
    error.message = f"{model}: {reason} ({times})."
    error.args = (error.message,)
    return error
