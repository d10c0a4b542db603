"""The runs that are under way, as one item of the table: a set of their names, changed in single writes."""

from typing import TYPE_CHECKING

from planloom.adapters import table_keys as keys
from planloom.adapters.dynamodb_items import item, values

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


class DynamoTurns:
    """Keeps planloom.ports.running.Turns on DynamoDB."""

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._client = client
        self._table = table

    def take(self, run: str, most: int) -> bool:
        try:
            self._client.update_item(
                TableName=self._table,
                Key=item(keys.turns_key()),
                UpdateExpression="ADD #runs :runs",
                # DynamoDB keeps no empty set: where there is no attribute, nobody has a turn
                ConditionExpression="attribute_not_exists(#runs) OR contains(#runs, :run) OR size(#runs) < :most",
                ExpressionAttributeNames={"#runs": "runs"},
                ExpressionAttributeValues=item({":runs": {run}, ":run": run, ":most": most}),
            )
        except self._client.exceptions.ConditionalCheckFailedException:
            return False
        return True

    def leave(self, run: str) -> None:
        self._client.update_item(
            TableName=self._table,
            Key=item(keys.turns_key()),
            UpdateExpression="DELETE #runs :runs",
            ExpressionAttributeNames={"#runs": "runs"},
            ExpressionAttributeValues=item({":runs": {run}}),
        )

    def taken(self) -> frozenset[str]:
        found = self._client.get_item(TableName=self._table, Key=item(keys.turns_key()), ConsistentRead=True)
        return frozenset(values(found.get("Item", {})).get("runs", ()))
