"""Implementation plans: revisions in the bucket, which is the source of truth, and their view in the table."""

from typing import TYPE_CHECKING, Any

from planloom.adapters import table_keys as keys
from planloom.adapters.dynamodb_items import item, pages, values
from planloom.adapters.implementation_files import ImplementationFiles
from planloom.planes.implementation.records import (
    Comment,
    ImplementationPlan,
    Revision,
    RevisionDocument,
    view_of,
)

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


class AwsPlanRegistry:
    """Implements planloom.planes.implementation.ports.PlanRegistry on S3 and DynamoDB."""

    def __init__(self, client: "DynamoDBClient", table: str, files: ImplementationFiles) -> None:
        self._client = client
        self._table = table
        self._files = files

    def save(self, view: ImplementationPlan, document: RevisionDocument) -> bool:
        if not self._files.put_revision(document):
            # another writer was first, or an earlier attempt of this save that ended before it wrote the table
            existing = self._files.revision(view.plan_id, view.revision)
            self._backfill(view.plan_id)
            return existing is not None and _is_same_save(existing, document)
        if not self._put_view(view, document):
            self._backfill(view.plan_id)
        return True

    def get(self, plan_id: str) -> ImplementationPlan | None:
        return self._in_table(plan_id) or self._backfill(plan_id)

    def document(self, plan_id: str, number: int) -> RevisionDocument | None:
        return self._files.revision(plan_id, number)

    def revisions(self, plan_id: str) -> list[Revision]:
        return [_revision(row) for row in self._rows(plan_id, keys.REVISIONS)][::-1]

    def newest_of(self, account: str, limit: int, before: str | None) -> list[tuple[str, ImplementationPlan]]:
        named = {":account": keys.implementations_of(account), **({":before": before} if before else {})}
        condition = f"{keys.INDEX_PARTITION_KEY} = :account"
        found = self._client.query(
            TableName=self._table,
            IndexName=keys.INDEX,
            KeyConditionExpression=condition + (f" AND {keys.INDEX_SORT_KEY} < :before" if before else ""),
            ExpressionAttributeValues=item(named),
            ScanIndexForward=False,
            Limit=limit,
        )["Items"]
        rows = [values(row) for row in found]
        return [(row[keys.INDEX_SORT_KEY], _view(row)) for row in rows]

    def made_from(self, plan_id: str) -> list[str]:
        rows = self._query(keys.plan_partition(plan_id), keys.IMPLEMENTED)
        return [row[keys.SORT_KEY].removeprefix(keys.IMPLEMENTED) for row in rows]

    def add_comment(self, plan_id: str, comment: Comment) -> None:
        self._files.put_comment(plan_id, comment)
        self._put_comment(plan_id, comment)

    def comments(self, plan_id: str) -> list[Comment]:
        return [Comment.model_validate(_fields(Comment, row)) for row in self._rows(plan_id, keys.COMMENTS)]

    def _in_table(self, plan_id: str) -> ImplementationPlan | None:
        key = item(keys.implementation_key(plan_id))
        found = self._client.get_item(TableName=self._table, Key=key, ConsistentRead=True).get("Item")
        return _view(values(found)) if found else None

    def _backfill(self, plan_id: str) -> ImplementationPlan | None:
        """Write to the table what only the bucket has; return the view, or None if the bucket has no such plan."""
        known = self._in_table(plan_id)
        view, document = known, None
        for number in self._files.numbers(plan_id)[known.revision if known else 0 :]:
            document = self._files.revision(plan_id, number)
            assert document, "a revision that is listed can be read"
            view = view_of(document, view.created_at if view else document.revision.created_at)
            self._put_revision(document)
        if view and document:
            for comment in self._files.comments(plan_id):
                self._put_comment(plan_id, comment)
            self._put_view(view, document, "attribute_not_exists(PK) OR #revision < :number")
        return view

    def _put_view(self, view: ImplementationPlan, document: RevisionDocument, condition: str = "") -> bool:
        """Write the view and the items that list it; return False if *condition* does not hold.

        Without *condition* the table must have the revision before this one, or none if this is the first.
        """
        first = view.revision == 1
        condition = condition or ("attribute_not_exists(PK)" if first else "#revision = :before")
        named = {":before": view.revision - 1, ":number": view.revision}
        index_key = keys.implementation_index_key(view.account, view.updated_at, view.plan_id)
        fields = {**keys.implementation_key(view.plan_id), **index_key, **view.model_dump(mode="json")}
        put: dict[str, Any] = {"Item": item(fields), "ConditionExpression": condition}
        used = {name: value for name, value in named.items() if name in condition}
        if used:
            put |= {"ExpressionAttributeNames": {"#revision": "revision"}, "ExpressionAttributeValues": item(used)}
        rows = [_revision_row(document)]
        if view.made_from:
            rows.append(keys.implemented_key(view.made_from, view.plan_id))
        writes: list[Any] = [
            {"Put": {"TableName": self._table, **write}} for write in (put, *({"Item": item(row)} for row in rows))
        ]
        try:
            self._client.transact_write_items(TransactItems=writes)
        except self._client.exceptions.TransactionCanceledException as canceled:
            codes = {reason["Code"] for reason in canceled.response["CancellationReasons"]}
            # a conflict means another writer of the same plan: the bucket decides
            if codes & {"ConditionalCheckFailed", "TransactionConflict"}:
                return False
            raise
        return True

    def _put_revision(self, document: RevisionDocument) -> None:
        self._client.put_item(TableName=self._table, Item=item(_revision_row(document)))

    def _put_comment(self, plan_id: str, comment: Comment) -> None:
        key = keys.comment_key(plan_id, comment.created_at, comment.comment_id)
        self._client.put_item(TableName=self._table, Item=item(key | comment.model_dump(mode="json")))

    def _rows(self, plan_id: str, prefix: str) -> list[dict[str, Any]]:
        return self._query(keys.implementation_partition(plan_id), prefix)

    def _query(self, partition: str, prefix: str) -> list[dict[str, Any]]:
        return list(
            pages(
                self._client,
                TableName=self._table,
                KeyConditionExpression=f"{keys.PARTITION_KEY} = :p AND begins_with({keys.SORT_KEY}, :s)",
                ExpressionAttributeValues=item({":p": partition, ":s": prefix}),
                ConsistentRead=True,
            )
        )


def _is_same_save(one: RevisionDocument, other: RevisionDocument) -> bool:
    """Return whether *other* repeats the save *one*."""
    saves = [(each.account, each.revision.author, each.revision.note, each.revision.sha256) for each in (one, other)]
    return saves[0] == saves[1]


def _revision_row(document: RevisionDocument) -> dict[str, Any]:
    fields = document.revision.model_dump(mode="json", exclude={"source"})
    return keys.revision_key(document.plan_id, document.revision.number) | fields


def _fields(kind: Any, row: dict[str, Any]) -> dict[str, Any]:
    return {name: row[name] for name in kind.model_fields if name in row}


def _view(row: dict[str, Any]) -> ImplementationPlan:
    return ImplementationPlan.model_validate(_fields(ImplementationPlan, row))


def _revision(row: dict[str, Any]) -> Revision:
    return Revision.model_validate(_fields(Revision, row))
