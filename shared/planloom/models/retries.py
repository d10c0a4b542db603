"""The retry policy of requests to models: how often, after which errors, and with which delay."""

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from planloom.models import errors as model_errors
from planloom.models.chat_model import ModeUnknown
from planloom.models.errors import ModelError

#: Retries after an error of this class; after other classes the next model is called.
RETRIES: Mapping[type[ModelError], int] = {
    model_errors.AnswerInvalid: 2,
    model_errors.AnswerTruncated: 1,
    model_errors.ModelRateLimited: 5,
    model_errors.ModelServerError: 3,
    model_errors.ModelTimedOut: 1,
    ModeUnknown: 2,
}

#: The most requests for one question to one model, whatever the errors.
MOST_REQUESTS = 8

#: Seconds. If a provider asks for a longer delay, the next model is called.
LONGEST_DELAY = 60.0
FIRST_DELAY = 1.0


@dataclass
class Retries:
    """The retries of one question with one model; ``requests`` counts the requests sent."""

    requests: int = 0
    _errors: Counter[type[ModelError]] = field(default_factory=Counter)

    def delay_after(self, error: ModelError) -> float | None:
        """Return the seconds to wait before the next request to this model, None if there is none."""
        kind = type(error)
        self._errors[kind] += 1
        if self._errors[kind] > RETRIES.get(kind, 0) or self.requests >= MOST_REQUESTS:
            return None
        if isinstance(error, model_errors.ModelRateLimited) and error.retry_after is not None:
            return error.retry_after if error.retry_after <= LONGEST_DELAY else None
        return self._backoff(kind) if isinstance(error, model_errors.ModelUnavailable) else 0.0

    def _backoff(self, kind: type[ModelError]) -> float:
        # jitter: calls that were throttled together must not be repeated together
        jitter = 0.5 + random.random()  # noqa: S311 - not a secret
        return min(FIRST_DELAY * 2.0 ** (self._errors[kind] - 1) * jitter, LONGEST_DELAY)
