"""Plans in the table: every change is one conditional write that names the run."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from planloom.adapters import table_keys as keys
from planloom.adapters.dynamodb_items import item
from planloom.adapters.dynamodb_plan_files import PlanFiles
from planloom.adapters.dynamodb_plan_lists import PlanLists
from planloom.adapters.dynamodb_plan_repair import PlanRepair
from planloom.adapters.dynamodb_plan_table import ROWS_IN_TRANSACTION
from planloom.adapters.dynamodb_transact import contend
from planloom.adapters.plan_items import absent, changed_fields, file_row, plan_of, step_rows
from planloom.planes.strategic.event_log import shown, state_changed
from planloom.planes.strategic.events import ArtifactEdited, PlanEvent, StageFinished
from planloom.planes.strategic.plans import RUN_FIELDS, TERMINAL, TRANSITIONS, Failure, Plan, PlanState
from planloom.planes.strategic.view_changes import applied, may_restart, moved, restarted


class DynamoPlanStore(PlanFiles, PlanLists, PlanRepair):
    """Implements planloom.planes.strategic.ports.plans.PlanStore on DynamoDB."""

    def get(self, plan_id: str) -> Plan | None:
        found = self._plan_item(plan_id)
        return plan_of(found) if found else None

    def active(self) -> list[str]:
        found = self._of_partition(keys.ACTIVE, keys.PLANS)
        return [row[keys.SORT_KEY].removeprefix(keys.PLANS) for row in found]

    def move(
        self,
        plan_id: str,
        run: int,
        to: PlanState,
        now: datetime,
        failure: Failure | None = None,
        reason: str | None = None,
    ) -> bool:
        return contend(
            f"change the state of plan {plan_id}", lambda: self._try_move(plan_id, run, to, now, failure, reason)
        )

    def record_failure(self, plan_id: str, run: int, failure: Failure) -> bool:
        active = {f":s{n}": state for n, state in enumerate(TRANSITIONS) if state not in TERMINAL}
        condition = f"#run = :run AND attribute_not_exists(#failure) AND #state IN ({', '.join(active)})"
        changes = {"failure": failure.model_dump(mode="json")}
        return self._transact({"Update": self._update_if(plan_id, changes, condition, {":run": run, **active})})

    def apply(self, event: PlanEvent) -> bool:
        return contend(f"apply an event to plan {event.plan_id}", lambda: self._try_apply(event))

    def restart(self, plan: Plan) -> bool:
        if not contend(f"start the next run of plan {plan.plan_id}", lambda: self._try_restart(plan)):
            return False
        if plan.first_run == plan.run:
            self._drop_rows(plan.plan_id, plan.run, lambda row: True)  # noqa: ARG005 - all of them
        return True

    def _try_move(
        self, plan_id: str, run: int, to: PlanState, now: datetime, failure: Failure | None, reason: str | None
    ) -> bool | None:
        """Change the state and log it in one transaction; False if not allowed, None if another writer was first."""
        found = self._plan_item(plan_id)
        plan = plan_of(found) if found else None
        changes = moved(plan, run, to, now, failure) if plan else None
        if not found or not plan or changes is None:
            return False
        marker: dict[str, Any] = {"Put": {"Item": item(keys.active_key(plan_id))}}
        if to in TERMINAL:
            marker = {"Delete": {"Key": item(keys.active_key(plan_id))}}
        entry = state_changed(plan.state, to, run, failure, reason)
        logged = self._log(plan_id, now, int(found["cursor"]) + 1, [entry])
        return self._transact({"Update": self._update(found, changed_fields(plan, changes))}, marker, logged) or None

    def _try_restart(self, plan: Plan) -> bool | None:
        """Start the run and log it in one transaction; False if not allowed, None if another writer was first."""
        found = self._plan_item(plan.plan_id)
        before = plan_of(found) if found else None
        if not found or not before or not may_restart(before, plan):
            return False
        entry = state_changed(found["state"], plan.state, plan.run, reason=plan.run_reason)
        changes = restarted(before, plan)
        update = self._update(found, changed_fields(plan, changes), drop=absent(plan, RUN_FIELDS))
        marker: dict[str, Any] = {"Put": {"Item": item(keys.active_key(plan.plan_id))}}
        logged = self._log(plan.plan_id, plan.queued_at, int(found["cursor"]) + 1, [entry])
        return self._transact({"Update": update}, marker, logged) or None

    def _try_apply(self, event: PlanEvent) -> bool | None:
        """Apply *event* in one transaction; False if it was applied before or the plan does not exist, None if another
        writer was first.
        """
        found = self._plan_item(event.plan_id)
        if not found:
            return False
        plan, cursor = plan_of(found), int(found["cursor"])
        current = event.run == plan.run
        changes = applied(plan, event)
        logged = shown(event, changes.get("steps_finished", plan.steps_finished) if current else None)
        seen = keys.seen_key(event.plan_id, event.event_id)
        rows = list(_rows(event)) if current else []
        failed = self._failed(
            {"Put": {"Item": item(seen), "ConditionExpression": "attribute_not_exists(PK)"}},
            {"Update": self._update(found, changed_fields(plan, changes), cursors=max(1, len(logged)))},
            # an event of an earlier run has no entries: a row for it would overwrite the last one
            *([self._log(event.plan_id, event.at, cursor + len(logged), logged)] if logged else []),
            *({"Put": {"Item": item(row)}} for row in rows[:ROWS_IN_TRANSACTION]),
        )
        if failed:
            return False if 0 in failed else None
        self._write_rows(event.plan_id, event.run, rows[ROWS_IN_TRANSACTION:])
        return True


def _rows(event: PlanEvent) -> Iterator[dict[str, Any]]:
    """Yield the items of steps and files that *event* adds."""
    if isinstance(event, StageFinished):
        yield from step_rows(event.plan_id, event.record)
    if isinstance(event, ArtifactEdited):
        for file in event.files:
            yield file_row(event.plan_id, file)
