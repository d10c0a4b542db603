"""One transaction on the table: all or nothing, tried again where another writer was quicker."""

import random
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

#: A plan has a handful of writers at most; whoever loses this often, with pauses of up to 0.1 s, has met a fault.
ATTEMPTS = 25
LONGEST_PAUSE_SECONDS = 0.1


def transact(client: "DynamoDBClient", table: str, *writes: dict[str, Any]) -> bool:
    """Write all of *writes*, each ``{kind: request}``, or nothing; return False where a condition does not hold."""
    return not unmet(client, table, *writes)


def unmet(client: "DynamoDBClient", table: str, *writes: dict[str, Any]) -> frozenset[int]:
    """Write all of *writes* or nothing; return which of them have a condition that does not hold."""
    named: list[Any] = [{kind: {"TableName": table, **write}} for each in writes for kind, write in each.items()]
    for attempt in range(ATTEMPTS):
        try:
            client.transact_write_items(TransactItems=named)
        except client.exceptions.TransactionCanceledException as canceled:
            codes = [reason["Code"] for reason in canceled.response["CancellationReasons"]]
            if "ConditionalCheckFailed" in codes:
                return frozenset(n for n, code in enumerate(codes) if code == "ConditionalCheckFailed")
            if "TransactionConflict" not in codes:
                raise
            pause(attempt)
        else:
            return frozenset()
    raise TimeoutError(f"lost {ATTEMPTS} times against other writers of the same plan")


def contend(done: str, attempt: Callable[[], bool | None]) -> bool:
    """Call *attempt* until it says whether it has written: None means that another writer came between.

    Raises TimeoutError, naming what was to be *done*.
    """
    for number in range(ATTEMPTS):
        written = attempt()
        if written is not None:
            return written
        pause(number)
    raise TimeoutError(f"others wrote {ATTEMPTS} times before {done}")


def pause(attempt: int) -> None:
    """Wait for as long as others take to write, and not in step with those that lost as well."""
    time.sleep(random.uniform(0, min(LONGEST_PAUSE_SECONDS, 0.005 * 2**attempt)))  # noqa: S311 - no secret
