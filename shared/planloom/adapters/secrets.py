"""Secrets from Secrets Manager."""

import boto3


def read_secret(secret_id: str) -> bytes:
    """Return the secret's value as bytes."""
    return boto3.client("secretsmanager").get_secret_value(SecretId=secret_id)["SecretString"].encode()
