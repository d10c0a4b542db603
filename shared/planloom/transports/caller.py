"""Who calls: the account and the key that the gateway's authorizer found, and the URL that they called."""

from collections.abc import MutableMapping
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends, Request, Security
from fastapi.security import APIKeyHeader

from planloom.core.errors import PermissionDenied


@dataclass(frozen=True)
class RequestCaller:
    """The caller of one request, read from its ASGI *scope*."""

    scope: MutableMapping[str, Any]

    @property
    def account(self) -> str:
        """Name of the account. Raises PermissionDenied where there is none."""
        return self._authorized("account")

    @property
    def key(self) -> str:
        """SHA-256 of the API key. Raises PermissionDenied where there is none."""
        return self._authorized("key")

    @property
    def base_url(self) -> str:
        """URL of the API with its stage, without a slash at its end."""
        event = self.scope.get("aws.event", {})
        context = event.get("requestContext", {})
        stage = context.get("path", "").removesuffix(event.get("path", ""))
        if domain := context.get("domainName"):
            return f"https://{domain}{stage}"
        # a gateway without a domain of its own, as in the embedded AWS, is served below a path of its host
        headers = {name.decode(): value.decode() for name, value in self.scope.get("headers", [])}
        return f"http://{headers.get('host', 'localhost')}/_aws/execute-api/{context.get('apiId', '')}{stage}"

    def _authorized(self, name: str) -> str:
        context = self.scope.get("aws.event", {}).get("requestContext", {}).get("authorizer") or {}
        if not context.get(name):
            raise PermissionDenied("No account. Check your API key: send it in the X-API-Key header.")
        return str(context[name])


#: The gateway checks the key; this only describes it in OpenAPI.
key_in_header = Security(APIKeyHeader(name="X-API-Key", scheme_name="API key", auto_error=False))


def _with_account(request: Request) -> RequestCaller:
    caller = RequestCaller(request.scope)
    assert caller.account
    return caller


def _account(request: Request) -> str:
    return RequestCaller(request.scope).account


#: The caller of a route, who has an account. Raises PermissionDenied where there is none.
AnyCaller = Annotated[RequestCaller, Depends(_with_account)]
Account = Annotated[str, Depends(_account)]
