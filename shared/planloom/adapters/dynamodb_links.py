"""Links between planes in the table, once at each end."""

import json
from typing import TYPE_CHECKING

from planloom.adapters import table_keys as keys
from planloom.adapters.dynamodb_items import item, pages
from planloom.adapters.dynamodb_transact import transact
from planloom.planes.links.link import Link, LinkEnd

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


class DynamoLinkStore:
    """Implements planloom.planes.links.link.LinkStore on DynamoDB."""

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._client = client
        self._table = table

    def put(self, link: Link) -> None:
        content = link.model_dump_json()
        puts = [{"Put": {"Item": item({**key, "link": content})}} for key in _keys(link)]
        # both ends or none
        transact(self._client, self._table, *puts)

    def of(self, account: str, end: LinkEnd) -> list[Link]:
        rows = pages(
            self._client,
            TableName=self._table,
            KeyConditionExpression=f"{keys.PARTITION_KEY} = :p",
            ExpressionAttributeValues=item({":p": keys.links_of(account, end.plane, end.id)}),
            ConsistentRead=True,
        )
        return [Link.model_validate(json.loads(row["link"])) for row in rows]

    def delete(self, link: Link) -> None:
        transact(self._client, self._table, *({"Delete": {"Key": item(key)}} for key in _keys(link)))


def _keys(link: Link) -> tuple[keys.Key, keys.Key]:
    source, target = link.source, link.target
    return (
        keys.link_key(link.account, source.plane, source.id, target.plane, target.id),
        keys.link_key(link.account, target.plane, target.id, source.plane, source.id),
    )
