"""Ask language models: send, check, ask again where that helps, then ask the next model; count all of it."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from planloom.domain.frozen import Answer
from planloom.domain.model_errors import AnswerInvalid, AnswerLost, AnswerTruncated, ModelError
from planloom.domain.usage import Usage
from planloom.models.chat_model import ChatModel
from planloom.models.meter import Meter, Sent
from planloom.models.model import Question
from planloom.models.patience import Patience
from planloom.models.prompt import Prompt, prompt_of
from planloom.models.read_answer import read_answer

A = TypeVar("A", bound=Answer)
Sleep = Callable[[float], Awaitable[None]]


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

        Where no model gives a whole one, it is the last one without the items that do not fit. Raises the ModelError of
        the last model, whose ``usage`` holds what all of them cost.
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
        assert failure, "a profile without a model is not available"
        failure.usage = meter.bill
        raise failure

    async def close(self) -> None:
        """Hang up on every provider."""
        for chat in self._chats:
            await chat.close()

    async def _ask(self, chat: ChatModel, prompt: Prompt, question: Question[A], meter: Meter) -> A:
        patience = Patience()
        rest: A | None = None
        while True:
            sent = Sent()
            try:
                patience.requests += 1
                return await self._send(chat, prompt, question, meter, sent)
            except ModelError as error:
                wait = patience.wait_after(error)
                rest = _rest(error, question.answer) or rest
                if wait is None:
                    if isinstance(error, AnswerLost):
                        error.rest = rest
                    raise _told(error, chat.name, patience.requests) from None
                if sent.reply and isinstance(error, AnswerInvalid | AnswerTruncated):
                    # half an answer is not worth sending back: it would be cut off once more
                    shown = sent.reply.text if isinstance(error, AnswerInvalid) else ""
                    prompt = prompt.after(shown, error.message)
                if wait:
                    await self._sleep(wait)

    async def _send(self, chat: ChatModel, prompt: Prompt, question: Question[A], meter: Meter, sent: Sent) -> A:
        async with self._turn:
            # the run may have ended while its call waited for its turn, or for the provider to recover
            question.look()
            try:
                with meter.metered(chat, sent):
                    sent.reply = await chat.reply(prompt)
                    return read_answer(sent.reply, question.answer)
            finally:
                question.told(meter.bill)


def _rest(error: ModelError, answer: type[A]) -> A | None:
    rest = error.rest if isinstance(error, AnswerLost) else None
    return rest if isinstance(rest, answer) else None


def _told(error: ModelError, model: str, requests: int) -> ModelError:
    """Say for people which model failed, how, and after how many requests; *error* keeps its class."""
    times = "1 request" if requests == 1 else f"{requests} requests"
    said = "; ".join(error.message.splitlines())
    said = f"its answer does not fit: {said}" if isinstance(error, AnswerInvalid) else said
    error.message = f"{model}: {said} ({times})."
    error.args = (error.message,)
    return error
