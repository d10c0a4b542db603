"""The sessions of programs in the table: one partition each, with counters that rise by one atomic write."""

import json
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from planloom.adapters import table_keys as keys
from planloom.adapters.dynamodb_items import item, pages, values
from planloom.planes.programs.lines import OperationProgress
from planloom.planes.programs.ports import Commit, Counter, Operation, Session

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

#: A session that is not used for so long expires; what belongs to it is kept as long.
SESSION_KEPT = timedelta(days=30)
COMMIT_KEPT = timedelta(days=1)
#: The default session of an account: its counters are kept forever, so that no handle is given twice.
DEFAULT = "s0"
_COUNTED = {
    "sessions": "sessions_count",
    "commits": "commits_count",
    "operations": "operations_count",
    "pages": "pages_count",
}


class DynamoSessionStore:
    """Implements planloom.planes.programs.ports.SessionStore on DynamoDB."""

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._client = client
        self._table = table

    def create(self, session: Session) -> None:
        # an update, since a counter may have made the item before
        self._update(
            keys.session_key(session.account, session.name),
            "SET #session = if_not_exists(#session, :session), used_at = if_not_exists(used_at, :at)"
            + self._expiry(session.name),
            {
                ":session": session.model_dump_json(exclude={"used_at", "prompt_hash"}),
                ":at": session.used_at.isoformat(),
                **self._expires(session.name, session.used_at),
            },
            names={"#session": "session"},
        )
        if session.prompt_hash:
            self.use(session.account, session.name, session.used_at, session.prompt_hash)

    def get(self, account: str, name: str, now: datetime) -> Session | None:
        row = self._row(keys.session_key(account, name))
        if row is None or "session" not in row:
            return None
        used_at = datetime.fromisoformat(row["used_at"])
        # the table deletes expired items some time after they expired
        if name != DEFAULT and used_at + SESSION_KEPT <= now:
            return None
        known = json.loads(row["session"])
        return Session.model_validate({**known, "used_at": used_at, "prompt_hash": row.get("prompt_hash", "")})

    def use(self, account: str, name: str, now: datetime, prompt_hash: str = "") -> None:
        hashed = ", prompt_hash = :hash" if prompt_hash else ""
        self._update(
            keys.session_key(account, name),
            f"SET used_at = :at{hashed}" + self._expiry(name),
            {
                ":at": now.isoformat(),
                **({":hash": prompt_hash} if prompt_hash else {}),
                **self._expires(name, now),
            },
        )

    def next(self, account: str, session: str, counter: Counter) -> int:
        found = self._update(
            keys.session_key(account, session), f"ADD {_COUNTED[counter]} :one", {":one": 1}, returns="UPDATED_NEW"
        )
        return int(found[_COUNTED[counter]])

    def last(self, account: str, session: str, counter: Counter) -> int:
        row = self._row(keys.session_key(account, session))
        return int(row.get(_COUNTED[counter], 0)) if row else 0

    def put_commit(self, account: str, session: str, commit: Commit) -> None:
        self._put(
            keys.commit_key(account, session, commit.ref),
            {"data": commit.model_dump_json()},
            commit.expires_at + COMMIT_KEPT,
        )

    def commit(self, account: str, session: str, ref: str) -> Commit | None:
        row = self._row(keys.commit_key(account, session, ref))
        return Commit.model_validate_json(row["data"]) if row else None

    def put_page(self, account: str, session: str, handle: str, key: str, now: datetime) -> None:
        self._put(keys.page_key(account, session, handle), {"page": key}, now + SESSION_KEPT)

    def page(self, account: str, session: str, handle: str) -> str | None:
        row = self._row(keys.page_key(account, session, handle))
        return row["page"] if row else None

    def add_live(self, account: str, session: str, number: int, most: int) -> bool:
        try:
            self._update(
                keys.session_key(account, session),
                "ADD live :number",
                {":number": {number}, ":most": most},
                condition="attribute_not_exists(live) OR size(live) < :most",
            )
        except self._client.exceptions.ConditionalCheckFailedException:
            return False
        return True

    def end_live(self, account: str, session: str, numbers: Iterable[int]) -> None:
        ended = set(numbers)
        if ended:
            self._update(keys.session_key(account, session), "DELETE live :numbers", {":numbers": ended})

    def live(self, account: str, session: str) -> frozenset[int]:
        row = self._row(keys.session_key(account, session))
        return frozenset(int(each) for each in (row or {}).get("live", ()))

    def put_operation(self, account: str, operation: Operation) -> None:
        known = operation.model_dump_json(exclude=_CHANGING)
        row = {
            "data": known,
            "n": operation.n,
            "changes": operation.changes,
            "polled": operation.polled,
            "progress": operation.progress.model_dump_json(),
        }
        self._put(
            keys.operation_key(account, operation.session, operation.number), row, operation.created_at + SESSION_KEPT
        )

    def operation(self, account: str, session: str, number: int) -> Operation | None:
        row = self._row(keys.operation_key(account, session, number))
        return _operation(row) if row else None

    def operations(self, account: str, session: str) -> list[Operation]:
        rows = pages(
            self._client,
            TableName=self._table,
            KeyConditionExpression=f"{keys.PARTITION_KEY} = :p AND begins_with({keys.SORT_KEY}, :s)",
            ExpressionAttributeValues=item({":p": keys.session_partition(account, session), ":s": keys.OPERATIONS}),
            ConsistentRead=True,
        )
        return [_operation(row) for row in rows]

    def delete_operation(self, account: str, session: str, number: int) -> None:
        self._client.delete_item(TableName=self._table, Key=item(keys.operation_key(account, session, number)))

    def next_line(self, account: str, session: str, number: int) -> Operation | None:
        try:
            found = self._update(
                keys.operation_key(account, session, number),
                "SET polled = changes ADD n :one",
                {":one": 1},
                condition=f"attribute_exists({keys.PARTITION_KEY})",
                returns="ALL_OLD",
            )
        except self._client.exceptions.ConditionalCheckFailedException:
            return None
        return _operation(found | {"n": found["n"] + 1})

    def report(self, account: str, session: str, number: int, progress: OperationProgress) -> None:
        try:
            self._update(
                keys.operation_key(account, session, number),
                "SET progress = :progress ADD n :one, changes :one",
                {":progress": progress.model_dump_json(), ":one": 1},
                condition=f"attribute_exists({keys.PARTITION_KEY})",
            )
        except self._client.exceptions.ConditionalCheckFailedException:
            return

    def keep_result(self, account: str, session: str, number: int, key: str) -> str:
        found = self._update(
            keys.operation_key(account, session, number),
            "SET #result = if_not_exists(#result, :key)",
            {":key": key},
            names={"#result": "result"},
            returns="ALL_NEW",
        )
        return str(found["result"])

    def _update(
        self,
        key: keys.Key,
        expression: str,
        given: dict[str, Any],
        *,
        condition: str = "",
        names: dict[str, str] | None = None,
        returns: Any = "NONE",
    ) -> dict[str, Any]:
        more: dict[str, Any] = {"ConditionExpression": condition} if condition else {}
        if names:
            more["ExpressionAttributeNames"] = names
        found = self._client.update_item(
            TableName=self._table,
            Key=item(key),
            UpdateExpression=expression,
            ExpressionAttributeValues=item(given),
            ReturnValues=returns,
            **more,
        )
        return values(found.get("Attributes", {}))

    def _put(self, key: keys.Key, row: dict[str, Any], expires: datetime) -> None:
        row = {**key, **row, keys.EXPIRES: int(expires.timestamp())}
        self._client.put_item(TableName=self._table, Item=item(row))

    def _row(self, key: keys.Key) -> dict[str, Any] | None:
        found = self._client.get_item(TableName=self._table, Key=item(key), ConsistentRead=True)
        return values(found["Item"]) if "Item" in found else None

    def _expiry(self, name: str) -> str:
        return "" if name == DEFAULT else f", {keys.EXPIRES} = :expires"

    def _expires(self, name: str, used_at: datetime) -> dict[str, Any]:
        return {} if name == DEFAULT else {":expires": int((used_at + SESSION_KEPT).timestamp())}


#: The fields of an operation that change; each is an attribute of its own.
_CHANGING = {"n", "changes", "polled", "progress", "result"}


def _operation(row: dict[str, Any]) -> Operation:
    known = Operation.model_validate_json(row["data"])
    return known.model_copy(
        update={
            "n": int(row["n"]),
            "changes": int(row["changes"]),
            "polled": int(row["polled"]),
            "progress": OperationProgress.model_validate_json(row["progress"]),
            "result": row.get("result", ""),
        }
    )
