"""Secrets from Secrets Manager."""

import json

import boto3


def read_secret(secret_id: str) -> bytes:
    """Return the secret's value as bytes."""
    return boto3.client("secretsmanager").get_secret_value(SecretId=secret_id)["SecretString"].encode()


def read_object(secret_id: str) -> dict[str, str]:
    """Return the strings of a secret that is a JSON object; empty if it is something else."""
    try:
        found = json.loads(read_secret(secret_id))
    except ValueError:
        return {}
    return {name: value for name, value in found.items() if isinstance(value, str)} if isinstance(found, dict) else {}
