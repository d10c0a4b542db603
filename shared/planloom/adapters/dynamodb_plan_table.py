"""Reads the items of one plan, and builds conditional writes that increase its cursor."""

import re
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import TYPE_CHECKING, Any

from planloom.adapters import table_keys as keys
from planloom.adapters.dynamodb_items import item, pages, values
from planloom.adapters.dynamodb_log import log_row
from planloom.adapters.dynamodb_transact import transact, unmet
from planloom.planes.strategic.event_log import Shown

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

#: A transaction takes 100 items; further rows of a stage are written after it.
ROWS_IN_TRANSACTION = 90


class PlanTable:
    """Base of the plan stores. Every write of a plan increases its cursor and requires the cursor that was read: a
    writer with an old cursor writes nothing and reads the plan again.
    """

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._client = client
        self._table = table

    def _plan_item(self, plan_id: str) -> dict[str, Any] | None:
        key = item(keys.plan_key(plan_id))
        found = self._client.get_item(TableName=self._table, Key=key, ConsistentRead=True).get("Item")
        # a deleted plan leaves a tombstone, so that a late write cannot create it again
        return values(found) if found and "deleted_at" not in found else None

    def _of_partition(self, partition: str, prefix: str) -> Iterable[dict[str, Any]]:
        return pages(self._client, **self._partition_query(partition, prefix))

    def _partition_query(self, partition: str, prefix: str) -> dict[str, Any]:
        return {
            "TableName": self._table,
            "KeyConditionExpression": f"{keys.PARTITION_KEY} = :p AND begins_with({keys.SORT_KEY}, :s)",
            "ExpressionAttributeValues": item({":p": partition, ":s": prefix}),
        }

    def _update(
        self, found: dict[str, Any], changes: dict[str, Any], drop: Iterable[str] = (), cursors: int = 1
    ) -> dict[str, Any]:
        """Build a write of *changes* to the plan that was *found*, on condition that it was not written since."""
        # every change of a plan increases its cursor: no other fence is needed
        return self._update_if(found["plan_id"], changes, "#cursor = :at", {":at": found["cursor"]}, drop, cursors)

    def _update_if(
        self,
        plan_id: str,
        changes: dict[str, Any],
        condition: str,
        given: dict[str, Any],
        drop: Iterable[str] = (),
        cursors: int = 1,
    ) -> dict[str, Any]:
        """Build a write of *changes* on *condition*, whose values are *given*; the cursor increases by *cursors*."""
        # names and values are always placeholders: state, run and cursor are reserved words of DynamoDB
        sets = ", ".join(["#cursor = #cursor + :taken", *(f"#{name} = :{name}" for name in changes)])
        drops = ", ".join(f"#{name}" for name in drop)
        named = {f"#{name}": name for name in (*changes, *drop, *_attribute_names(condition))}
        values_ = {f":{name}": value for name, value in changes.items()}
        return {
            "Key": item(keys.plan_key(plan_id)),
            "UpdateExpression": f"SET {sets}" + (f" REMOVE {drops}" if drops else ""),
            "ConditionExpression": condition,
            "ExpressionAttributeNames": {"#cursor": "cursor", **named},
            "ExpressionAttributeValues": item({":taken": cursors, **values_, **given}),
        }

    def _log(self, plan_id: str, at: datetime, last: int, logged: list[Shown]) -> dict[str, Any]:
        return {"Put": {"Item": item(log_row(plan_id, at, last, logged))}}

    def _write_rows(self, plan_id: str, run: int, rows: list[dict[str, Any]]) -> None:
        """Write *rows* of the plan, on condition that its run is *run*."""
        self._in_transactions(plan_id, run, [{"Put": {"Item": item(row)}} for row in rows])

    def _drop_rows(self, plan_id: str, run: int, unwanted: Callable[[dict[str, Any]], bool]) -> None:
        """Delete the *unwanted* steps of a plan and files of steps (``NNN-...``), if its run is *run*."""
        partition = keys.plan_partition(plan_id)
        rows = [row for prefix in (keys.STEPS, keys.FILES) for row in self._of_partition(partition, prefix)]
        unwanted_ones = (row for row in rows if row[keys.SORT_KEY][5:8].isdigit() and unwanted(row))
        gone = [{name: row[name] for name in (keys.PARTITION_KEY, keys.SORT_KEY)} for row in unwanted_ones]
        self._in_transactions(plan_id, run, [{"Delete": {"Key": item(key)}} for key in gone])

    def _in_transactions(self, plan_id: str, run: int, writes: list[dict[str, Any]]) -> None:
        """Write many rows, in batches on condition that the plan's run is *run*: a newer run writes its own rows."""
        fence = {
            "ConditionCheck": {
                "Key": item(keys.plan_key(plan_id)),
                "ConditionExpression": "#run = :run",
                "ExpressionAttributeNames": {"#run": "run"},
                "ExpressionAttributeValues": item({":run": run}),
            }
        }
        # in batches also for speed: a plan has hundreds of rows, and each single write costs a round trip
        for start in range(0, len(writes), ROWS_IN_TRANSACTION):
            if not self._transact(fence, *writes[start : start + ROWS_IN_TRANSACTION]):
                return

    def _transact(self, *writes: dict[str, Any]) -> bool:
        """Write all or nothing; return False if a condition does not hold."""
        return transact(self._client, self._table, *writes)

    def _failed(self, *writes: dict[str, Any]) -> frozenset[int]:
        """Write all or nothing; return the indexes of *writes* whose condition does not hold."""
        return unmet(self._client, self._table, *writes)


def _attribute_names(condition: str) -> list[str]:
    return re.findall(r"#(\w+)", condition)
