"""Keep the answer to a call with a client_request_id, by the library that knows how; see once.py."""

from collections.abc import Callable
from typing import Any, TypeVar

from aws_lambda_powertools.utilities.idempotency import IdempotencyConfig, idempotent_function
from aws_lambda_powertools.utilities.idempotency.exceptions import (
    IdempotencyAlreadyInProgressError,
    IdempotencyValidationError,
)
from aws_lambda_powertools.utilities.idempotency.serialization.pydantic import PydanticSerializer

from planloom import wiring
from planloom.api.answers import AnswerModel
from planloom.domain.errors import RequestConflict, RequestInProgress

A = TypeVar("A", bound=AnswerModel)

#: As long as an agent may take to come back after it lost its connection.
KEPT_SECONDS = 24 * 3600
#: The API's Lambda is ended after 28 seconds: a first call that is not answered by then never will be.
ANSWERED_WITHIN_MS = 28_000


class _Life:
    """Stands for the Lambda context, of which the library asks only how long the call may still take."""

    def get_remaining_time_in_millis(self) -> int:
        return ANSWERED_WITHIN_MS


def kept_once(
    operation: str, account: str, request_id: str, body: dict[str, Any], kind: type[A], work: Callable[[], A]
) -> A:
    """Do *work* and return its answer, if this account has not asked the same under *request_id* before.

    Raises RequestConflict where it asked something else under that id, RequestInProgress where the first call has
    not been answered yet.
    """
    config = IdempotencyConfig(
        event_key_jmespath="id",
        payload_validation_jmespath="body",
        expires_after_seconds=KEPT_SECONDS,
        hash_function="sha256",
        raise_on_no_idempotency_key=True,
        lambda_context=_Life(),  # type: ignore[arg-type]
    )
    answer = idempotent_function(
        lambda request: work(),  # noqa: ARG005 - the library reads it by name
        data_keyword_argument="request",
        persistence_store=wiring.requests(account),
        config=config,
        output_serializer=PydanticSerializer(kind),
        key_prefix=f"REQUEST#{operation}",
    )
    try:
        return kind.model_validate(answer(request={"id": request_id, "body": body}))
    except IdempotencyValidationError:
        raise RequestConflict(
            f"client_request_id '{request_id[:60]}' was used before with another body. Use a new id for a new request."
        ) from None
    except IdempotencyAlreadyInProgressError:
        raise RequestInProgress("The first call with this client_request_id is still under way. Ask again.") from None
