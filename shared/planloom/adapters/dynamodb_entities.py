"""The entities that accounts declare for programs, one item each, and what their programs must not do."""

from typing import TYPE_CHECKING

from planloom.adapters import table_keys as keys
from planloom.adapters.dynamodb_items import item, pages, values
from planloom.core.entities import Entity
from planloom.planes.programs.verdict import Policy

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


class DynamoEntityStore:
    """Keeps planloom.planes.programs.declared.EntityStore on DynamoDB.

    An entity is stored as JSON text: its constants may hold null and empty names, which items do not.
    """

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._items = client
        self._table = table

    def put(self, account: str, entity: Entity) -> None:
        row = {**keys.entity_key(account, entity.name), "entity": entity.model_dump_json()}
        self._items.put_item(TableName=self._table, Item=item(row))

    def of_account(self, account: str) -> list[Entity]:
        rows = pages(
            self._items,
            TableName=self._table,
            KeyConditionExpression=f"{keys.PARTITION_KEY} = :p AND begins_with({keys.SORT_KEY}, :s)",
            ExpressionAttributeValues=item({":p": keys.account_partition(account), ":s": keys.ENTITIES}),
            ConsistentRead=True,
        )
        return [Entity.model_validate_json(row["entity"]) for row in rows]

    def policy(self, account: str) -> Policy:
        found = self._items.get_item(TableName=self._table, Key=item(keys.program_policy_key(account)))
        return Policy.model_validate_json(values(found["Item"])["policy"]) if "Item" in found else Policy()

    def put_policy(self, account: str, policy: Policy) -> None:
        row = {**keys.program_policy_key(account), "policy": policy.model_dump_json()}
        self._items.put_item(TableName=self._table, Item=item(row))

    def delete(self, account: str, name: str) -> None:
        self._items.delete_item(TableName=self._table, Key=item(keys.entity_key(account, name)))
