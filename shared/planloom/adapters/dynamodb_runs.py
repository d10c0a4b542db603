"""Runs in the table: one item holds state, fences and signals, so that each transition is one conditional write."""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from planloom.adapters import table_keys as keys
from planloom.adapters.dynamodb_items import item, pages, values
from planloom.adapters.dynamodb_transact import contend, unmet
from planloom.runs.errors import TooManyRuns
from planloom.runs.records import (
    ACTIVE,
    ENDED,
    RESUMABLE,
    TRANSITIONS,
    Control,
    Intent,
    Lease,
    LoggedEvent,
    Progress,
    Run,
    RunEvent,
    RunFailure,
    RunState,
)

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

#: Entries in one row of the log; a cursor is the row's number times CURSORS and the place in it.
ENTRIES, CURSORS = 100, 1_000
#: Most items that one request reads.
BATCH = 100


class DynamoRunStore:
    """Keeps planloom.runs.ports.RunStore on DynamoDB."""

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._client = client
        self._table = table

    def add(self, run: Run, most: int | None = None) -> bool:
        fields = {**keys.run_key(run.run_id), **_fields(run), "epoch": 0, "signals": 0, "intents": {}}
        listed = {
            **keys.run_listed_key(run.run_id),
            **keys.index_key(keys.runs_of(run.account), run.created_at, run.run_id),
        }
        refused = unmet(
            self._client,
            self._table,
            {"Put": {"Item": item(fields), "ConditionExpression": "attribute_not_exists(PK)"}},
            self._counted(run.account, 1, most),
            {"Put": {"Item": item(listed)}},
            {"Put": {"Item": item(keys.active_run_key(run.account, run.run_id))}},
        )
        if 1 in refused and 0 not in refused:
            raise _too_many(most)
        return not refused

    def _counted(self, account: str, change: int, most: int | None = None) -> dict[str, Any]:
        """Return the write that changes how many active runs the account has, where there are fewer than *most*."""
        update: dict[str, Any] = {
            "Key": item(keys.active_count_key(account)),
            "UpdateExpression": "ADD active :change",
            "ExpressionAttributeValues": item({":change": change} | ({} if most is None else {":most": most})),
        }
        if most is not None:
            update["ConditionExpression"] = "attribute_not_exists(active) OR active < :most"
        return {"Update": update}

    def get(self, run_id: str) -> Run | None:
        found = self._item(run_id)
        return _run(found) if found else None

    def control(self, run_id: str) -> Control | None:
        found = self._item(run_id)
        return _control(found) if found else None

    def newest_of(self, account: str, limit: int, before: str | None = None) -> list[tuple[str, Run]]:
        named = {":account": keys.runs_of(account), **({":before": before} if before else {})}
        listed = self._client.query(
            TableName=self._table,
            IndexName=keys.INDEX,
            KeyConditionExpression=f"{keys.INDEX_PARTITION_KEY} = :account"
            + (f" AND {keys.INDEX_SORT_KEY} < :before" if before else ""),
            ExpressionAttributeValues=item(named),
            ScanIndexForward=False,
            Limit=min(limit, BATCH),
        )["Items"]
        places = {row["PK"].removeprefix("RUN#"): row[keys.INDEX_SORT_KEY] for row in map(values, listed)}
        runs = self._batch(list(places))
        return [(place, runs[run_id]) for run_id, place in places.items() if run_id in runs]

    def active(self, account: str | None = None) -> list[str]:
        prefix = "RUN#" if account is None else f"RUN#{account}#"
        found = pages(
            self._client,
            TableName=self._table,
            KeyConditionExpression=f"{keys.PARTITION_KEY} = :p AND begins_with({keys.SORT_KEY}, :s)",
            ExpressionAttributeValues=item({":p": keys.ACTIVE_RUNS, ":s": prefix}),
            ConsistentRead=True,
        )
        return [row[keys.SORT_KEY].rsplit("#", 1)[-1] for row in found]

    def move(
        self,
        run_id: str,
        number: int,
        to: RunState,
        now: datetime,
        failure: RunFailure | None = None,
        epoch: int | None = None,
    ) -> bool:
        sets: dict[str, Any] = {"state": str(to)}
        if to in ENDED:
            sets |= {"ended_at": now.isoformat(), "failure": _text(failure)}
        wanted = {"number": number} | ({} if epoch is None else {"epoch": epoch})
        change = 0 if to in ACTIVE else -1
        also_stopping = to is not RunState.COMPLETED
        return self._transition(run_id, sets, wanted, TRANSITIONS[to], change=change, also_stopping=also_stopping)

    def renumber(self, run_id: str, number: int, work: str, deadline: datetime | None, most: int | None = None) -> bool:
        sets = {
            "state": str(RunState.RUNNING),
            "number": number + 1,
            "part": 1,
            "work": work,
            "deadline": deadline.isoformat() if deadline else None,
            "failure": None,
            "ended_at": None,
            "stop": False,
            "intents": {},
            "token": None,
            "lease_until": None,
        }
        return self._transition(run_id, sets, {"number": number}, RESUMABLE, change=1, most=most)

    def revise(self, lease: Lease, work: str, *, steps: int, revision: int, replanned: bool) -> bool:
        sets = {
            "number": lease.number + 1,
            "part": 1,
            "work": work,
            "steps": steps,
            "revision": revision,
            "intents": {},
            "lease_until": None,
        }
        update = _leased(lease, sets | ({"replanned": True} if replanned else {}))
        update.one_of("state", map(str, ACTIVE))
        update.not_stopping()
        return self._controlled(lease.run_id, update) is not None

    def take_lease(self, run_id: str, number: int, now: datetime, until: datetime) -> Control | None:
        update = _Update({"lease_until": keys.sortable_time(until), "state": str(RunState.RUNNING), "token": None})
        update.add("epoch", 1)
        update.equal("number", number)
        update.one_of("state", map(str, ACTIVE))
        update.conditions.append(
            f"(attribute_not_exists({update.name('lease_until')}) "
            f"OR {update.name('lease_until')} <= {update.value(keys.sortable_time(now))})"
        )
        return self._controlled(run_id, update)

    def renew_lease(self, lease: Lease, until: datetime) -> Control | None:
        return self._controlled(lease.run_id, _leased(lease, {"lease_until": keys.sortable_time(until)}))

    def release_lease(self, lease: Lease) -> None:
        self._controlled(lease.run_id, _leased(lease, {"lease_until": None}))

    def note_intents(self, lease: Lease, begun: Sequence[Intent], ended: Sequence[str]) -> Control | None:
        update = _leased(lease, {})
        for intent in begun:
            update.sets.append(f"{update.name('intents')}.{update.name(intent.unit)} = {update.value(intent.attempt)}")
        for unit in {*ended} - {intent.unit for intent in begun}:
            update.removes.append(f"{update.name('intents')}.{update.name(unit)}")
        return self._controlled(lease.run_id, update)

    def report(self, lease: Lease, progress: Progress) -> bool:
        return self._controlled(lease.run_id, _leased(lease, {"progress": _text(progress)})) is not None

    def signal(self, run_id: str, *, stop: bool = False) -> Control | None:
        update = _Update({"stop": True} if stop else {})
        update.add("signals", 1)
        update.conditions.append("attribute_exists(PK)")
        return self._controlled(run_id, update)

    def park(self, run_id: str, number: int, token: str, seen: int) -> bool:
        update = _Update({"token": token})
        update.equal("number", number)
        update.equal("signals", seen)
        update.equal("state", str(RunState.WAITING))
        return self._controlled(run_id, update) is not None

    def next_part(self, run_id: str, number: int, part: int) -> bool:
        update = _Update({"part": part + 1})
        update.equal("number", number)
        update.equal("part", part)
        update.one_of("state", map(str, ACTIVE))
        return self._controlled(run_id, update) is not None

    def delete(self, run_id: str) -> None:
        rows = pages(
            self._client,
            TableName=self._table,
            KeyConditionExpression=f"{keys.PARTITION_KEY} = :p",
            ExpressionAttributeValues=item({":p": keys.run_partition(run_id)}),
            ProjectionExpression=f"{keys.PARTITION_KEY}, {keys.SORT_KEY}",
        )
        for row in rows:
            self._client.delete_item(TableName=self._table, Key=item(row))

    def _item(self, run_id: str) -> dict[str, Any] | None:
        found = self._client.get_item(TableName=self._table, Key=item(keys.run_key(run_id)), ConsistentRead=True)
        return values(found["Item"]) if "Item" in found else None

    def _batch(self, run_ids: list[str]) -> dict[str, Run]:
        if not run_ids:
            return {}
        wanted: Any = {
            self._table: {"Keys": [item(keys.run_key(run_id)) for run_id in run_ids], "ConsistentRead": True}
        }
        found: list[Run] = []
        while wanted:
            answer = self._client.batch_get_item(RequestItems=wanted)
            found += [_run(values(row)) for row in answer["Responses"].get(self._table, [])]
            wanted = answer.get("UnprocessedKeys")
        return {run.run_id: run for run in found}

    def _controlled(self, run_id: str, update: "_Update") -> Control | None:
        try:
            found = self._client.update_item(
                TableName=self._table, Key=item(keys.run_key(run_id)), ReturnValues="ALL_NEW", **update.request()
            )
        except self._client.exceptions.ConditionalCheckFailedException:
            return None
        return _control(values(found["Attributes"]))

    def _transition(
        self,
        run_id: str,
        sets: dict[str, Any],
        wanted: dict[str, Any],
        states: Iterable[RunState],
        *,
        change: int,
        most: int | None = None,
        also_stopping: bool = True,
    ) -> bool:
        """Change the state, and with it the mark of an active run and how many the account has.

        Without *also_stopping*, nothing changes of a run that was asked to stop.
        """
        run = self.get(run_id)
        if run is None:
            return False
        update = _Update(sets)
        for name, value in wanted.items():
            update.equal(name, value)
        update.one_of("state", map(str, states))
        if not also_stopping:
            update.not_stopping()
        writes: list[dict[str, Any]] = [{"Update": {"Key": item(keys.run_key(run_id)), **update.request()}}]
        if change:
            active = item(keys.active_run_key(run.account, run_id))
            mark: dict[str, Any] = {"Put": {"Item": active}} if change > 0 else {"Delete": {"Key": active}}
            writes += [self._counted(run.account, change, most), mark]
        refused = unmet(self._client, self._table, *writes)
        if 1 in refused and 0 not in refused:
            raise _too_many(most)
        return not refused


