"""Records the usage of a question: tokens, time, price and outcome of each request."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from planloom.core.usage import Bill, Outcome, Request
from planloom.models import errors as model_errors
from planloom.models.chat_model import ChatModel, Reply
from planloom.models.prices import price_of

#: The outcome of a request by its exception; the first match applies.
OUTCOMES: tuple[tuple[type[BaseException], Outcome], ...] = (
    (model_errors.AnswerInvalid, "invalid"),
    (model_errors.AnswerTruncated, "truncated"),
    (model_errors.AnswerRefused, "refused"),
    (model_errors.ModelRateLimited, "rate_limited"),
    (model_errors.ModelTimedOut, "timed_out"),
    (model_errors.ModelUnavailable, "server_error"),
    (model_errors.ModelRejected, "rejected"),
    (BaseException, "cancelled"),
)


@dataclass
class Sent:
    """A request and its reply, None until it arrives."""

    reply: Reply | None = None


@dataclass
class Meter:
    """The usage of one question so far, failed requests included."""

    bill: Bill = field(default_factory=Bill)

    @contextmanager
    def metered(self, chat: ChatModel, sent: Sent) -> Iterator[None]:
        """Record one request to *chat*, however it ends."""
        started = time.monotonic()
        outcome: Outcome = "answered"
        try:
            yield
        except BaseException as error:
            outcome = next(found for kind, found in OUTCOMES if isinstance(error, kind))
            raise
        finally:
            self.bill = self.bill.and_(_request(chat, sent.reply, time.monotonic() - started, outcome))


def _request(chat: ChatModel, reply: Reply | None, seconds: float, outcome: Outcome) -> Request:
    # without a reply there are no tokens and no charge; a reply without token counts has no known price
    found = reply or Reply("", "complete")
    not_counted = reply is not None and not (found.input_tokens or found.output_tokens)
    return Request(
        model=chat.name,
        outcome=outcome,
        input_tokens=found.input_tokens,
        cached_tokens=found.cached_tokens,
        output_tokens=found.output_tokens,
        seconds=round(seconds, 6),
        price=None
        if not_counted
        else price_of(
            chat.prices,
            chat.name,
            input_tokens=found.input_tokens,
            cached_tokens=found.cached_tokens,
            written_tokens=found.written_tokens,
            output_tokens=found.output_tokens,
        ),
    )
