"""Runs of workflows: states and specifications in the bucket, views, fences and records in the table."""

import hashlib
import json
from collections.abc import Iterator
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING, Any

from planloom.adapters import table_keys as keys
from planloom.adapters.dynamodb_effects import key_of, left_over
from planloom.adapters.dynamodb_items import item, pages, values
from planloom.adapters.dynamodb_transact import transact
from planloom.planes.workflows.effects import NOTHING, Effects
from planloom.planes.workflows.ports import Change, ExecutionView, RecordKind, StoredSpec, Workstream
from planloom.planes.workflows.records import (
    ExecutionEvent,
    NodeAttempt,
    PlanArtifact,
    PlanCheckpoint,
    Record,
    ValidationIssue,
)
from planloom.planes.workflows.states import Execution

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_s3 import S3Client

KINDS: dict[RecordKind, type[Record]] = {
    "planNodeAttempt": NodeAttempt,
    "planArtifact": PlanArtifact,
    "planCheckpoint": PlanCheckpoint,
    "planValidationIssue": ValidationIssue,
    "planEvent": ExecutionEvent,
}
#: A cursor is the version of the fact times CURSORS and the place among its records.
CURSORS = 10_000
#: Bytes of records that one item holds at most; DynamoDB takes 400 KB.
ITEM_BYTES = 300_000
#: Begins the sort keys of specifications whose runs are not there yet.
SPEC = "SPEC"
#: Objects that one request deletes at most.
DELETED = 1_000


