"""Who calls: the account that the gateway's authorizer found, and nobody else."""

from collections.abc import MutableMapping
from typing import Any

from planloom.domain.errors import PermissionDenied


def account_of(scope: MutableMapping[str, Any]) -> str:
    """Return the account in the request's authorizer context. Raises PermissionDenied where there is none."""
    context = scope.get("aws.event", {}).get("requestContext", {}).get("authorizer") or {}
    account = context.get("account")
    if not account:
        raise PermissionDenied("No account. Check your API key: send it in the X-API-Key header.")
    return str(account)
