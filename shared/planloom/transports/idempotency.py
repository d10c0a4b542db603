"""Return the first response to a repeated request id: a repeat gets the same response, another body a conflict."""

from collections.abc import Callable
from typing import Any, TypeVar

from planloom import wiring
from planloom.core.endpoint import ApiModel
from planloom.domain.errors import RequestConflict, RequestInProgress

A = TypeVar("A", bound=ApiModel)

#: How long an agent may take to come back after it lost its connection.
KEPT_SECONDS = 24 * 3600
#: The API's Lambda is ended after 28 seconds: a first call that has no response by then never gets one.
TIMEOUT_MS = 28_000


class _LambdaContext:
    """Replaces the Lambda context, of which the library asks only how long the call may still take."""

    def get_remaining_time_in_millis(self) -> int:
        return TIMEOUT_MS


def once(
    operation: str, account: str, request_id: str, body: dict[str, Any], kind: type[A], work: Callable[[], A]
) -> A:
    """Do *work* and return its response, unless this account asked the same under *request_id* within a day.

    Raises RequestConflict where it asked something else under that id, RequestInProgress where the first call has no
    response yet.
    """
    # imported here: most calls have no id and do not need to pay 0.1 s for the library
    from aws_lambda_powertools.utilities import idempotency
    from aws_lambda_powertools.utilities.idempotency import exceptions
    from aws_lambda_powertools.utilities.idempotency.serialization.pydantic import PydanticSerializer

    config = idempotency.IdempotencyConfig(
        event_key_jmespath="id",
        payload_validation_jmespath="body",
        expires_after_seconds=KEPT_SECONDS,
        hash_function="sha256",
        raise_on_no_idempotency_key=True,
        lambda_context=_LambdaContext(),  # type: ignore[arg-type]
    )
    respond = idempotency.idempotent_function(
        lambda request: work(),  # noqa: ARG005 - the library passes it by name
        data_keyword_argument="request",
        persistence_store=wiring.requests(account),
        config=config,
        output_serializer=PydanticSerializer(kind),
        key_prefix=f"REQUEST#{operation}",
    )
    try:
        return kind.model_validate(respond(request={"id": request_id, "body": body}))
    except exceptions.IdempotencyValidationError:
        raise RequestConflict(
            f"client_request_id '{request_id[:60]}' was used before with another body. Use a new id for a new request."
        ) from None
    except exceptions.IdempotencyAlreadyInProgressError:
        raise RequestInProgress("The first call with this client_request_id is still under way. Ask again.") from None
