"""What follows from changes and is still to be done: items that a change writes with itself and its caller deletes."""

from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Any

from planloom.adapters import table_keys as keys
from planloom.adapters.dynamodb_items import item, pages

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


def left_over(client: "DynamoDBClient", table: str, prefix: str, before: datetime) -> Iterator[dict[str, Any]]:
    """Yield the items whose sort key begins with *prefix* and that were written earlier than *before*."""
    given = {":p": keys.EFFECTS, ":prefix": prefix, ":before": keys.sortable_time(before)}
    return pages(
        client,
        TableName=table,
        KeyConditionExpression=f"{keys.PARTITION_KEY} = :p AND begins_with({keys.SORT_KEY}, :prefix)",
        FilterExpression="#at < :before",
        ExpressionAttributeNames={"#at": "at"},
        ExpressionAttributeValues=item(given),
        ConsistentRead=True,
    )


def key_of(row: dict[str, Any]) -> keys.Key:
    """Return the key of an item."""
    return {name: row[name] for name in (keys.PARTITION_KEY, keys.SORT_KEY)}
