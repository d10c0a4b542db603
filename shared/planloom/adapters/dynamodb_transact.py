"""Transactions on the table, repeated on a conflict with another writer."""

import random
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

#: A plan has few writers: a write that fails this often, with pauses of up to 0.1 s, has met a fault.
ATTEMPTS = 25
LONGEST_PAUSE_SECONDS = 0.1


def transact(client: "DynamoDBClient", table: str, *writes: dict[str, Any]) -> bool:
    """Write all of *writes*, each ``{kind: request}``, or nothing; return False if a condition does not hold."""
    return not unmet(client, table, *writes)


def unmet(client: "DynamoDBClient", table: str, *writes: dict[str, Any]) -> frozenset[int]:
    """Write all of *writes* or nothing; return the indexes of those whose condition does not hold.

    Raises TimeoutError after ATTEMPTS conflicts with other writers.
    """
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
    raise TimeoutError(f"A transaction failed {ATTEMPTS} times because others wrote the same items. Try again later.")


def contend(task: str, attempt: Callable[[], bool | None]) -> bool:
    """Call *attempt* until it returns whether it has written; None means that another writer was first.

    Raises TimeoutError, which names the *task*, after ATTEMPTS calls.
    """
    for number in range(ATTEMPTS):
        written = attempt()
        if written is not None:
            return written
        pause(number)
    raise TimeoutError(f"Could not {task}: other writers were first {ATTEMPTS} times. Try again later.")


def pause(attempt: int) -> None:
    """Wait with jitter, longer after each failed attempt."""
    time.sleep(random.uniform(0, min(LONGEST_PAUSE_SECONDS, 0.005 * 2**attempt)))  # noqa: S311 - no secret
