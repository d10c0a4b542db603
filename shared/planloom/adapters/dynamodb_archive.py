"""Archived and deleted plans in the table: archived plans have a list of their own, deleted ones a tombstone."""

from datetime import datetime
from typing import TYPE_CHECKING, Any

from planloom.adapters import table_keys as keys
from planloom.adapters.dynamodb_items import item, pages, values
from planloom.adapters.dynamodb_transact import transact
from planloom.adapters.plan_items import plan_of, user_writes
from planloom.planes.strategic.plans import TERMINAL

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

ROWS_IN_BATCH = 25


class DynamoPlanArchive:
    """Implements planloom.planes.strategic.ports.plans.PlanArchive on DynamoDB."""

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._client = client
        self._table = table

    def expect(self, plan_id: str, at: datetime) -> None:
        absent = {"Key": item(keys.plan_key(plan_id)), "ConditionExpression": "attribute_not_exists(PK)"}
        transact(self._client, self._table, {"ConditionCheck": absent}, _mark(plan_id, at))

    def archive(self, plan_id: str, run: int, at: datetime | None) -> bool:
        found = self._item(plan_id)
        if not found or "deleted_at" in found:
            return False
        condition, named = _ended(run)
        listed = keys.plan_index_partition(found["account"], archived=at is not None)
        # the cursor increases, so that an event that is being applied reads the plan again
        change = f"SET #cursor = #cursor + :one, {keys.INDEX_PARTITION_KEY} = :listed"
        return transact(
            self._client,
            self._table,
            {
                "Update": {
                    "Key": item(keys.plan_key(plan_id)),
                    "UpdateExpression": f"{change}, #at = :at" if at else f"{change} REMOVE #at",
                    "ConditionExpression": condition,
                    "ExpressionAttributeNames": {
                        "#run": "run",
                        "#state": "state",
                        "#cursor": "cursor",
                        "#at": "archived_at",
                    },
                    "ExpressionAttributeValues": item(
                        {":one": 1, ":listed": listed, ":at": at.isoformat() if at else None, **named}
                    ),
                }
            },
            *user_writes(plan_of(found).model_copy(update={"archived_at": at})),
        )

    def delete(self, plan_id: str, run: int, at: datetime) -> bool:
        found = self._item(plan_id)
        if not found or "deleted_at" in found:
            return False
        condition, named = _ended(run)
        # the tombstone is never deleted: a repeated request makes the same id, whose execution names are used up
        tombstone = {
            **keys.plan_key(plan_id),
            "plan_id": plan_id,
            "account": found["account"],
            "deleted_at": at.isoformat(),
        }
        return transact(
            self._client,
            self._table,
            {
                "Put": {
                    "Item": item(tombstone),
                    "ConditionExpression": condition,
                    "ExpressionAttributeNames": {"#run": "run", "#state": "state"},
                    "ExpressionAttributeValues": item(named),
                }
            },
            _mark(plan_id, at),
            {"Delete": {"Key": item(keys.user_key(plan_id))}},
        )

    def owner_of_deleted(self, plan_id: str) -> str | None:
        found = self._item(plan_id)
        return str(found["account"]) if found and "deleted_at" in found else None

    def deleted(self, before: datetime) -> list[str]:
        marks = self._partition(keys.DELETED)
        return [
            mark[keys.SORT_KEY].removeprefix(keys.PLANS)
            for mark in marks
            if datetime.fromisoformat(mark["at"]) < before
        ]

    def erase(self, plan_id: str, *, for_good: bool) -> None:
        found = self._item(plan_id)
        if found and "deleted_at" not in found:
            # a plan in use is not touched
            return
        rows = [
            {name: row[name] for name in (keys.PARTITION_KEY, keys.SORT_KEY)}
            for row in self._partition(keys.plan_partition(plan_id))
        ]
        rows = [row for row in rows if row != keys.plan_key(plan_id)]
        if for_good:
            rows.append(keys.deleted_key(plan_id))
        for start in range(0, len(rows), ROWS_IN_BATCH):
            writes: list[Any] = [{"Delete": {"Key": item(row)}} for row in rows[start : start + ROWS_IN_BATCH]]
            transact(self._client, self._table, *writes)

    def _item(self, plan_id: str) -> dict[str, Any] | None:
        key = item(keys.plan_key(plan_id))
        found = self._client.get_item(TableName=self._table, Key=key, ConsistentRead=True).get("Item")
        return values(found) if found else None

    def _partition(self, partition: str) -> list[dict[str, Any]]:
        query = {
            "TableName": self._table,
            "KeyConditionExpression": f"{keys.PARTITION_KEY} = :p",
            "ExpressionAttributeValues": item({":p": partition}),
        }
        return list(pages(self._client, **query))


def _mark(plan_id: str, at: datetime) -> dict[str, Any]:
    return {"Put": {"Item": item(keys.deleted_key(plan_id) | {"at": at.isoformat()})}}


def _ended(run: int) -> tuple[str, dict[str, Any]]:
    states = {f":s{n}": state for n, state in enumerate(sorted(TERMINAL))}
    return f"#run = :run AND #state IN ({', '.join(states)})", {":run": run, **states}
