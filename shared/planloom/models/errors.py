"""What asking a model can end in, a branch of the tree in planloom.core.errors; it becomes the failure of a plan.

ModelError                    no valid answer could be had; finished calls and stages are kept
├── PromptRefused             screening refused the prompt: only another prompt helps
├── AnswerLost                the model answers, but not this question; the plan continues without it
│   ├── AnswerRefused         the provider's content filter, or the model itself, refused to answer
│   ├── AnswerTruncated       the answer ran into the limit on its length
│   └── AnswerInvalid         the answer does not fit its schema, however often it was asked for
├── ModelRejected             key, model name or request do not suit the provider: the operator must act
│   └── ModeUnknown           planloom.models.chat_model: the schema has to be sent in another way
└── ModelUnavailable          (retryable) provider down or out of quota
    ├── ModelRateLimited      (retryable) too many calls; ``retry_after`` seconds where the provider said
    ├── ModelServerError      (retryable) the provider answered with a server error, or closed the connection
    └── ModelTimedOut         (retryable) no answer within the time that a call has
"""

from typing import ClassVar

from planloom.core.errors import PlanloomError
from planloom.core.frozen import Answer
from planloom.core.usage import Usage


class ModelError(PlanloomError):
    """No valid answer could be had from a model; ``recoverable`` says whether a resume can help.

    ``usage`` is what the failed attempts cost.
    """

    recoverable: ClassVar[bool] = True
    usage: Usage = Usage()


class AnswerLost(ModelError):
    """The model answers, but not this question: the plan continues without it.

    ``rest`` is the answer without the items that do not fit, None where too little is left.
    """

    rest: Answer | None = None


class PromptRefused(ModelError):
    """Screening refused the prompt."""

    recoverable = False


class AnswerRefused(AnswerLost):
    """A content filter or the model itself refused to answer."""


class AnswerTruncated(AnswerLost):
    """The answer ran into the limit on its length before it was complete."""


class AnswerInvalid(AnswerLost):
    """The answer does not fit its schema."""


class ModelRejected(ModelError):
    """The provider rejects the key, the model's name or the request; asking again changes nothing."""


class ModelUnavailable(ModelError):
    """Every model of the profile is down or out of quota."""

    retryable = True


class ModelRateLimited(ModelUnavailable):
    """Too many calls for now; ``retry_after`` holds the seconds that the provider asks for, None where it does not."""

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class ModelServerError(ModelUnavailable):
    """The provider answered with a server error, or closed the connection."""


class ModelTimedOut(ModelUnavailable):
    """The provider did not answer within the time that a call has."""
