"""How often a model is asked again after which error, and how long to wait before it."""

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from planloom.domain import model_errors
from planloom.domain.model_errors import ModelError
from planloom.models.chat_model import ModeUnknown

#: Repeats after an error of this class; other classes are not repeated: the next model is asked.
REPEATS: Mapping[type[ModelError], int] = {
    model_errors.AnswerInvalid: 2,
    model_errors.AnswerTruncated: 1,
    model_errors.ModelRateLimited: 5,
    model_errors.ModelServerError: 3,
    model_errors.ModelTimedOut: 1,
    ModeUnknown: 2,
}

#: Whatever it was: after so many requests a question is given up.
MOST_REQUESTS = 8

#: Seconds. A provider that asks for a longer pause is as good as down.
LONGEST_WAIT = 60.0
FIRST_WAIT = 1.0


@dataclass
class Patience:
    """The patience that one question has with one model; ``requests`` counts what was sent."""

    requests: int = 0
    _met: Counter[type[ModelError]] = field(default_factory=Counter)

    def wait_after(self, error: ModelError) -> float | None:
        """Return the seconds to wait before the model is asked again, or None where it is not."""
        kind = type(error)
        self._met[kind] += 1
        if self._met[kind] > REPEATS.get(kind, 0) or self.requests >= MOST_REQUESTS:
            return None
        if isinstance(error, model_errors.ModelRateLimited) and error.retry_after is not None:
            return error.retry_after if error.retry_after <= LONGEST_WAIT else None
        return self._backoff(kind) if isinstance(error, model_errors.ModelUnavailable) else 0.0

    def _backoff(self, kind: type[ModelError]) -> float:
        # spread: calls that were turned away together would otherwise come back together
        spread = 0.5 + random.random()  # noqa: S311 - not a secret
        return min(FIRST_WAIT * 2.0 ** (self._met[kind] - 1) * spread, LONGEST_WAIT)
