"""Who calls: the account that the gateway's authorizer found, by which key, and nobody else."""

from collections.abc import MutableMapping
from typing import Any

from planloom.domain.errors import PermissionDenied


def account_of(scope: MutableMapping[str, Any]) -> str:
    """Return the account in the request's authorizer context. Raises PermissionDenied where there is none."""
    return _found(scope, "account")


def key_of(scope: MutableMapping[str, Any]) -> str:
    """Return the digest of the key that opened the request. Raises PermissionDenied where there is none."""
    return _found(scope, "key")


def _found(scope: MutableMapping[str, Any], name: str) -> str:
    context = scope.get("aws.event", {}).get("requestContext", {}).get("authorizer") or {}
    if not context.get(name):
        raise PermissionDenied("No account. Check your API key: send it in the X-API-Key header.")
    return str(context[name])
