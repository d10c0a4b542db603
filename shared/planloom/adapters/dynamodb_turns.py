"""The runs that are under way and those that wait, as one item of the table: two sets, changed in single writes."""

from typing import TYPE_CHECKING

from planloom.adapters import table_keys as keys
from planloom.adapters.dynamodb_items import item, values

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

NAMES = {"#runs": "runs", "#waiting": "waiting"}


class DynamoTurns:
    """Keeps planloom.ports.running.Turns on DynamoDB, which has no empty sets: there the attribute is absent."""

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._client = client
        self._table = table

    def take(self, run: str, most: int) -> bool:
        if self._take(run, most):
            return True
        self._client.update_item(
            TableName=self._table,
            Key=item(keys.turns_key()),
            UpdateExpression="ADD #waiting :runs",
            ExpressionAttributeNames={"#waiting": "waiting"},
            ExpressionAttributeValues=item({":runs": {run}}),
        )
        # whoever left before this one waited has not seen it
        return self._take(run, most)

    def leave(self, run: str) -> None:
        self._client.update_item(
            TableName=self._table,
            Key=item(keys.turns_key()),
            UpdateExpression="DELETE #runs :runs, #waiting :runs",
            ExpressionAttributeNames=NAMES,
            ExpressionAttributeValues=item({":runs": {run}}),
        )

    def look(self) -> tuple[frozenset[str], frozenset[str]]:
        found = self._client.get_item(TableName=self._table, Key=item(keys.turns_key()), ConsistentRead=True)
        sets = values(found.get("Item", {}))
        return frozenset(sets.get("runs", ())), frozenset(sets.get("waiting", ()))

    def _take(self, run: str, most: int) -> bool:
        try:
            self._client.update_item(
                TableName=self._table,
                Key=item(keys.turns_key()),
                UpdateExpression="ADD #runs :runs DELETE #waiting :runs",
                ConditionExpression="attribute_not_exists(#runs) OR contains(#runs, :run) OR size(#runs) < :most",
                ExpressionAttributeNames=NAMES,
                ExpressionAttributeValues=item({":runs": {run}, ":run": run, ":most": most}),
            )
        except self._client.exceptions.ConditionalCheckFailedException:
            return False
        return True