class DynamoRunEvents:
    """Keeps planloom.runs.ports.RunEvents on DynamoDB: rows are numbered without gaps, so that no reader misses one."""

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._client = client
        self._table = table
        #: The row that this process wrote last, by run: usually the last one there is.
        self._last: dict[str, int] = {}

    def append(self, run_id: str, events: Iterable[RunEvent]) -> None:
        left = [event.model_dump(mode="json") for event in events]
        while left:
            row, left = left[:ENTRIES], left[ENTRIES:]
            content = json.dumps(row, ensure_ascii=False, separators=(",", ":"))
            contend("log the events of a run", lambda content=content: self._put(run_id, content))  # type: ignore[misc]

    def _put(self, run_id: str, content: str) -> bool | None:
        last = self._last.get(run_id)
        sequence = (self._newest(run_id)[0] if last is None else last) + 1
        try:
            self._client.put_item(
                TableName=self._table,
                Item=item(keys.run_event_key(run_id, sequence) | {"entries": content}),
                ConditionExpression="attribute_not_exists(PK)",
            )
        except self._client.exceptions.ConditionalCheckFailedException:
            self._last.pop(run_id, None)
            return None
        self._last[run_id] = sequence
        return True

    def after(self, run_id: str, cursor: int, limit: int) -> list[LoggedEvent]:
        first = keys.run_event_key(run_id, cursor // CURSORS)[keys.SORT_KEY]
        found: list[LoggedEvent] = []
        for row in self._rows(run_id, first, ScanIndexForward=True, Limit=max(2, limit // ENTRIES + 1)):
            found += [event for event in _events(row) if event.cursor > cursor]
            if len(found) >= limit:
                break
        return found[:limit]

    def last(self, run_id: str) -> LoggedEvent | None:
        return self._newest(run_id)[1]

    def _newest(self, run_id: str) -> tuple[int, LoggedEvent | None]:
        row = next(self._rows(run_id, keys.EVENTS, ScanIndexForward=False, Limit=1), None)
        return (0, None) if row is None else (_sequence(row), _events(row)[-1])

    def _rows(self, run_id: str, first: str, **options: Any) -> Any:
        return pages(
            self._client,
            TableName=self._table,
            KeyConditionExpression=f"{keys.PARTITION_KEY} = :p AND {keys.SORT_KEY} BETWEEN :first AND :last",
            ExpressionAttributeValues=item(
                {":p": keys.run_partition(run_id), ":first": first, ":last": f"{keys.EVENTS}~"}
            ),
            ConsistentRead=True,
            **options,
        )


class _Update:
    """An UpdateItem request in the making: names and values get placeholders as they come."""

    def __init__(self, sets: Mapping[str, Any]) -> None:
        self.conditions: list[str] = []
        self._names: dict[str, str] = {}
        self._values: dict[str, Any] = {}
        self.sets = [f"{self.name(name)} = {self.value(given)}" for name, given in sets.items() if given is not None]
        self.removes = [self.name(name) for name, given in sets.items() if given is None]
        self._adds: list[str] = []

    def name(self, name: str) -> str:
        """Return the placeholder of an attribute."""
        return self._names.setdefault(name, f"#n{len(self._names)}")

    def value(self, value: Any) -> str:
        """Return the placeholder of a value."""
        placeholder = f":v{len(self._values)}"
        self._values[placeholder] = value
        return placeholder

    def add(self, name: str, value: int) -> None:
        """Raise a number."""
        self._adds.append(f"{self.name(name)} {self.value(value)}")

    def equal(self, name: str, value: Any) -> None:
        """Change nothing unless the attribute has this value."""
        self.conditions.append(f"{self.name(name)} = {self.value(value)}")

    def one_of(self, name: str, allowed: Iterable[str]) -> None:
        """Change nothing unless the attribute has one of these values."""
        self.conditions.append(f"{self.name(name)} IN ({', '.join(self.value(each) for each in sorted(allowed))})")

    def not_stopping(self) -> None:
        """Change nothing of a run that was asked to stop."""
        stop = self.name("stop")
        self.conditions.append(f"(attribute_not_exists({stop}) OR {stop} = {self.value(False)})")

    def request(self) -> dict[str, Any]:
        """Return the parts of the request."""
        parts = {"SET": self.sets, "REMOVE": self.removes, "ADD": self._adds}
        said = " ".join(f"{verb} {', '.join(each)}" for verb, each in parts.items() if each)
        request: dict[str, Any] = {"ConditionExpression": " AND ".join(self.conditions)}
        if said:
            request["UpdateExpression"] = said
        if self._values:
            request["ExpressionAttributeValues"] = item(self._values)
        if self._names:
            request["ExpressionAttributeNames"] = {placeholder: name for name, placeholder in self._names.items()}
        return request


def _too_many(most: int | None) -> TooManyRuns:
    return TooManyRuns(f"{most} runs are active. Wait for one to end, or stop one.")


def _leased(lease: Lease, sets: Mapping[str, Any]) -> _Update:
    update = _Update(sets)
    update.equal("number", lease.number)
    update.equal("epoch", lease.epoch)
    return update


def _text(model: Progress | RunFailure | None) -> str | None:
    return None if model is None else model.model_dump_json()


def _fields(run: Run) -> dict[str, Any]:
    fields = run.model_dump(mode="json", exclude={"progress", "failure"})
    return fields | {"progress": _text(run.progress), "failure": _text(run.failure)}


def _run(row: Mapping[str, Any]) -> Run:
    fields = {name: row[name] for name in Run.model_fields if name in row}
    for name in ("progress", "failure"):
        if name in fields:
            fields[name] = json.loads(fields[name])
    return Run.model_validate(fields)


def _control(row: Mapping[str, Any]) -> Control:
    fields = {name: row[name] for name in Control.model_fields if name in row}
    fields["intents"] = [{"unit": unit, "attempt": attempt} for unit, attempt in row.get("intents", {}).items()]
    return Control.model_validate(fields)


def _sequence(row: Mapping[str, Any]) -> int:
    return int(row[keys.SORT_KEY].removeprefix(keys.EVENTS))


def _events(row: Mapping[str, Any]) -> list[LoggedEvent]:
    first = _sequence(row) * CURSORS
    return [LoggedEvent(cursor=first + place, **each) for place, each in enumerate(json.loads(row["entries"]))]
