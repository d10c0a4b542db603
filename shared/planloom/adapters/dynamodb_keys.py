"""API keys in the table, by hash."""

from typing import TYPE_CHECKING

from planloom.adapters import table_keys
from planloom.adapters.dynamodb_items import item, values
from planloom.domain.keys import ApiKey

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


class DynamoKeyStore:
    """Keeps planloom.ports.KeyStore on DynamoDB."""

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._client = client
        self._table = table

    def add(self, key: ApiKey) -> bool:
        fields = table_keys.api_key_key(key.digest) | key.model_dump(mode="json")
        try:
            self._client.put_item(
                TableName=self._table, Item=item(fields), ConditionExpression="attribute_not_exists(PK)"
            )
        except self._client.exceptions.ConditionalCheckFailedException:
            return False
        return True

    def get(self, digest: str) -> ApiKey | None:
        found = self._client.get_item(TableName=self._table, Key=item(table_keys.api_key_key(digest))).get("Item")
        if not found:
            return None
        stored = values(found)
        return ApiKey.model_validate({name: stored[name] for name in ApiKey.model_fields if name in stored})
