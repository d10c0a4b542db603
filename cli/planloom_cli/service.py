"""The client of a planloom service: MCP tools at a URL, with an API key."""

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
#: Error codes of the gateway for API keys; errors of the service have other codes.
OF_THE_KEY = ("API_KEY_REQUIRED", "API_KEY_INVALID")


class ServiceError(Exception):
    """The service returned an error: ``code`` as specified, and a message with what to do."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class Unreachable(Exception):
    """No MCP server answered at the URL."""


class KeyRefused(Exception):
    """The gateway rejected the API key."""


@dataclass(frozen=True)
class Address:
    """The URLs of a service and the API key."""

    mcp_url: str
    http_url: str
    key: str

    @property
    def implementation_url(self) -> str:
        """The MCP URL of implementation plans."""
        return f"{self.mcp_url}/implementation"

    @property
    def viewer_url(self) -> str:
        """The URL of the viewer."""
        return f"{self.http_url}/app/"


@dataclass(frozen=True)
class Service:
    """An open connection; one call at a time."""

    client: "Client"
    address: Address

    async def look(self, path: str, **query: Any) -> dict[str, Any]:
        """GET *path* below /v1 and return the response. Raises what :meth:`send` does."""
        return await self.send("GET", path, query=query)

    async def send(
        self, method: str, path: str, body: Any = None, query: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        """Send *body* to *path* below /v1 and return the response.

        Uses its own connection: that of the MCP library ends with the first lost call. Raises ServiceError; KeyRefused;
        Unreachable if there is no response, the service is busy or down, or it is not a planloom service.
        """
        url = f"{self.address.http_url}/v1/{path}"
        try:
            async with httpx2.AsyncClient(timeout=CALL_SECONDS) as http:
                answer = await http.request(
                    method, url, params=query, json=body, headers={"X-API-Key": self.address.key}
                )
        except httpx2.HTTPError as lost:
            raise Unreachable(f"The service does not answer ({type(lost).__name__}).") from lost
        if answer.status_code == 429 or answer.status_code >= 500:
            raise Unreachable(f"The service is not ready (HTTP {answer.status_code}).")
        found = _object(answer)
        error = found.get("error") if answer.status_code >= 400 else None
        if isinstance(error, dict) and error.get("code") not in (None, *OF_THE_KEY):
            raise ServiceError(str(error["code"]), str(error.get("message", "")))
        if answer.status_code in (401, 403):
            raise KeyRefused(f"{self.address.http_url} rejected the API key (HTTP {answer.status_code}).")
        if answer.status_code not in (200, 201) or not found:
            raise Unreachable(f"{self.address.http_url} is not a planloom service (HTTP {answer.status_code}).")
        return found

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call *tool* and return its response.

        Raises ServiceError, also for an ``error`` in a successful response; Unreachable if there is no response.
        """
        answer = await self.answer(tool, {name: value for name, value in arguments.items() if value is not None})
        body = answer.structured_content or {}
        error = body.get("error")
        if answer.is_error or (isinstance(error, dict) and "code" in error):
            raise ServiceError(str((error or {}).get("code", "INTERNAL_ERROR")), str((error or {}).get("message", "")))
        return body

    async def answer(self, tool: str, arguments: dict[str, Any]) -> "CallToolResult":
        """Call *tool* and return its result unchanged, errors included. Raises Unreachable if there is none."""
        from mcp.shared.exceptions import MCPError

        try:
            return await self.client.call_tool(tool, arguments, read_timeout_seconds=CALL_SECONDS)
        except (MCPError, httpx2.HTTPError) as lost:
            raise Unreachable(f"The service stopped answering ({lost}).") from lost
        except (ValidationError, RuntimeError) as odd:
            # the library raises these for a result that violates the protocol or the schema of the tool
            raise Unreachable(f"The service returned an invalid result for '{tool}'.") from odd


@asynccontextmanager
async def connect(address: Address, protocol: str = "auto") -> AsyncIterator[Service]:
    """Open a connection. Raises Unreachable, KeyRefused.

    *protocol* is the version of MCP: ``legacy`` starts with a handshake, ``auto`` tries the newest, without one.
    """
    # imported here: the import takes 0.7 s, which commands without a service do not need
    from mcp.client import Client
    from mcp.client.streamable_http import streamable_http_client

    await _check_address(address)
    headers = {"X-API-Key": address.key}
    try:
        async with (
            httpx2.AsyncClient(headers=headers, timeout=CALL_SECONDS) as http,
            Client(streamable_http_client(address.mcp_url, http_client=http), mode=protocol) as client,
        ):
            yield Service(client, address)
    except BaseExceptionGroup as group:
        # the task groups of the library wrap exceptions, sometimes twice
        raise innermost(group) from group


def innermost(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """Return the first exception in *group* that is not a group."""
    error = group.exceptions[0]
    return innermost(error) if isinstance(error, BaseExceptionGroup) else error


def _object(answer: httpx2.Response) -> dict[str, Any]:
    """Return the JSON object of *answer*; empty if it has none, such as an error page of a proxy."""
    try:
        body = answer.json()
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}


async def _check_address(address: Address) -> None:
    """Raise Unreachable for a wrong URL, KeyRefused for a wrong key: the MCP library would wrap both in a group."""
    try:
        async with httpx2.AsyncClient(timeout=CALL_SECONDS) as http:
            url = f"{address.http_url}/v1/model-profiles"
            answer = await http.get(url, headers={"X-API-Key": address.key})
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        raise Unreachable(f"{address.http_url} does not answer ({type(error).__name__}).") from error
    if answer.status_code in (401, 403):
        raise KeyRefused(f"{address.http_url} rejected the API key (HTTP {answer.status_code}).")
    if answer.status_code == 404:
        raise Unreachable(f"{address.http_url} is not a planloom service (HTTP 404).")
