"""A planloom service as the command sees it: MCP tools behind a URL and a key."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import httpx2
from pydantic import ValidationError

if TYPE_CHECKING:
    from mcp.client import Client
    from mcp.types import CallToolResult

CALL_SECONDS = 30.0
#: What the gateway itself says of a key; the service's own refusals have other codes.
OF_THE_KEY = ("API_KEY_REQUIRED", "API_KEY_INVALID")


class ServiceError(Exception):
    """The service answered with an error of its own: ``code`` as specified, a message that says what to do."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class Unreachable(Exception):
    """Nothing that speaks MCP answered at the URL."""


class KeyRefused(Exception):
    """The gateway refused the API key."""


@dataclass(frozen=True)
class Address:
    """Where a service is, and the key to it."""

    mcp_url: str
    http_url: str
    key: str

    @property
    def implementation_url(self) -> str:
        """Where the tools of implementation plans are."""
        return f"{self.mcp_url}/implementation"

    @property
    def viewer_url(self) -> str:
        """Where people look at plans: below the same address on a laptop, and behind CloudFront's in AWS."""
        return f"{self.http_url}/app/"


@dataclass(frozen=True)
class Service:
    """An open connection; calls go one by one."""

    client: "Client"
    address: Address

    async def look(self, path: str, **query: Any) -> dict[str, Any]:
        """GET *path* below /v1 and return its answer, on a connection of its own.

        The MCP library's connection ends with the first call that is lost; this is for those that may be. Raises
        ServiceError; KeyRefused; Unreachable where no answer came, or none but that the service is busy or down, or
        none of a planloom service.
        """
        url = f"{self.address.http_url}/v1/{path}"
        try:
            async with httpx2.AsyncClient(timeout=CALL_SECONDS) as http:
                answer = await http.get(url, params=query, headers={"X-API-Key": self.address.key})
        except httpx2.HTTPError as lost:
            raise Unreachable(f"The service does not answer ({type(lost).__name__}).") from lost
        if answer.status_code == 429 or answer.status_code >= 500:
            raise Unreachable(f"The service is not ready ({answer.status_code}).")
        body = _object(answer)
        error = body.get("error") if answer.status_code >= 400 else None
        if isinstance(error, dict) and error.get("code") not in (None, *OF_THE_KEY):
            raise ServiceError(str(error["code"]), str(error.get("message", "")))
        if answer.status_code in (401, 403):
            raise KeyRefused(f"{self.address.http_url} refused the API key ({answer.status_code}).")
        if answer.status_code != 200 or not body:
            raise Unreachable(f"{self.address.http_url} answers, but not as a planloom service ({answer.status_code}).")
        return body

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call *tool* and return its answer.

        Raises ServiceError, also for an ``error`` in a good answer; Unreachable where no answer came.
        """
        answer = await self.answer(tool, {name: value for name, value in arguments.items() if value is not None})
        body = answer.structured_content or {}
        error = body.get("error")
        if answer.is_error or (isinstance(error, dict) and "code" in error):
            raise ServiceError(str((error or {}).get("code", "INTERNAL_ERROR")), str((error or {}).get("message", "")))
        return body

    async def answer(self, tool: str, arguments: dict[str, Any]) -> "CallToolResult":
        """Call *tool* and return its result as it came, errors included. Raises Unreachable where none came."""
        from mcp.shared.exceptions import MCPError

        try:
            return await self.client.call_tool(tool, arguments, read_timeout_seconds=CALL_SECONDS)
        except (MCPError, httpx2.HTTPError) as lost:
            raise Unreachable(f"The service stopped answering ({lost}).") from lost
        except (ValidationError, RuntimeError) as odd:
            # what the library raises for a result that is none by the protocol or by the tool's own schema
            raise Unreachable(f"The service answered '{tool}' in a way that is not understood here.") from odd


@asynccontextmanager
async def connect(address: Address, protocol: str = "auto") -> AsyncIterator[Service]:
    """Open a connection. Raises Unreachable, KeyRefused.

    *protocol* is the era of MCP: ``legacy`` begins with a handshake, ``auto`` tries the newest, which has none.
    """
    # on the first connection: the library costs 0.7 s that commands without a service need not pay
    from mcp.client import Client
    from mcp.client.streamable_http import streamable_http_client

    await _knock(address)
    headers = {"X-API-Key": address.key}
    try:
        async with (
            httpx2.AsyncClient(headers=headers, timeout=CALL_SECONDS) as http,
            Client(streamable_http_client(address.mcp_url, http_client=http), mode=protocol) as client,
        ):
            yield Service(client, address)
    except BaseExceptionGroup as group:
        # the library's task groups wrap whatever is raised inside them, sometimes twice
        raise innermost(group) from group


def innermost(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """Return the first error in *group* that is no group."""
    error = group.exceptions[0]
    return innermost(error) if isinstance(error, BaseExceptionGroup) else error


def _object(answer: httpx2.Response) -> dict[str, Any]:
    """Return the JSON object of *answer*; empty where it has none, as a proxy's page."""
    try:
        body = answer.json()
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}


async def _knock(address: Address) -> None:
    """Tell a wrong key from a wrong address before the MCP library wraps either in an error group."""
    try:
        async with httpx2.AsyncClient(timeout=CALL_SECONDS) as http:
            url = f"{address.http_url}/v1/model-profiles"
            answer = await http.get(url, headers={"X-API-Key": address.key})
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        raise Unreachable(f"{address.http_url} does not answer ({type(error).__name__}).") from error
    if answer.status_code in (401, 403):
        raise KeyRefused(f"{address.http_url} refused the API key ({answer.status_code}).")
    if answer.status_code == 404:
        raise Unreachable(f"{address.http_url} answers, but no planloom service is there.")
