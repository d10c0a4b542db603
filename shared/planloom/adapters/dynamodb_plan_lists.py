"""Lists the plans of an account, newest first: its own, and those that were made for it by another account."""

from collections.abc import Iterator
from typing import Any

from planloom.adapters import table_keys as keys
from planloom.adapters.dynamodb_items import item, values
from planloom.adapters.dynamodb_plan_table import PlanTable
from planloom.planes.strategic.plans import ListedPlan, Plan

#: The attributes that a list reads; the rest of a plan's item is mostly the costs of its steps.
LISTED: dict[str, Any] = {
    "ProjectionExpression": ", ".join(f"#{name}" for name in ListedPlan.model_fields),
    "ExpressionAttributeNames": {f"#{name}": name for name in ListedPlan.model_fields},
}


class PlanLists(PlanTable):
    """The listing part of planloom.planes.strategic.ports.plans.PlanStore."""

    def newest_of(self, account: str, limit: int, before: Plan | None, *, archived: bool = False) -> list[ListedPlan]:
        query: dict[str, Any] = {
            "TableName": self._table,
            "IndexName": keys.INDEX,
            "KeyConditionExpression": f"{keys.INDEX_PARTITION_KEY} = :account",
            "ExpressionAttributeValues": item({":account": keys.plan_index_partition(account, archived=archived)}),
            "ScanIndexForward": False,
            "Limit": limit,
            **LISTED,
        }
        if before and account in (before.account, before.user_account):
            own = keys.plan_key if before.account == account else keys.user_key
            index_key = keys.plan_index_key(account, before.created_at, before.plan_id, archived=archived)
            query["ExclusiveStartKey"] = item(own(before.plan_id) | index_key)
        found = [values(row) for row in self._client.query(**query)["Items"]]
        plans = {row["plan_id"]: row for row in found if "state" in row}
        plans |= {row["plan_id"]: row for row in self._read([row["plan_id"] for row in found if "state" not in row])}
        return [ListedPlan.model_validate(plans[row["plan_id"]]) for row in found if row["plan_id"] in plans]

    def _read(self, plan_ids: list[str]) -> Iterator[dict[str, Any]]:
        """Yield the listed attributes of each of *plan_ids*, at most 100, that exists."""
        left: dict[str, Any] = {self._table: {"Keys": [item(keys.plan_key(plan_id)) for plan_id in plan_ids], **LISTED}}
        while plan_ids and left:
            answer = self._client.batch_get_item(RequestItems=left)
            # a throttled table leaves keys unread: request them again
            left = answer["UnprocessedKeys"]
            for row in map(values, answer["Responses"].get(self._table, [])):
                if "state" in row:
                    yield row
