"""Items of the table: what is written is what boto3 writes, and is read as boto3 reads it."""

from decimal import Decimal
from typing import Any

import pytest
from boto3.dynamodb.types import TypeDeserializer, TypeSerializer

from planloom.adapters.dynamodb_items import item, values

VALUES: dict[str, Any] = {
    "text": "",
    "yes": True,
    "no": False,
    "count": 10**20,
    "part": Decimal("0.10"),
    "nested": {"list": [1, "two", [None], {"three": Decimal(3)}], "empty": {}},
    "names": {"b", "a"},
    "numbers": {1, 20},
}


def test_items_are_those_of_boto3() -> None:
    stored = item(VALUES)
    assert values(stored) == VALUES
    assert {name: TypeDeserializer().deserialize(each) for name, each in stored.items()} == VALUES
    assert values({name: TypeSerializer().serialize(each) for name, each in VALUES.items()}) == VALUES


def test_floats_are_numbers_and_none_is_left_out() -> None:
    stored = item({"share": 0.1, "none": None, "nested": {"none": None, "pair": (1, 2)}})
    assert values(stored) == {"share": Decimal("0.1"), "nested": {"pair": [1, 2]}}


def test_bytes_are_kept() -> None:
    assert values(item({"packed": b"\x00"})) == {"packed": b"\x00"}


def test_other_types_are_refused() -> None:
    with pytest.raises(TypeError):
        item({"object": object()})
