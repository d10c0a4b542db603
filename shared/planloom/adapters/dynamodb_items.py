"""Conversion between items of the table and Python values: DynamoDB takes neither floats nor None."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from boto3.dynamodb.types import TypeDeserializer, TypeSerializer

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

_to_item = TypeSerializer()
_from_item = TypeDeserializer()


def item(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return *values* as an item; None is left out, floats become decimals."""
    return {key: _to_item.serialize(_plain(value)) for key, value in values.items() if value is not None}


def values(stored: Mapping[str, Any]) -> dict[str, Any]:
    """Return a stored item as Python values; numbers come as Decimal, which Pydantic reads."""
    return {key: _from_item.deserialize(value) for key, value in stored.items()}


def pages(client: "DynamoDBClient", **query: Any) -> Iterator[dict[str, Any]]:
    """Yield every item that *query* finds, from all pages."""
    while True:
        page = client.query(**query)
        yield from (values(found) for found in page["Items"])
        if "LastEvaluatedKey" not in page:
            return
        query["ExclusiveStartKey"] = page["LastEvaluatedKey"]


def _plain(value: Any) -> Any:
    if isinstance(value, float):
        return Decimal(str(value))
    if isinstance(value, Mapping):
        return {key: _plain(inner) for key, inner in value.items() if inner is not None}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    return value
