"""Who calls a route: the account that the gateway found behind the key that it checked."""

from typing import Annotated

from fastapi import Depends, Request, Security
from fastapi.security import APIKeyHeader

from planloom.api.caller import account_of, key_of

#: The gateway checks the key; this only tells readers of the description that there is one.
key_in_header = Security(APIKeyHeader(name="X-API-Key", scheme_name="API key", auto_error=False))


def _account(request: Request) -> str:
    return account_of(request.scope)


def _key(request: Request) -> str:
    return key_of(request.scope)


#: The caller's account. Raises PermissionDenied where there is none.
Account = Annotated[str, Depends(_account)]

#: The digest of the caller's key. Raises PermissionDenied where there is none.
Key = Annotated[str, Depends(_key)]
