"""Slots for long polls in the table, shared by all processes of the service."""

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from planloom.adapters import table_keys as keys
from planloom.adapters.dynamodb_items import item, pages

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

#: How long after its end the item of a slot that was not released expires.
KEPT = timedelta(hours=1)
#: How many slots are tried that looked free: if other callers took them all, there is no slot.
TRIES = 5


class DynamoPollSlots:
    """Implements planloom.runs.long_poll.PollSlots on DynamoDB."""

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._client = client
        self._table = table

    def take(self, slots: int, now: datetime, until: datetime) -> int | None:
        taken = self._taken(now)
        free = [slot for slot in range(slots) if slot not in taken]
        # concurrent callers start at different slots
        first = now.microsecond % len(free) if free else 0
        for slot in (free[first:] + free[:first])[:TRIES]:
            row = {"until": until.timestamp(), keys.EXPIRES: int((until + KEPT).timestamp())}
            try:
                self._client.put_item(
                    TableName=self._table,
                    Item=item(keys.poll_slot_key(slot) | row),
                    ConditionExpression="attribute_not_exists(PK) OR #until < :now",
                    ExpressionAttributeNames={"#until": "until"},
                    ExpressionAttributeValues=item({":now": now.timestamp()}),
                )
            except self._client.exceptions.ConditionalCheckFailedException:
                continue
            return slot
        return None

    def _taken(self, now: datetime) -> set[int]:
        found = pages(
            self._client,
            TableName=self._table,
            KeyConditionExpression=f"{keys.PARTITION_KEY} = :p",
            ExpressionAttributeValues=item({":p": keys.POLL_SLOTS}),
            ConsistentRead=True,
        )
        return {
            int(row[keys.SORT_KEY].removeprefix(keys.POLL_SLOT)) for row in found if row["until"] >= now.timestamp()
        }

    def release(self, slot: int, until: datetime) -> None:
        try:
            self._client.delete_item(
                TableName=self._table,
                Key=item(keys.poll_slot_key(slot)),
                ConditionExpression="#until = :until",
                ExpressionAttributeNames={"#until": "until"},
                ExpressionAttributeValues=item({":until": until.timestamp()}),
            )
        except self._client.exceptions.ConditionalCheckFailedException:
            return  # it expired, and another caller has it
