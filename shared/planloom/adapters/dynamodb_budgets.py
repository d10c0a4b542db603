"""Budgets of calls in the table: one item each, whose count rises by one conditional write."""

from typing import TYPE_CHECKING, Any

from planloom.adapters import table_keys as keys
from planloom.adapters.dynamodb_items import item, pages, values
from planloom.runs.budgets import Budget

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


class DynamoBudgetStore:
    """Implements planloom.runs.budgets.BudgetStore on DynamoDB."""

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._client = client
        self._table = table

    def set(self, account: str, name: str, calls: int) -> Budget:
        found = self._client.update_item(
            TableName=self._table,
            Key=item(keys.budget_key(account, name)),
            UpdateExpression="SET calls = :calls, taken = if_not_exists(taken, :none)",
            ExpressionAttributeValues=item({":calls": calls, ":none": 0}),
            ReturnValues="ALL_NEW",
        )
        return _budget(values(found["Attributes"]))

    def take(self, account: str, name: str) -> bool:
        try:
            self._client.update_item(
                TableName=self._table,
                Key=item(keys.budget_key(account, name)),
                UpdateExpression="ADD taken :one",
                ConditionExpression="taken < calls",
                ExpressionAttributeValues=item({":one": 1}),
            )
        except self._client.exceptions.ConditionalCheckFailedException:
            return False
        return True

    def get(self, account: str, name: str) -> Budget | None:
        key = item(keys.budget_key(account, name))
        found = self._client.get_item(TableName=self._table, Key=key, ConsistentRead=True)
        return _budget(values(found["Item"])) if "Item" in found else None

    def of_account(self, account: str) -> list[Budget]:
        rows = pages(
            self._client,
            TableName=self._table,
            KeyConditionExpression=f"{keys.PARTITION_KEY} = :p AND begins_with({keys.SORT_KEY}, :s)",
            ExpressionAttributeValues=item({":p": keys.account_partition(account), ":s": keys.BUDGETS}),
            ConsistentRead=True,
        )
        return [_budget(row) for row in rows]

    def delete(self, account: str, name: str) -> None:
        self._client.delete_item(TableName=self._table, Key=item(keys.budget_key(account, name)))


def _budget(row: dict[str, Any]) -> Budget:
    name = row[keys.SORT_KEY].removeprefix(keys.BUDGETS)
    return Budget(name=name, calls=int(row["calls"]), taken=int(row["taken"]))
