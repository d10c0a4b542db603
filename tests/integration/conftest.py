"""AWS in memory (moto) with planloom's table, bucket and bus."""

from collections.abc import Iterator

import boto3
import pytest
from moto import mock_aws

from planloom.adapters import table_keys as keys
from tests.one_moto_call import make_moto_thread_safe

make_moto_thread_safe()

TABLE, BUCKET, BUS = "planloom-test", "planloom-test-bucket", "planloom-test-bus"


@pytest.fixture
def aws(no_aws_account: None) -> Iterator[None]:
    """Mocked AWS that holds an empty table, bucket and bus."""
    with mock_aws():
        make_table()
        boto3.client("s3").create_bucket(Bucket=BUCKET, CreateBucketConfiguration={"LocationConstraint": "eu-west-1"})
        boto3.client("s3").put_bucket_versioning(Bucket=BUCKET, VersioningConfiguration={"Status": "Enabled"})
        boto3.client("events").create_event_bus(Name=BUS)
        yield


def make_table() -> None:
    """Create the table as infra does."""
    names = [keys.PARTITION_KEY, keys.SORT_KEY, keys.INDEX_PARTITION_KEY, keys.INDEX_SORT_KEY]
    boto3.client("dynamodb").create_table(
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
