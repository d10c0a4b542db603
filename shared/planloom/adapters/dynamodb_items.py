"""Conversion between items of the table and Python values: DynamoDB takes neither floats nor None."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

#: By DynamoDB's names; True is a number too, so that its type is first.
SCALARS: dict[str, Any] = {"BOOL": bool, "N": (int, float, Decimal), "S": str, "B": bytes}


def item(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return *values* as an item; None is left out. Raises TypeError for a type that items do not have."""
    return {key: _stored(value) for key, value in values.items() if value is not None}


def values(stored: Mapping[str, Any]) -> dict[str, Any]:
    """Return a stored item as Python values; numbers come as Decimal, which Pydantic reads."""
    return {key: _read(value) for key, value in stored.items()}


def pages(client: "DynamoDBClient", **query: Any) -> Iterator[dict[str, Any]]:
    """Yield every item that *query* finds, from all pages."""
    while True:
        page = client.query(**query)
        yield from (values(found) for found in page["Items"])
        if "LastEvaluatedKey" not in page:
            return
        query["ExclusiveStartKey"] = page["LastEvaluatedKey"]


def _stored(value: Any) -> dict[str, Any]:
    """Return *value* with the name of its type in DynamoDB. Raises TypeError for a type that items do not have."""
    for kind, types in SCALARS.items():
        if isinstance(value, types):
            return {kind: str(value) if kind == "N" else value}
    match value:
        case None:
            return {"NULL": True}
        case Mapping():
            return {"M": item(value)}
        case list() | tuple():
            return {"L": [_stored(each) for each in value]}
        case set() | frozenset():
            numbers = all(isinstance(each, int | Decimal) for each in value)
            return {"NS": sorted(map(str, value))} if numbers else {"SS": sorted(value)}
    raise TypeError(f"{type(value).__name__} is no type of an item")


def _read(stored: Mapping[str, Any]) -> Any:
    ((kind, value),) = stored.items()
    match kind:
        case "N":
            return Decimal(value)
        case "NULL":
            return None
        case "M":
            return values(value)
        case "L":
            return [_read(each) for each in value]
        case "SS":
            return set(value)
        case "NS":
            return {Decimal(each) for each in value}
    return value