class AwsWorkflowStore:
    """Keeps planloom.planes.workflows.ports.WorkflowStore on DynamoDB and S3.

    The state of a run is an object for each version, which its item names: of two that write the same version, one
    becomes current.
    """

    def __init__(self, table_client: "DynamoDBClient", table: str, bucket_client: "S3Client", bucket: str) -> None:
        self._items = table_client
        self._table = table
        self._files = bucket_client
        self._bucket = bucket

    def put_spec(self, spec: StoredSpec, run_id: str) -> None:
        # the item is deleted by the write that creates the run
        row = {"spec_id": spec.spec_id, "run_id": run_id, "at": keys.sortable_time(spec.created_at)}
        self._items.put_item(TableName=self._table, Item=item(_spec_key(spec.spec_id) | row))
        self._put(_spec_file(spec.spec_id), spec.model_dump_json())

    def spec(self, spec_id: str) -> StoredSpec:
        return StoredSpec.model_validate_json(self._read(_spec_file(spec_id)))

    def create(self, created: Change, replaced: Change | None = None) -> bool:
        run = created.run
        writes = [*self._changes(created), {"Delete": {"Key": item(_spec_key(run.spec_id))}}]
        if replaced:
            # its workstream gets the new run with the same write
            writes += self._changes(replaced, workstream=False)
        known = self.workstream(run.account, run.workstream_id)
        stream = Workstream(
            workstream_id=run.workstream_id,
            account=run.account,
            active_run_id=None if run.ended else run.run_id,
            last_run_id=run.run_id,
            spec_version=run.spec_version,
            title=run.title,
            parent_run_id=run.parent_run_id,
            updated_at=run.updated_at,
        )
        row = keys.workstream_key(run.account, run.workstream_id) | stream.model_dump(mode="json", by_alias=False)
        condition: dict[str, Any] = {"ConditionExpression": "attribute_not_exists(active_run_id)"}
        if replaced:
            condition = _equal("active_run_id", replaced.run.run_id)
        elif known:
            # two that follow the same version must not both get the next one
            more = _equal("spec_version", known.spec_version)
            condition = more | {"ConditionExpression": "attribute_not_exists(active_run_id) AND #n = :v"}
        if not (run.ended and run.parent_run_id):
            writes.append({"Put": {"Item": item(row), **condition}})
        return transact(self._items, self._table, *writes)

    def save(self, change: Change) -> bool:
        return transact(self._items, self._table, *self._changes(change))

    def _changes(self, change: Change, *, workstream: bool = True) -> list[dict[str, Any]]:
        run = change.run
        # defaults are left out: most nodes of a large run are pending
        text = run.model_dump_json(exclude_defaults=True)
        key = f"{root_of(run.run_id)}state/{run.version:09}-{hashlib.sha256(text.encode()).hexdigest()[:16]}.json"
        self._put(key, text)
        view = ExecutionView.of(run)
        row = {
            **keys.workflow_key(run.run_id),
            **keys.index_key(keys.workflows_of(run.account), run.created_at, run.run_id),
            "version": run.version,
            "state_file": key,
            "view": view.model_dump_json(),
        }
        first = change.before == 0
        condition = {"ConditionExpression": "attribute_not_exists(PK)"} if first else _equal("version", change.before)
        writes: list[dict[str, Any]] = [{"Put": {"Item": item(row), **condition}}]
        if change.effects != NOTHING:
            left = {"run_id": run.run_id, "at": keys.sortable_time(run.updated_at), "state_file": key}
            left |= keys.effects_key("RUN", run.run_id, run.version)
            left["effects"] = change.effects.model_dump_json(exclude_defaults=True)
            writes.append({"Put": {"Item": item(left)}})
        for kind, made in KINDS.items():
            found = [record for record in change.records if isinstance(record, made)]
            for number, entries in enumerate(_parts(found)):
                place = keys.workflow_record_key(run.run_id, kind, run.version * 100 + number)
                writes.append({"Put": {"Item": item(place | {"entries": entries})}})
        if workstream and run.ended and not first:
            writes.append(_left(run))
        return writes

    def get(self, run_id: str) -> Execution | None:
        row = self._row(keys.workflow_key(run_id))
        return Execution.model_validate_json(self._read(row["state_file"])) if row else None

    def workstream(self, account: str, workstream_id: str) -> Workstream | None:
        row = self._row(keys.workstream_key(account, workstream_id))
        return _workstream(row) if row else None

    def workstreams(self, account: str) -> list[Workstream]:
        rows = pages(
            self._items,
            TableName=self._table,
            KeyConditionExpression=f"{keys.PARTITION_KEY} = :p AND begins_with({keys.SORT_KEY}, :s)",
            ExpressionAttributeValues=item({":p": keys.account_partition(account), ":s": keys.WORKSTREAMS}),
            ConsistentRead=True,
        )
        return [_workstream(row) for row in rows]

    def forget_workstream(self, account: str, workstream_id: str) -> bool:
        key = item(keys.workstream_key(account, workstream_id))
        delete = {"Delete": {"Key": key, "ConditionExpression": "attribute_not_exists(active_run_id)"}}
        return transact(self._items, self._table, delete)

    def newest_of(self, account: str, limit: int, before: str | None = None) -> list[tuple[str, ExecutionView]]:
        named = {":account": keys.workflows_of(account), **({":before": before} if before else {})}
        rows = self._items.query(
            TableName=self._table,
            IndexName=keys.INDEX,
            KeyConditionExpression=f"{keys.INDEX_PARTITION_KEY} = :account"
            + (f" AND {keys.INDEX_SORT_KEY} < :before" if before else ""),
            ExpressionAttributeValues=item(named),
            ScanIndexForward=False,
            Limit=limit,
        )["Items"]
        found = map(values, rows)
        return [(row[keys.INDEX_SORT_KEY], ExecutionView.model_validate_json(row["view"])) for row in found]

    def records(self, run_id: str, kind: RecordKind, after: int, limit: int) -> list[tuple[int, Record]]:
        first = keys.workflow_record_key(run_id, kind, after // CURSORS)[keys.SORT_KEY]
        found: list[tuple[int, Record]] = []
        for row in self._rows(run_id, kind, first, newest=False):
            found += [each for each in _entries(row, kind) if each[0] > after]
            if len(found) >= limit:
                break
        return found[:limit]

    def newest_records(self, run_id: str, kind: RecordKind, limit: int) -> list[tuple[int, Record]]:
        found: list[tuple[int, Record]] = []
        for row in self._rows(run_id, kind, f"{kind}#", newest=True):
            found = [*_entries(row, kind), *found]
            if len(found) >= limit:
                break
        return found[-limit:]

    def _rows(self, run_id: str, kind: RecordKind, first: str, *, newest: bool) -> Iterator[dict[str, Any]]:
        given = {":p": keys.workflow_partition(run_id), ":first": first, ":last": f"{kind}#~"}
        return pages(
            self._items,
            TableName=self._table,
            KeyConditionExpression=f"{keys.PARTITION_KEY} = :p AND {keys.SORT_KEY} BETWEEN :first AND :last",
            ExpressionAttributeValues=item(given),
            ConsistentRead=True,
            ScanIndexForward=not newest,
        )

    def carried_out(self, run_id: str, version: int) -> None:
        self._items.delete_item(TableName=self._table, Key=item(keys.effects_key("RUN", run_id, version)))

    def left_over(self, before: datetime, limit: int, run_id: str | None = None) -> list[tuple[Execution, Effects]]:
        found = []
        for row in left_over(self._items, self._table, keys.effects_of("RUN", run_id) if run_id else "RUN#", before):
            try:
                run = Execution.model_validate_json(self._read(row["state_file"]))
            except FileNotFoundError:
                # the run was deleted
                self._items.delete_item(TableName=self._table, Key=item(key_of(row)))
                continue
            found.append((run, Effects.model_validate_json(row["effects"])))
            if len(found) == limit:
                break
        return found

    def delete(self, run: Execution) -> None:
        states = f"{root_of(run.run_id)}state/"
        files = self._versions(root_of(run.run_id))
        self._delete_files([each for each in files if not each["Key"].startswith(states)])
        rows = pages(
            self._items,
            TableName=self._table,
            KeyConditionExpression=f"{keys.PARTITION_KEY} = :p",
            ExpressionAttributeValues=item({":p": keys.workflow_partition(run.run_id)}),
            ProjectionExpression=f"{keys.PARTITION_KEY}, {keys.SORT_KEY}",
        )
        own = keys.workflow_key(run.run_id)
        # the run itself and what it is read from last: after a crash it is still there, and is deleted again
        for key in [*(row for row in rows if row != own), own]:
            self._items.delete_item(TableName=self._table, Key=item(key))
        last = [each for each in files if each["Key"].startswith(states)] + self._versions(_spec_file(run.spec_id))
        self._delete_files(last)

    def delete_orphans(self, before: datetime, limit: int) -> list[str]:
        found = []
        for row in islice(left_over(self._items, self._table, f"{SPEC}#", before), limit):
            # of two runs with the same id, as of a subworkflow, one was created
            files = [] if self._row(keys.workflow_key(row["run_id"])) else self._versions(root_of(row["run_id"]))
            self._delete_files(files + self._versions(_spec_file(row["spec_id"])))
            self._items.delete_item(TableName=self._table, Key=item(key_of(row)))
            found.append(row["spec_id"])
        return found

    def _versions(self, prefix: str) -> list[dict[str, str]]:
        """Return the versions of objects, also of those that were deleted or replaced: else these stay for 90 days."""
        listed = self._files.get_paginator("list_object_versions").paginate(Bucket=self._bucket, Prefix=prefix)
        return [
            {"Key": each["Key"], "VersionId": each["VersionId"]}
            for page in listed
            for each in (*page.get("Versions", []), *page.get("DeleteMarkers", []))
        ]

    def _delete_files(self, left: list[dict[str, str]]) -> None:
        while left:
            batch, left = left[:DELETED], left[DELETED:]
            objects: Any = {"Objects": batch, "Quiet": True}
            # delete_objects answers 200 even when some were refused
            if refused := self._files.delete_objects(Bucket=self._bucket, Delete=objects).get("Errors"):
                raise ConnectionError(f"{len(refused)} objects were not deleted: {refused[0].get('Code')}")

    def _row(self, key: keys.Key) -> dict[str, Any] | None:
        found = self._items.get_item(TableName=self._table, Key=item(key), ConsistentRead=True)
        return values(found["Item"]) if "Item" in found else None

    def _put(self, key: str, text: str) -> None:
        self._files.put_object(Bucket=self._bucket, Key=key, Body=text.encode(), ContentType="application/json")

    def _read(self, key: str) -> bytes:
        try:
            return self._files.get_object(Bucket=self._bucket, Key=key)["Body"].read()
        except self._files.exceptions.NoSuchKey as error:
            raise FileNotFoundError(key) from error


def _entries(row: dict[str, Any], kind: RecordKind) -> list[tuple[int, Record]]:
    """Return the records of one item with their cursors."""
    version = int(row[keys.SORT_KEY].rpartition("#")[2])
    entries = enumerate(json.loads(row["entries"]), 1)
    return [(version * CURSORS + number, KINDS[kind].model_validate(entry)) for number, entry in entries]


def _parts(records: list[Record]) -> list[str]:
    """Return *records* as JSON lists of at most ITEM_BYTES each."""
    found: list[list[str]] = []
    size = ITEM_BYTES
    for record in records:
        text = record.model_dump_json(exclude_defaults=True)
        if size + len(text.encode()) > ITEM_BYTES:
            found.append([])
            size = 0
        found[-1].append(text)
        size += len(text.encode())
    return [f"[{','.join(part)}]" for part in found]


def _left(run: Execution) -> dict[str, Any]:
    """Return the write after which *run* is not its workstream's active run; that of a subworkflow is not kept."""
    ended = {
        "Key": item(keys.workstream_key(run.account, run.workstream_id)),
        "ConditionExpression": "active_run_id = :run",
        "ExpressionAttributeValues": item({":run": run.run_id}),
    }
    if run.parent_run_id:
        return {"Delete": ended}
    values = item({":run": run.run_id, ":at": run.updated_at.isoformat()})
    change = {"UpdateExpression": "REMOVE active_run_id SET updated_at = :at", "ExpressionAttributeValues": values}
    return {"Update": ended | change}


def _workstream(row: dict[str, Any]) -> Workstream:
    return Workstream.model_validate({name: row[name] for name in Workstream.model_fields if name in row})


def _equal(name: str, value: Any) -> dict[str, Any]:
    return {
        "ConditionExpression": "#n = :v",
        "ExpressionAttributeNames": {"#n": name},
        "ExpressionAttributeValues": item({":v": value}),
    }


def root_of(run_id: str) -> str:
    """Return the prefix of all objects of a run."""
    return f"workflows/{run_id.partition(':')[2] or run_id}/"


def _spec_key(spec_id: str) -> keys.Key:
    """Return the key of a specification whose run is not there yet."""
    return keys.effects_key(SPEC, spec_id, 0)


def _spec_file(spec_id: str) -> str:
    return f"workflow-specs/{spec_id.partition(':')[2] or spec_id}.json"
