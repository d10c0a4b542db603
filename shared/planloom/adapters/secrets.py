"""Secrets from Secrets Manager."""

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mypy_boto3_secretsmanager import SecretsManagerClient


def read_secret(client: "SecretsManagerClient", secret_id: str) -> bytes:
    """Return the secret's value as bytes."""
    return client.get_secret_value(SecretId=secret_id)["SecretString"].encode()


def read_object(client: "SecretsManagerClient", secret_id: str) -> dict[str, str]:
    """Return the strings of a secret that is a JSON object; empty if it is something else."""
    try:
        found = json.loads(read_secret(client, secret_id))
    except ValueError:
        return {}
    return {name: value for name, value in found.items() if isinstance(value, str)} if isinstance(found, dict) else {}
