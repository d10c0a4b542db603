"""API keys in the table, by hash; each is listed under its account too."""

from datetime import date, datetime
from typing import TYPE_CHECKING

from planloom.accounts.keys import ApiKey
from planloom.adapters import table_keys as keys
from planloom.adapters.dynamodb_items import item, pages, values
from planloom.adapters.dynamodb_transact import transact

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


class DynamoKeyStore:
    """Implements planloom.accounts.stores.KeyStore on DynamoDB."""

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._client = client
        self._table = table

    def add(self, key: ApiKey) -> bool:
        fields = keys.api_key_key(key.digest) | key.model_dump(mode="json")
        return transact(
            self._client,
            self._table,
            {"Put": {"Item": item(fields), "ConditionExpression": f"attribute_not_exists({keys.PARTITION_KEY})"}},
            {"Put": {"Item": item(keys.account_key_key(key.account, key.digest))}},
        )

    def get(self, digest: str) -> ApiKey | None:
        key = item(keys.api_key_key(digest))
        # consistent: an eventually consistent read may still return a key that was just revoked
        found = self._client.get_item(TableName=self._table, Key=key, ConsistentRead=True).get("Item")
        if not found:
            return None
        stored = values(found)
        return ApiKey.model_validate({name: stored[name] for name in ApiKey.model_fields if name in stored})

    def of_account(self, account: str) -> list[ApiKey]:
        rows = pages(
            self._client,
            TableName=self._table,
            KeyConditionExpression=f"{keys.PARTITION_KEY} = :p AND begins_with({keys.SORT_KEY}, :s)",
            ExpressionAttributeValues=item({":p": keys.account_partition(account), ":s": keys.API_KEYS}),
        )
        found = (self.get(row[keys.SORT_KEY].removeprefix(keys.API_KEYS)) for row in rows)
        return sorted((key for key in found if key), key=lambda key: (key.created_at, key.digest))

    def revoke(self, digest: str, at: datetime) -> bool:
        return self._set(
            digest,
            "SET #field = if_not_exists(#field, :value)",
            f"attribute_exists({keys.PARTITION_KEY})",
            "revoked_at",
            at.isoformat(),
        )

    def use(self, digest: str, day: date) -> None:
        self._set(
            digest,
            "SET #field = :value",
            f"attribute_exists({keys.PARTITION_KEY}) AND (attribute_not_exists(#field) OR #field < :value)",
            "last_used_on",
            day.isoformat(),
        )

    def _set(self, digest: str, change: str, condition: str, field: str, value: str) -> bool:
        try:
            self._client.update_item(
                TableName=self._table,
                Key=item(keys.api_key_key(digest)),
                UpdateExpression=change,
                ConditionExpression=condition,
                ExpressionAttributeNames={"#field": field},
                ExpressionAttributeValues=item({":value": value}),
            )
        except self._client.exceptions.ConditionalCheckFailedException:
            return False
        return True
