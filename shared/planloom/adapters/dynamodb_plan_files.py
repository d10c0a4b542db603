"""What the table says of a plan's steps and files, for those who read it."""

from collections.abc import Iterable
from itertools import islice
from typing import Any

from planloom.adapters import table_keys as keys
from planloom.adapters.dynamodb_items import item, pages, values
from planloom.adapters.dynamodb_plan_table import PlanTable
from planloom.adapters.plan_items import artifact_of, plan_of, step_of
from planloom.domain.artifacts import Artifact
from planloom.domain.plans import Plan
from planloom.domain.steps import StepRecord

#: Between a plan and its files lie the implementation plans made from it: few, and where they are more, read on.
ROWS_BETWEEN = 4


class PlanFiles(PlanTable):
    """The reading part of planloom.ports.plans.PlanStore."""

    def get_with_files(self, plan_id: str, limit: int) -> tuple[Plan | None, list[Artifact]]:
        # read backwards, the plan comes first and its files soon after it: one round trip for both
        last = keys.plan_key(plan_id)[keys.SORT_KEY]
        rows = pages(
            self._client,
            TableName=self._table,
            KeyConditionExpression=f"{keys.PARTITION_KEY} = :p AND {keys.SORT_KEY} BETWEEN :first AND :last",
            ExpressionAttributeValues=item({":p": keys.plan_partition(plan_id), ":first": keys.FILES, ":last": last}),
            ScanIndexForward=False,
            ConsistentRead=True,
            Limit=limit + 1 + ROWS_BETWEEN,
        )
        found = next(rows, None)
        if found is None or found[keys.SORT_KEY] != last or "deleted_at" in found:
            return None, []
        files = (row for row in rows if row[keys.SORT_KEY].startswith(keys.FILES))
        return plan_of(found), [artifact_of(row) for row in islice(files, limit)]

    def newest_files(self, plan_id: str, limit: int) -> list[Artifact]:
        return [artifact_of(row) for row in self._files(plan_id, ScanIndexForward=False, Limit=limit)]

    def file(self, plan_id: str, path: str) -> Artifact | None:
        key = item(keys.file_key(plan_id, path))
        found = self._client.get_item(TableName=self._table, Key=key, ConsistentRead=True).get("Item")
        return artifact_of(values(found)) if found else None

    def steps(self, plan_id: str) -> list[StepRecord]:
        return [step_of(row) for row in self._of_partition(keys.plan_partition(plan_id), keys.STEPS)]

    def all_files(self, plan_id: str) -> list[Artifact]:
        return [artifact_of(row) for row in self._of_partition(keys.plan_partition(plan_id), keys.FILES)]

    def _files(self, plan_id: str, **options: Any) -> Iterable[dict[str, Any]]:
        query = self._partition_query(keys.plan_partition(plan_id), keys.FILES)
        return [values(row) for row in self._client.query(**query, **options)["Items"]]
