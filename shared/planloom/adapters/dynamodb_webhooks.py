"""Webhooks and deliveries to them in the table; deliveries expire after 30 days."""

import json
from datetime import datetime
from typing import TYPE_CHECKING, Any

from planloom.adapters import table_keys as keys
from planloom.adapters.dynamodb_items import item, pages, values
from planloom.adapters.dynamodb_transact import transact
from planloom.notifications.webhook import KEPT, Delivery, DeliveryState, Webhook

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


class DynamoWebhookStore:
    """Implements planloom.notifications.ports.WebhookStore on DynamoDB."""

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._client = client
        self._table = table

    def put(self, webhook: Webhook) -> None:
        row = keys.webhook_key(webhook.account, webhook.name) | webhook.model_dump(mode="json")
        self._client.put_item(TableName=self._table, Item=item(row))

    def get(self, account: str, name: str) -> Webhook | None:
        key = item(keys.webhook_key(account, name))
        found = self._client.get_item(TableName=self._table, Key=key, ConsistentRead=True)
        return _webhook(values(found["Item"])) if "Item" in found else None

    def of_account(self, account: str) -> list[Webhook]:
        rows = pages(
            self._client,
            TableName=self._table,
            KeyConditionExpression=f"{keys.PARTITION_KEY} = :p AND begins_with({keys.SORT_KEY}, :s)",
            ExpressionAttributeValues=item({":p": keys.account_partition(account), ":s": keys.WEBHOOKS}),
            ConsistentRead=True,
        )
        return [_webhook(row) for row in rows]

    def delete(self, account: str, name: str) -> None:
        self._client.delete_item(TableName=self._table, Key=item(keys.webhook_key(account, name)))


class DynamoDeliveryStore:
    """Implements planloom.notifications.ports.DeliveryStore on DynamoDB; a pending delivery has a marker beside it."""

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._client = client
        self._table = table

    def add(self, delivery: Delivery) -> bool:
        return self._put(delivery, ConditionExpression="attribute_not_exists(PK)")

    def get(self, delivery_id: str) -> Delivery | None:
        key = item(keys.delivery_key(delivery_id))
        found = self._client.get_item(TableName=self._table, Key=key, ConsistentRead=True)
        return _delivery(values(found["Item"])) if "Item" in found else None

    def replace(self, delivery: Delivery, before: int) -> bool:
        return self._put(
            delivery,
            ConditionExpression="#version = :before",
            ExpressionAttributeNames={"#version": "version"},
            ExpressionAttributeValues=item({":before": before}),
        )

    def newest_of(
        self, account: str, webhook: str, limit: int, before: str | None = None
    ) -> list[tuple[str, Delivery]]:
        named = {":list": keys.deliveries_of(account, webhook), **({":before": before} if before else {})}
        found = self._client.query(
            TableName=self._table,
            IndexName=keys.INDEX,
            KeyConditionExpression=f"{keys.INDEX_PARTITION_KEY} = :list"
            + (f" AND {keys.INDEX_SORT_KEY} < :before" if before else ""),
            ExpressionAttributeValues=item(named),
            ScanIndexForward=False,
            Limit=limit,
        )
        return [(row[keys.INDEX_SORT_KEY], _delivery(row)) for row in map(values, found["Items"])]

    def overdue(self, before: datetime, limit: int) -> list[str]:
        # markers of all that is pending: few at any time, since each leaves after a day at the latest
        marked = pages(
            self._client,
            TableName=self._table,
            KeyConditionExpression=f"{keys.PARTITION_KEY} = :p",
            FilterExpression="next_at < :before",
            ExpressionAttributeValues=item({":p": keys.UNDELIVERED, ":before": keys.sortable_time(before)}),
        )
        found = sorted((row["next_at"], row[keys.SORT_KEY].removeprefix("DELIVERY#")) for row in marked)
        return [delivery_id for _, delivery_id in found[:limit]]

    def _put(self, delivery: Delivery, **condition: Any) -> bool:
        row = {
            **keys.delivery_key(delivery.delivery_id),
            **keys.index_key(
                keys.deliveries_of(delivery.account, delivery.webhook), delivery.created_at, delivery.delivery_id
            ),
            "version": delivery.version,
            "delivery": delivery.model_dump_json(),
            keys.EXPIRES: int((delivery.created_at + KEPT).timestamp()),
        }
        marker = keys.undelivered_key(delivery.delivery_id)
        marked: dict[str, Any] = {"Delete": {"Key": item(marker)}}
        if delivery.state is DeliveryState.PENDING:
            marked = {"Put": {"Item": item(marker | {"next_at": keys.sortable_time(delivery.next_at)})}}
        return transact(self._client, self._table, {"Put": {"Item": item(row), **condition}}, marked)


def _webhook(row: dict[str, Any]) -> Webhook:
    return Webhook.model_validate({name: row[name] for name in Webhook.model_fields if name in row})


def _delivery(row: dict[str, Any]) -> Delivery:
    return Delivery.model_validate(json.loads(row["delivery"]))
