"""Graphs: their revisions in the bucket, written once, and what is known of each in the table."""

import hashlib
from typing import TYPE_CHECKING, Any

from planloom.adapters import table_keys as keys
from planloom.adapters.dynamodb_items import item, values
from planloom.planes.graphs.ports import GraphRevision, GraphView

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_s3 import S3Client


class AwsGraphStore:
    """Keeps planloom.planes.graphs.ports.GraphStore on DynamoDB and S3.

    Each save has an object of its own, which the view names: of two that save the same revision one becomes current.
    """

    def __init__(self, table_client: "DynamoDBClient", table: str, bucket_client: "S3Client", bucket: str) -> None:
        self._items = table_client
        self._table = table
        self._files = bucket_client
        self._bucket = bucket

    def reserve(self, view: GraphView) -> None:
        self._items.put_item(
            TableName=self._table, Item=item(_item(view, {})), ConditionExpression="attribute_not_exists(PK)"
        )

    def save(self, view: GraphView, document: GraphRevision) -> bool:
        content = document.model_dump_json().encode()
        key = f"graphs/{view.graph_id}/{view.revision:06}-{hashlib.sha256(content).hexdigest()[:16]}.json"
        self._files.put_object(Bucket=self._bucket, Key=key, Body=content, ContentType="application/json")
        before = self._row(view.graph_id)
        files = {**(before["files"] if before else {}), str(view.revision): key}
        row = _item(view, files)
        condition: dict[str, Any] = {"ConditionExpression": "attribute_not_exists(PK)"}
        if before or view.revision > 1:
            condition = {
                "ConditionExpression": "#revision = :before",
                "ExpressionAttributeNames": {"#revision": "revision"},
                "ExpressionAttributeValues": item({":before": view.revision - 1}),
            }
        try:
            self._items.put_item(TableName=self._table, Item=item(row), **condition)
        except self._items.exceptions.ConditionalCheckFailedException:
            return False
        return True

    def get(self, graph_id: str) -> GraphView | None:
        row = self._row(graph_id)
        return _view(row) if row else None

    def revision(self, graph_id: str, number: int) -> GraphRevision | None:
        row = self._row(graph_id)
        key = row["files"].get(str(number)) if row else None
        if key is None:
            return None
        found = self._files.get_object(Bucket=self._bucket, Key=key)["Body"].read()
        return GraphRevision.model_validate_json(found)

    def newest_of(self, account: str, limit: int, before: str | None = None) -> list[tuple[str, GraphView]]:
        named = {":account": keys.graphs_of(account), **({":before": before} if before else {})}
        rows = self._items.query(
            TableName=self._table,
            IndexName=keys.INDEX,
            KeyConditionExpression=f"{keys.INDEX_PARTITION_KEY} = :account"
            + (f" AND {keys.INDEX_SORT_KEY} < :before" if before else ""),
            ExpressionAttributeValues=item(named),
            ScanIndexForward=False,
            Limit=limit,
        )["Items"]
        return [(row[keys.INDEX_SORT_KEY], _view(row)) for row in map(values, rows)]

    def delete(self, graph_id: str) -> None:
        row = self._row(graph_id)
        self._items.delete_item(TableName=self._table, Key=item(keys.graph_key(graph_id)))
        for key in row["files"].values() if row else ():
            self._files.delete_object(Bucket=self._bucket, Key=key)

    def _row(self, graph_id: str) -> dict[str, Any] | None:
        key = item(keys.graph_key(graph_id))
        found = self._items.get_item(TableName=self._table, Key=key, ConsistentRead=True)
        return values(found["Item"]) if "Item" in found else None


def _item(view: GraphView, files: dict[str, str]) -> dict[str, Any]:
    return {
        **keys.graph_key(view.graph_id),
        **keys.index_key(keys.graphs_of(view.account), view.updated_at, view.graph_id),
        **view.model_dump(mode="json"),
        "files": files,
    }


def _view(row: dict[str, Any]) -> GraphView:
    return GraphView.model_validate({name: row[name] for name in GraphView.model_fields if name in row})
