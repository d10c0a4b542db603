"""Shared links in the table, by the hash of their token; each is also listed under its plan."""

from typing import TYPE_CHECKING

from planloom.accounts.shares import Share
from planloom.adapters import table_keys as keys
from planloom.adapters.dynamodb_items import item, pages, values
from planloom.adapters.dynamodb_transact import transact

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


class DynamoShareStore:
    """Implements planloom.accounts.access.ShareStore on DynamoDB."""

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._client = client
        self._table = table

    def add(self, share: Share) -> None:
        expires = {keys.EXPIRES: int(share.expires_at.timestamp())}
        transact(
            self._client,
            self._table,
            {"Put": {"Item": item(keys.share_key(share.digest) | share.model_dump(mode="json") | expires)}},
            {"Put": {"Item": item(keys.plan_share_key(share.plan_id, share.digest) | expires)}},
        )

    def get(self, digest: str) -> Share | None:
        key = item(keys.share_key(digest))
        found = self._client.get_item(TableName=self._table, Key=key, ConsistentRead=True).get("Item")
        if not found:
            return None
        stored = values(found)
        return Share.model_validate({name: stored[name] for name in Share.model_fields})

    def revoke_all(self, plan_id: str) -> int:
        rows = pages(
            self._client,
            TableName=self._table,
            ConsistentRead=True,
            KeyConditionExpression=f"{keys.PARTITION_KEY} = :p AND begins_with({keys.SORT_KEY}, :s)",
            ExpressionAttributeValues=item({":p": keys.plan_partition(plan_id), ":s": keys.SHARES}),
        )
        digests = [row[keys.SORT_KEY].removeprefix(keys.SHARES) for row in rows]
        for digest in digests:
            transact(
                self._client,
                self._table,
                {"Delete": {"Key": item(keys.share_key(digest))}},
                {"Delete": {"Key": item(keys.plan_share_key(plan_id, digest))}},
            )
        return len(digests)
