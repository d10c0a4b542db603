"""What calls with a client_request_id were answered, kept in the table beside the account."""

import boto3
from aws_lambda_powertools.utilities.idempotency import DynamoDBPersistenceLayer

from planloom.adapters import table_keys


def requests_of(account: str, table: str) -> DynamoDBPersistenceLayer:
    """Return the store of *account*'s answered requests; items expire by themselves."""
    return DynamoDBPersistenceLayer(
        table_name=table,
        key_attr=table_keys.PARTITION_KEY,
        sort_key_attr=table_keys.SORT_KEY,
        static_pk_value=table_keys.account_partition(account),
        expiry_attr=table_keys.EXPIRES,
        boto3_client=boto3.client("dynamodb"),
    )
