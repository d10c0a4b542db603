"""Reads the steps and files of a plan from the table."""

from planloom.adapters import table_keys as keys
from planloom.adapters.dynamodb_items import item, values
from planloom.adapters.dynamodb_plan_table import PlanTable
from planloom.adapters.plan_items import artifact_of, step_of
from planloom.core.artifacts import Artifact
from planloom.planes.strategic.steps import StepRecord


class PlanFiles(PlanTable):
    """The reading part of planloom.planes.strategic.ports.plans.PlanStore."""

    def file(self, plan_id: str, path: str) -> Artifact | None:
        key = item(keys.file_key(plan_id, path))
        found = self._client.get_item(TableName=self._table, Key=key, ConsistentRead=True).get("Item")
        return artifact_of(values(found)) if found else None

    def steps(self, plan_id: str) -> list[StepRecord]:
        return [step_of(row) for row in self._of_partition(keys.plan_partition(plan_id), keys.STEPS)]

    def all_files(self, plan_id: str) -> list[Artifact]:
        return [artifact_of(row) for row in self._of_partition(keys.plan_partition(plan_id), keys.FILES)]
