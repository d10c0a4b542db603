"""Idempotency by client_request_id: the table stores the response of the first call, and a repeat returns it."""

from collections.abc import Callable
from typing import Any, TypeVar

import boto3
from aws_lambda_powertools.utilities.idempotency import (
    DynamoDBPersistenceLayer,
    IdempotencyConfig,
    idempotent_function,
)
from aws_lambda_powertools.utilities.idempotency.exceptions import (
    IdempotencyAlreadyInProgressError,
    IdempotencyValidationError,
)
from aws_lambda_powertools.utilities.idempotency.serialization.pydantic import PydanticSerializer
from pydantic import BaseModel

from planloom.adapters import table_keys
from planloom.core.errors import RequestConflict, RequestInProgress

A = TypeVar("A", bound=BaseModel)


def requests_of(account: str, table: str) -> DynamoDBPersistenceLayer:
    """Return the store of responses to requests of *account*; its items expire."""
    return DynamoDBPersistenceLayer(
        table_name=table,
        key_attr=table_keys.PARTITION_KEY,
        sort_key_attr=table_keys.SORT_KEY,
        static_pk_value=table_keys.account_partition(account),
        expiry_attr=table_keys.EXPIRES,
        boto3_client=boto3.client("dynamodb"),
    )


#: How long a caller may wait before it repeats a call.
KEPT_SECONDS = 24 * 3600
#: The Lambda of the API times out after 28 seconds: a first call without a response after that never gets one.
TIMEOUT_MS = 28_000


class _LambdaContext:
    """Replaces the Lambda context: the library reads only the remaining time."""

    def get_remaining_time_in_millis(self) -> int:
        return TIMEOUT_MS


def once(
    store: DynamoDBPersistenceLayer,
    operation: str,
    request_id: str,
    body: dict[str, Any],
    kind: type[A],
    work: Callable[[], A],
) -> A:
    """Call *work* and return its response; within a day a repeat with *request_id* returns the stored response.

    Raises RequestConflict if the id was used with another body, RequestInProgress while the first call has no response.
    """
    config = IdempotencyConfig(
        event_key_jmespath="id",
        payload_validation_jmespath="body",
        expires_after_seconds=KEPT_SECONDS,
        hash_function="sha256",
        raise_on_no_idempotency_key=True,
        lambda_context=_LambdaContext(),  # type: ignore[arg-type]
    )
    respond = idempotent_function(
        lambda request: work(),  # noqa: ARG005 - the library passes it by name
        data_keyword_argument="request",
        persistence_store=store,
        config=config,
        output_serializer=PydanticSerializer(kind),
        key_prefix=f"REQUEST#{operation}",
    )
    try:
        return kind.model_validate(respond(request={"id": request_id, "body": body}))
    except IdempotencyValidationError:
        raise RequestConflict(
            f"client_request_id '{request_id[:60]}' was used before with another body. Use a new id for a new request."
        ) from None
    except IdempotencyAlreadyInProgressError:
        raise RequestInProgress(
            "The first call with this client_request_id is still running. Try again in a few seconds."
        ) from None
