"""The composition roots: each module builds the ports of one package from the settings, on first use.

They are the only importers of adapters. This module has what all of them share, and loads none of the others.
"""

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel

from planloom.settings import Settings

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.idempotency import DynamoDBPersistenceLayer

    from planloom.wiring.plans import Ports

A = TypeVar("A", bound=BaseModel)

#: Fan-outs write their answers side by side; botocore's own pool of ten would queue them.
CONNECTIONS = 40


@cache
def settings() -> Settings:
    """Return this process's settings."""
    return Settings.read()


@cache
def ports() -> "Ports":
    """Return the ports of this process."""
    # with the first call: what works on runs does not load what plans need
    from planloom.wiring.plans import Ports

    return Ports(settings())


def requests(account: str) -> "DynamoDBPersistenceLayer":
    """Return the store of *account*'s answered requests."""
    from planloom.adapters.dynamodb_requests import requests_of

    return requests_of(account, settings().table)


def once(
    operation: str, account: str, request_id: str, body: dict[str, Any], kind: type[A], work: Callable[[], A]
) -> A:
    """Do *work* and return its response, unless *account* asked for the same under *request_id* within a day.

    Raises RequestConflict and RequestInProgress.
    """
    # on the first request that has an id: the library costs 0.1 s that others do not pay
    from planloom.adapters.dynamodb_requests import once

    return once(requests(account), operation, request_id, body, kind, work)


@cache
def request_state_key() -> bytes:
    """Return the key that signs MCP request state, shared by all Lambdas of the deployment."""
    from planloom.adapters.secrets import read_secret
    from planloom.wiring.aws import client

    return read_secret(client("secretsmanager"), settings().secret)
