"""Approvals in the table: one item each, replaced under a check of its version."""

import json
import zlib
from collections.abc import Sequence
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING, Any

from planloom.adapters import table_keys as keys
from planloom.adapters.dynamodb_effects import left_over
from planloom.adapters.dynamodb_items import item, values
from planloom.adapters.dynamodb_transact import transact
from planloom.approvals.approval import Approval, ApprovalState
from planloom.approvals.errors import InvalidApproval
from planloom.approvals.ports import Change, Unpublished

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


#: An item has 400 KB at most; compressed, fifty long comments fit.
LARGEST = 380_000


class DynamoApprovalStore:
    """Implements planloom.approvals.ports.ApprovalStore on DynamoDB; approvals are compressed.

    Raises InvalidApproval for one that is too large for an item.
    """

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._client = client
        self._table = table

    def add(self, approval: Approval, changes: Sequence[Change] = ()) -> bool:
        return self._put(approval, changes, ConditionExpression="attribute_not_exists(PK)")

    def get(self, approval_id: str) -> Approval | None:
        key = item(keys.approval_key(approval_id))
        found = self._client.get_item(TableName=self._table, Key=key, ConsistentRead=True)
        return _approval(values(found["Item"])) if "Item" in found else None

    def replace(self, approval: Approval, before: int, changes: Sequence[Change] = ()) -> bool:
        return self._put(
            approval,
            changes,
            ConditionExpression="#version = :before",
            ExpressionAttributeNames={"#version": "version"},
            ExpressionAttributeValues=item({":before": before}),
        )

    def published(self, approval_id: str, version: int) -> None:
        key = keys.effects_key("APPROVAL", approval_id, version)
        self._client.delete_item(TableName=self._table, Key=item(key))

    def unpublished(self, before: datetime, limit: int) -> list[Unpublished]:
        found = islice(left_over(self._client, self._table, "APPROVAL#", before), limit)
        return [Unpublished(row["approval_id"], int(row["version"]), tuple(row["changes"])) for row in found]

    def newest_of(
        self, account: str, pending: bool, limit: int, before: str | None = None
    ) -> list[tuple[str, Approval]]:
        named = {":list": keys.approvals_of(account, pending=pending), **({":before": before} if before else {})}
        found = self._client.query(
            TableName=self._table,
            IndexName=keys.INDEX,
            KeyConditionExpression=f"{keys.INDEX_PARTITION_KEY} = :list"
            + (f" AND {keys.INDEX_SORT_KEY} < :before" if before else ""),
            ExpressionAttributeValues=item(named),
            ScanIndexForward=False,
            Limit=limit,
        )
        return [(row[keys.INDEX_SORT_KEY], _approval(row)) for row in map(values, found["Items"])]

    def delete(self, approval_id: str) -> None:
        self._client.delete_item(TableName=self._table, Key=item(keys.approval_key(approval_id)))

    def _put(self, approval: Approval, changes: Sequence[Change], **condition: Any) -> bool:
        content = zlib.compress(approval.model_dump_json().encode())
        if len(content) > LARGEST:
            raise InvalidApproval("The approval with all its comments is too large. Shorten the comment.")
        pending = approval.state is ApprovalState.PENDING
        row = {
            **keys.approval_key(approval.approval_id),
            **keys.index_key(
                keys.approvals_of(approval.account, pending=pending), approval.requested_at, approval.approval_id
            ),
            "version": approval.version,
            "approval": content,
        }
        writes: list[dict[str, Any]] = [{"Put": {"Item": item(row), **condition}}]
        if changes:
            left = {"approval_id": approval.approval_id, "version": approval.version, "changes": list(changes)}
            left |= keys.effects_key("APPROVAL", approval.approval_id, approval.version)
            left["at"] = keys.sortable_time(approval.decided_at or approval.requested_at)
            writes.append({"Put": {"Item": item(left)}})
        return transact(self._client, self._table, *writes)


def _approval(row: dict[str, Any]) -> Approval:
    return Approval.model_validate(json.loads(zlib.decompress(bytes(row["approval"]))))
