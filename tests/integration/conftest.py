"""AWS in memory (moto) with planloom's table, bucket and bus."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any
from unittest.mock import patch

import boto3
import pytest
from moto import mock_aws

from planloom.adapters import table_keys as keys
from tests.one_moto_call import make_moto_thread_safe

make_moto_thread_safe()

TABLE, BUCKET, BUS = "planloom-test", "planloom-test-bucket", "planloom-test-bus"


@cache
def session() -> boto3.Session:
    """Return the session of all tests. A new one parses the descriptions of the services again: 0.2 s for each test."""
    return boto3.Session()


@cache
def client(service: str) -> Any:
    """Return the client that sets up; what is tested has clients of its own."""
    return session().client(service)


@contextmanager
def mocked_aws(**services: dict[str, bool]) -> Iterator[None]:
    """Replace AWS by an empty one in memory, with moto's settings for *services*."""
    with mock_aws(config=services), patch.object(boto3, "DEFAULT_SESSION", session()):  # type: ignore[arg-type]
        yield


@pytest.fixture
def aws(no_aws_account: None) -> Iterator[None]:
    """Mocked AWS that holds an empty table, bucket and bus."""
    with mocked_aws():
        make_table()
        make_bucket()
        client("s3").put_bucket_versioning(Bucket=BUCKET, VersioningConfiguration={"Status": "Enabled"})
        client("events").create_event_bus(Name=BUS)
        yield


def make_bucket() -> None:
    """Create the bucket."""
    client("s3").create_bucket(Bucket=BUCKET, CreateBucketConfiguration={"LocationConstraint": "eu-west-1"})


def make_table() -> None:
    """Create the table as infra does."""
    names = [keys.PARTITION_KEY, keys.SORT_KEY, keys.INDEX_PARTITION_KEY, keys.INDEX_SORT_KEY]
    client("dynamodb").create_table(
        TableName=TABLE,
        BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in names],
        KeySchema=_schema(keys.PARTITION_KEY, keys.SORT_KEY),
        GlobalSecondaryIndexes=[
            {
                "IndexName": keys.INDEX,
                "KeySchema": _schema(keys.INDEX_PARTITION_KEY, keys.INDEX_SORT_KEY),
                "Projection": {"ProjectionType": "ALL"},
            }
        ],
    )


def _schema(partition: str, sort: str) -> list[dict[str, str]]:
    return [{"AttributeName": partition, "KeyType": "HASH"}, {"AttributeName": sort, "KeyType": "RANGE"}]
