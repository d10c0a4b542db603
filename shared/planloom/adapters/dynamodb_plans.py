"""Plans in the table: every write is one conditional write that names the run."""

from collections.abc import Callable, Collection, Iterable
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING, Any

from planloom.adapters import table_keys as keys
from planloom.adapters.dynamodb_items import item, pages, values
from planloom.adapters.dynamodb_log import log_row
from planloom.adapters.dynamodb_transact import ATTEMPTS, pause, transact
from planloom.adapters.plan_items import (
    absent,
    artifact_of,
    file_row,
    plan_fields,
    plan_of,
    progress_after,
    quality_of,
    step_of,
    step_rows,
)
from planloom.domain.artifacts import Artifact
from planloom.domain.event_log import Shown, shown, state_changed
from planloom.domain.events import PlanEvent, StageFinished
from planloom.domain.plans import RUN_FIELDS, TERMINAL, TRANSITIONS, Failure, Plan, PlanState, lost_writes
from planloom.domain.steps import StepRecord

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

#: A transaction takes 100 items; what a stage makes beyond that is written beside it.
ROWS_IN_TRANSACTION = 90
#: Between a plan and its files lie the implementation plans made from it: few, and where they are more, read on.
ROWS_BETWEEN = 4


class DynamoPlanStore:
    """Keeps planloom.ports.PlanStore on DynamoDB."""

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._client = client
        self._table = table

    def add(self, plan: Plan) -> bool:
        archived = plan.archived_at is not None
        index_key = keys.plan_index_key(plan.account, plan.created_at, plan.plan_id, archived=archived)
        fields: dict[str, Any] = {**keys.plan_key(plan.plan_id), **index_key, **plan_fields(plan), "cursor": 1}
        # a plan that is rebuilt from the bucket may be at rest: nothing to watch
        marker = [] if plan.state in TERMINAL else [{"Put": {"Item": item(keys.active_key(plan.plan_id))}}]
        return self._transact(
            {"Put": {"Item": item(fields), "ConditionExpression": "attribute_not_exists(PK)"}},
            self._log(plan.plan_id, plan.created_at, 1, [state_changed(None, plan.state, plan.run, plan.failure)]),
            *marker,
        )

    def get(self, plan_id: str) -> Plan | None:
        found = self._plan_item(plan_id)
        return plan_of(found) if found else None

    def newest_of(self, account: str, limit: int, before: str | None, *, archived: bool = False) -> list[Plan]:
        query: dict[str, Any] = {
            "TableName": self._table,
            "IndexName": keys.INDEX,
            "KeyConditionExpression": f"{keys.INDEX_PARTITION_KEY} = :account",
            "ExpressionAttributeValues": item({":account": keys.plan_index_partition(account, archived=archived)}),
            "ScanIndexForward": False,
            "Limit": limit,
        }
        last = self.get(before) if before else None
        if last and last.account == account:
            index_key = keys.plan_index_key(account, last.created_at, last.plan_id, archived=archived)
            query["ExclusiveStartKey"] = item(keys.plan_key(last.plan_id) | index_key)
        return [plan_of(values(found)) for found in self._client.query(**query)["Items"]]

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
        for attempt in range(ATTEMPTS):
            found = self._plan_item(plan_id)
            if not found or found["run"] != run or to not in TRANSITIONS[found["state"]]:
                return False
            told = state_changed(found["state"], to, run, failure, reason)
            if self._move_once(plan_id, int(found["cursor"]), to, now, failure, told):
                return True
            pause(attempt)
        raise TimeoutError(f"plan {plan_id} changed {ATTEMPTS} times while its state was to change")

    def _move_once(
        self, plan_id: str, cursor: int, to: PlanState, now: datetime, failure: Failure | None, told: Shown
    ) -> bool:
        """Change the state and log it, all or nothing; return False where another writer came between."""
        changes: dict[str, Any] = {"state": to}
        if to == "processing":
            changes |= {"started_at": now.isoformat(), "last_progress_at": now.isoformat()}
        if to in TERMINAL:
            changes["ended_at"] = now.isoformat()
        if failure:
            changes["failure"] = failure.model_dump(mode="json")
        # whoever else changes run or state takes a cursor, so that the cursor alone is fence enough
        update = self._update(plan_id, changes, "#cursor = :at")
        update["ExpressionAttributeValues"] |= item({":at": cursor})
        marker: dict[str, Any] = {"Put": {"Item": item(keys.active_key(plan_id))}}
        if to in TERMINAL:
            marker = {"Delete": {"Key": item(keys.active_key(plan_id))}}
        return self._transact({"Update": update}, marker, self._log(plan_id, now, cursor + 1, [told]))

    def note_failure(self, plan_id: str, run: int, failure: Failure) -> bool:
        going = {f":s{n}": state for n, state in enumerate(TRANSITIONS) if state not in TERMINAL}
        condition = f"#run = :run AND attribute_not_exists(#failure) AND #state IN ({', '.join(going)})"
        update = self._update(plan_id, {"failure": failure.model_dump(mode="json")}, condition)
        update["ExpressionAttributeValues"] |= item({":run": run, **going})
        update["ExpressionAttributeNames"] |= {"#run": "run", "#state": "state"}
        return self._transact({"Update": update})

    def fold(self, event: PlanEvent) -> bool:
        for attempt in range(ATTEMPTS):
            found = self._plan_item(event.plan_id)
            if not found:
                return False
            folded = self._fold_once(event, found)
            if folded is not None:
                return folded
            pause(attempt)
        raise TimeoutError(f"plan {event.plan_id} changed {ATTEMPTS} times while an event was folded in")

    def restart(self, plan: Plan) -> bool:
        for attempt in range(ATTEMPTS):
            found = self._plan_item(plan.plan_id)
            if not found or found["run"] != plan.run - 1 or found["state"] not in ("failed", "stopped"):
                return False
            if "archived_at" in found:
                return False
            if self._restart_once(plan, found):
                if plan.first_run == plan.run:
                    self._drop_rows(plan.plan_id, lambda row: True)  # noqa: ARG005 - all of them
                return True
            pause(attempt)
        raise TimeoutError(f"plan {plan.plan_id} changed {ATTEMPTS} times while its next run was to begin")

    def _restart_once(self, plan: Plan, found: dict[str, Any]) -> bool:
        cursor = int(found["cursor"])
        told = state_changed(found["state"], plan.state, plan.run, reason=plan.run_reason)
        condition = "#cursor = :at AND attribute_not_exists(archived_at)"
        update = self._update(plan.plan_id, plan_fields(plan, RUN_FIELDS), condition, drop=absent(plan, RUN_FIELDS))
        update["ExpressionAttributeValues"] |= item({":at": cursor})
        marker: dict[str, Any] = {"Put": {"Item": item(keys.active_key(plan.plan_id))}}
        return self._transact({"Update": update}, marker, self._log(plan.plan_id, plan.queued_at, cursor + 1, [told]))

    def restore(self, plan: Plan) -> bool:
        found = self.get(plan.plan_id)
        if found is None:
            return self.add(plan)
        if not lost_writes(found, plan):
            return False
        names = tuple(Plan.model_fields)
        fields = {name: value for name, value in plan_fields(plan, names).items() if name != "plan_id"}
        update = self._update(plan.plan_id, fields, "#run = :was AND #state = :then", drop=absent(plan, names))
        update["ExpressionAttributeValues"] |= item({":was": found.run, ":then": found.state})
        key = item(keys.active_key(plan.plan_id))
        return self._transact(
            {"Update": update}, {"Delete": {"Key": key}} if plan.state in TERMINAL else {"Put": {"Item": key}}
        )

    def rewrite(self, plan: Plan, records: Iterable[StepRecord], done: Collection[str] | None = None) -> None:
        kept = list(records)
        counted = [record for record in kept if done is None or record.key in done]
        for attempt in range(ATTEMPTS):
            found = self._plan_item(plan.plan_id)
            if not found or found["run"] != plan.run:
                return
            if self._recount(plan, counted, found):
                break
            pause(attempt)
        else:
            raise TimeoutError(f"plan {plan.plan_id} changed {ATTEMPTS} times while its view was rewritten")
        rows = [row for record in kept for row in step_rows(plan.plan_id, record)]
        self._write_rows(rows)
        named = {row[keys.SORT_KEY] for row in rows}
        self._drop_rows(plan.plan_id, lambda row: row[keys.SORT_KEY] not in named)

    def describe(self, plan_id: str, files: Iterable[Artifact]) -> None:
        self._write_rows([file_row(plan_id, file) for file in files])

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

    def _recount(self, plan: Plan, counted: list[StepRecord], found: dict[str, Any]) -> bool:
        """Add what *counted* says to the progress in *found*; return False where that has changed since."""
        finished = {record.key: len(record.artifacts) for record in counted}
        spent = {record.key: record.usage.model_dump(mode="json") for record in counted}
        changes = {
            "steps_finished": {**found["steps_finished"], **finished},
            "steps_usage": {**found.get("steps_usage", {}), **spent},
            **quality_of(counted),
        }
        update = self._update(plan.plan_id, changes, "#run = :run AND #cursor = :at")
        update["ExpressionAttributeValues"] |= item({":run": plan.run, ":at": found["cursor"]})
        update["ExpressionAttributeNames"] |= {"#run": "run"}
        return self._transact({"Update": update})

    def _fold_once(self, event: PlanEvent, found: dict[str, Any]) -> bool | None:
        """Return True once folded, False if it was folded before, None where another event came between."""
        cursor = int(found["cursor"])
        current = event.run == found["run"]
        changes = progress_after(event, found) if current else {}
        told = shown(event, changes.get("steps_finished", found["steps_finished"]) if current else None)
        update = self._update(event.plan_id, changes, "#cursor = :at", cursors=len(told))
        update["ExpressionAttributeValues"] |= item({":at": cursor})
        logged = log_row(event.plan_id, event.at, cursor + len(told), told)
        seen = keys.seen_key(event.plan_id, event.event_id)
        rows = list(step_rows(event.plan_id, event.record)) if current and isinstance(event, StageFinished) else []
        writes: list[Any] = [
            {"Put": self._put(seen, ConditionExpression="attribute_not_exists(PK)")},
            {"Update": update},
            {"Put": self._put(logged)},
            *({"Put": self._put(row)} for row in rows[:ROWS_IN_TRANSACTION]),
        ]
        try:
            self._client.transact_write_items(TransactItems=writes)
        except self._client.exceptions.TransactionCanceledException as canceled:
            codes = [reason["Code"] for reason in canceled.response["CancellationReasons"]]
            if codes[0] == "ConditionalCheckFailed":
                return False
            if not {"ConditionalCheckFailed", "TransactionConflict"} & set(codes):
                raise
            return None
        self._write_rows(rows[ROWS_IN_TRANSACTION:])
        return True

    def _plan_item(self, plan_id: str) -> dict[str, Any] | None:
        key = item(keys.plan_key(plan_id))
        found = self._client.get_item(TableName=self._table, Key=key, ConsistentRead=True).get("Item")
        # a deleted plan leaves a tombstone, so that nothing late brings it back
        return values(found) if found and "deleted_at" not in found else None

    def _files(self, plan_id: str, **options: Any) -> Iterable[dict[str, Any]]:
        query = self._partition_query(keys.plan_partition(plan_id), keys.FILES)
        return [values(row) for row in self._client.query(**query, **options)["Items"]]

    def _of_partition(self, partition: str, prefix: str) -> Iterable[dict[str, Any]]:
        return pages(self._client, **self._partition_query(partition, prefix))

    def _partition_query(self, partition: str, prefix: str) -> dict[str, Any]:
        return {
            "TableName": self._table,
            "KeyConditionExpression": f"{keys.PARTITION_KEY} = :p AND begins_with({keys.SORT_KEY}, :s)",
            "ExpressionAttributeValues": item({":p": partition, ":s": prefix}),
        }

    def _drop_rows(self, plan_id: str, unwanted: Callable[[dict[str, Any]], bool]) -> None:
        """Delete those steps of a plan, and files of steps (``NNN-...``), that are *unwanted*."""
        partition = keys.plan_partition(plan_id)
        rows = [row for prefix in (keys.STEPS, keys.FILES) for row in self._of_partition(partition, prefix)]
        unwanted_ones = (row for row in rows if row[keys.SORT_KEY][5:8].isdigit() and unwanted(row))
        gone = [{name: row[name] for name in (keys.PARTITION_KEY, keys.SORT_KEY)} for row in unwanted_ones]
        for start in range(0, len(gone), ROWS_IN_TRANSACTION):
            self._transact(*({"Delete": {"Key": item(key)}} for key in gone[start : start + ROWS_IN_TRANSACTION]))

    def _log(self, plan_id: str, at: datetime, last: int, told: list[Shown]) -> dict[str, Any]:
        return {"Put": {"Item": item(log_row(plan_id, at, last, told))}}

    def _update(
        self, plan_id: str, changes: dict[str, Any], condition: str, drop: Iterable[str] = (), cursors: int = 1
    ) -> dict[str, Any]:
        """Build a write of *changes* to the plan; each takes a cursor, so that a fold under way looks again."""
        # names and values are placeholders throughout: state, run and cursor are reserved words
        sets = ", ".join(["#cursor = #cursor + :taken", *(f"#{name} = :{name}" for name in changes)])
        drops = ", ".join(f"#{name}" for name in drop)
        named = {f"#{name}": name for name in (*changes, *drop)}
        given = {f":{name}": value for name, value in changes.items()}
        return {
            "TableName": self._table,
            "Key": item(keys.plan_key(plan_id)),
            "UpdateExpression": f"SET {sets}" + (f" REMOVE {drops}" if drops else ""),
            "ConditionExpression": condition,
            "ExpressionAttributeNames": {"#cursor": "cursor", **named},
            "ExpressionAttributeValues": item({":taken": cursors, **given}),
        }

    def _put(self, fields: dict[str, Any], **options: Any) -> Any:
        return {"TableName": self._table, "Item": item(fields), **options}

    def _write_rows(self, rows: list[dict[str, Any]]) -> None:
        for start in range(0, len(rows), ROWS_IN_TRANSACTION):
            # a transaction for speed alone: rows of a plan number hundreds, and one by one each costs a round trip
            self._transact(*({"Put": {"Item": item(row)}} for row in rows[start : start + ROWS_IN_TRANSACTION]))

    def _transact(self, *writes: dict[str, Any]) -> bool:
        """Write all or nothing; return False where a condition does not hold."""
        return transact(self._client, self._table, *writes)
