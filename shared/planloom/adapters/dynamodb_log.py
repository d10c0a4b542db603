"""The event log in the table: one row for each applied event, with all the log entries of that event."""

import json
from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Any

from planloom.adapters import table_keys as keys
from planloom.adapters.dynamodb_items import item, pages
from planloom.planes.strategic.event_log import Entry, Shown, entries

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


def log_row(plan_id: str, at: datetime, last: int, logged: list[Shown]) -> dict[str, Any]:
    """Return the row of the entries *logged*; the last has the cursor *last*, the others count down from it."""
    # as JSON text: numbers keep their types, and an event with two hundred files is one value
    content = json.dumps([each.model_dump(mode="json") for each in logged], separators=(",", ":"))
    return keys.event_key(plan_id, cursor_text(last)) | {"at": at.isoformat(), "entries": content}


def cursor_text(cursor: int) -> str:
    """Return *cursor* with leading zeros, so that keys sort by number."""
    return f"{cursor:012}"


class DynamoEventLog:
    """Implements planloom.planes.strategic.ports.log.EventLog on DynamoDB."""

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._client = client
        self._table = table

    def events_after(self, plan_id: str, cursor: int, limit: int) -> list[Entry]:
        # the key of a row is its last cursor: the first row found may have entries that the reader already has
        first, last = (keys.event_key(plan_id, text)[keys.SORT_KEY] for text in (cursor_text(cursor + 1), "~"))
        found: list[Entry] = []
        for row in self._rows(plan_id, first, last, ScanIndexForward=True, Limit=limit):
            found += [entry for entry in _entries(row) if entry.cursor > cursor]
            if len(found) >= limit:
                break
        return found[:limit]

    def last_events(self, plan_id: str, limit: int) -> list[Entry]:
        first, last = (keys.event_key(plan_id, text)[keys.SORT_KEY] for text in ("", "~"))
        found: list[Entry] = []
        for row in self._rows(plan_id, first, last, ScanIndexForward=False, Limit=limit):
            found = _entries(row) + found
            if len(found) >= limit:
                break
        return found[-limit:]

    def _rows(self, plan_id: str, first: str, last: str, **options: Any) -> Iterator[dict[str, Any]]:
        return pages(
            self._client,
            TableName=self._table,
            KeyConditionExpression=f"{keys.PARTITION_KEY} = :p AND {keys.SORT_KEY} BETWEEN :first AND :last",
            ExpressionAttributeValues=item({":p": keys.plan_partition(plan_id), ":first": first, ":last": last}),
            # a follower never reads again what is before its cursor
            ConsistentRead=True,
            **options,
        )


def _entries(row: dict[str, Any]) -> list[Entry]:
    logged = [Shown.model_validate(each) for each in json.loads(row["entries"])]
    last = int(row[keys.SORT_KEY].removeprefix(keys.EVENTS))
    return entries(datetime.fromisoformat(row["at"]), last, logged)
