"""Rebuilds the view of a plan in the table from the records in the bucket."""

from collections.abc import Collection, Iterable
from typing import Any

from planloom.adapters import table_keys as keys
from planloom.adapters.dynamodb_items import item
from planloom.adapters.dynamodb_plan_table import PlanTable
from planloom.adapters.dynamodb_transact import contend
from planloom.adapters.plan_items import (
    absent,
    changed_fields,
    index_key,
    plan_fields,
    plan_of,
    plan_row,
    step_rows,
    user_writes,
)
from planloom.planes.strategic.event_log import state_changed
from planloom.planes.strategic.plans import TERMINAL, Plan, lost_writes
from planloom.planes.strategic.steps import StepRecord
from planloom.planes.strategic.view_changes import rewritten


class PlanRepair(PlanTable):
    """The repairing part of planloom.planes.strategic.ports.plans.PlanStore."""

    def add(self, plan: Plan, reason: str | None = None) -> bool:
        # a plan that is rebuilt from the bucket may have ended: the watchdog need not see it
        marker = [] if plan.state in TERMINAL else [{"Put": {"Item": item(keys.active_key(plan.plan_id))}}]
        first_entry = state_changed(None, plan.state, plan.run, plan.failure, reason)
        return self._transact(
            {"Put": {"Item": item(plan_row(plan)), "ConditionExpression": "attribute_not_exists(PK)"}},
            self._log(plan.plan_id, plan.created_at, 1, [first_entry]),
            # its files belong to a plan again and must not be erased
            {"Delete": {"Key": item(keys.deleted_key(plan.plan_id))}},
            *marker,
            *user_writes(plan),
        )

    def restore(self, plan: Plan) -> bool:
        return contend(f"restore plan {plan.plan_id}", lambda: self._try_restore(plan))

    def rewrite(self, plan: Plan, records: Iterable[StepRecord], done: Collection[str] | None = None) -> None:
        kept = list(records)
        if not contend(f"rewrite the view of plan {plan.plan_id}", lambda: self._try_rewrite(plan, kept, done)):
            return
        rows = [row for record in kept for row in step_rows(plan.plan_id, record)]
        self._write_rows(plan.plan_id, plan.run, rows)
        wanted = {row[keys.SORT_KEY] for row in rows}
        self._drop_rows(plan.plan_id, plan.run, lambda row: row[keys.SORT_KEY] not in wanted)

    def _try_restore(self, plan: Plan) -> bool | None:
        found = self._plan_item(plan.plan_id)
        if found is None:
            return self.add(plan)
        if not lost_writes(plan_of(found), plan):
            return False
        names = tuple(name for name in Plan.model_fields if name != "plan_id")
        update = self._update(found, plan_fields(plan, names) | index_key(plan), drop=absent(plan, names))
        key = item(keys.active_key(plan.plan_id))
        marker: dict[str, Any] = {"Delete": {"Key": key}} if plan.state in TERMINAL else {"Put": {"Item": key}}
        return self._transact({"Update": update}, marker, *user_writes(plan)) or None

    def _try_rewrite(self, plan: Plan, kept: list[StepRecord], done: Collection[str] | None) -> bool | None:
        """Update the plan's item from *kept*; False if the plan has another run, None if another writer was first."""
        found = self._plan_item(plan.plan_id)
        if not found or found["run"] != plan.run:
            return False
        current = plan_of(found)
        update = self._update(found, changed_fields(current, rewritten(current, kept, done)))
        return self._transact({"Update": update}) or None
