"""The run queue as one item of the table: a set of the active runs, and for each waiting run an attribute with the time
since when it waits.
"""

from datetime import datetime
from typing import TYPE_CHECKING

from planloom.adapters import table_keys as keys
from planloom.adapters.dynamodb_items import item, values

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

WAITING = "waiting#"


class DynamoRunQueue:
    """Implements Turns on DynamoDB; without active runs the set is absent, never empty."""

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._client = client
        self._table = table

    def take_slot(self, run: str, most: int, since: datetime) -> bool:
        if self._take(run, most):
            return True
        self._client.update_item(
            TableName=self._table,
            Key=item(keys.run_queue_key()),
            UpdateExpression="SET #waiting = :since",
            ExpressionAttributeNames={"#waiting": WAITING + run},
            ExpressionAttributeValues=item({":since": keys.sortable_time(since)}),
        )
        # a slot that was released before this run was waiting is still free
        return self._take(run, most)

    def release(self, run: str) -> None:
        self._client.update_item(
            TableName=self._table,
            Key=item(keys.run_queue_key()),
            UpdateExpression="DELETE #runs :runs REMOVE #waiting",
            ExpressionAttributeNames={"#runs": "runs", "#waiting": WAITING + run},
            ExpressionAttributeValues=item({":runs": {run}}),
        )

    def read(self) -> tuple[frozenset[str], tuple[str, ...]]:
        found = self._client.get_item(TableName=self._table, Key=item(keys.run_queue_key()), ConsistentRead=True)
        kept = values(found.get("Item", {}))
        waiting = sorted(
            (since, name.removeprefix(WAITING)) for name, since in kept.items() if name.startswith(WAITING)
        )
        return frozenset(kept.get("runs", ())), tuple(run for _, run in waiting)

    def _take(self, run: str, most: int) -> bool:
        try:
            self._client.update_item(
                TableName=self._table,
                Key=item(keys.run_queue_key()),
                UpdateExpression="ADD #runs :runs REMOVE #waiting",
                ConditionExpression="attribute_not_exists(#runs) OR contains(#runs, :run) OR size(#runs) < :most",
                ExpressionAttributeNames={"#runs": "runs", "#waiting": WAITING + run},
                ExpressionAttributeValues=item({":runs": {run}, ":run": run, ":most": most}),
            )
        except self._client.exceptions.ConditionalCheckFailedException:
            return False
        return True
