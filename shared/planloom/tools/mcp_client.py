"""Tool servers over the official MCP client: one session for each server, opened at its first call."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Any

import httpx2
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from planloom.tools.address_guard import CheckedAddress, check_url
from planloom.tools.tool import NotReached, Tool
from planloom.tools.unwrap import ToolFailed

#: Seconds to open a session, and to wait for an answer where a call sets no limit of its own.
OPENING, ANSWERING = 20.0, 300.0
#: Codes of JSON-RPC errors that come from a broken connection, not from the server's tool.
_CLOSED = -32000


@dataclass(frozen=True)
class HttpServer:
    """A tool server over streamable HTTP. ``headers`` may hold keys and are never shown."""

    url: str
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    #: Whether this machine is admitted: on a laptop only.
    loopback: bool = False


@dataclass(frozen=True)
class StdioServer:
    """A tool server that is started as a process of this machine and speaks over its standard streams."""

    command: Sequence[str]
    env: Mapping[str, str] | None = field(default=None, repr=False)


Server = HttpServer | StdioServer


class ToolServers:
    """Calls tools of *servers*, by name. Use it as an async context manager: sessions end with it.

    A URL or a command may stand for a server:
    ``ToolServers({"web": "https://tools.example/mcp", "files": ["npx", "file-server"]})``.
    """

    def __init__(self, servers: Mapping[str, Server | str | Sequence[str]]) -> None:
        self._servers = {name: _server(given) for name, given in servers.items()}
        self._sessions: dict[str, _Session] = {}
        self._tools: dict[str, list[Tool]] = {}
        self._opening = asyncio.Lock()

    async def __aenter__(self) -> "ToolServers":
        return self

    async def __aexit__(self, *_: object) -> None:
        sessions, self._sessions = list(self._sessions.values()), {}
        await asyncio.gather(*(session.close() for session in sessions))

    async def list_tools(self) -> list[Tool]:
        """Return the tools of all servers. Raises NotReached."""
        await asyncio.gather(*(self._listed(name) for name in self._servers))
        return [tool for name in self._servers for tool in self._tools[name]]

    async def execute_tool(self, name: str, args: dict[str, Any], /, server: str | None = None) -> Any:
        """Call the tool *name* and return its result as MCP gives it.

        Raises ToolFailed where the server refuses the call, ConnectionError (NotReached where nothing was sent),
        TimeoutError.
        """
        session = await self._session(server or await self._server_of(name))
        try:
            return await session.client.call_tool(name, args, read_timeout_seconds=ANSWERING)
        except MCPError as error:
            if error.code == _CLOSED:
                await self._drop(session)
                raise ConnectionError(error.message) from error
            raise ToolFailed(error.message) from error
        except (httpx2.TransportError, OSError) as error:
            await self._drop(session)
            reached = not isinstance(error, httpx2.ConnectError | ConnectionRefusedError)
            raise (ConnectionError if reached else NotReached)(str(error) or type(error).__name__) from error

    async def _server_of(self, tool: str) -> str:
        if len(self._servers) == 1:
            return next(iter(self._servers))
        having = [each.server for each in await self.list_tools() if each.name == tool]
        if len(having) != 1:
            raise ToolFailed(
                f"Several servers have the tool “{tool}”: {', '.join(having)}. Name one in the step's server."
                if having
                else f"No server has the tool “{tool}”."
            )
        return having[0]

    async def _listed(self, server: str) -> None:
        if server not in self._tools:
            session = await self._session(server)
            tools, cursor = [], None
            while True:
                page = await session.client.list_tools(cursor=cursor)
                tools += [_tool(server, tool) for tool in page.tools]
                cursor = page.next_cursor
                if not cursor:
                    break
            self._tools[server] = tools

    async def _session(self, name: str) -> "_Session":
        if name not in self._servers:
            raise ToolFailed(f"There is no tool server “{name}”. There are: {', '.join(self._servers) or 'none'}.")
        async with self._opening:
            session = self._sessions.get(name)
            if session is None:
                session = await _Session.opened(name, self._servers[name])
                self._sessions[name] = session
            return session

    async def _drop(self, session: "_Session") -> None:
        """Forget a session whose connection broke: the next call opens a new one."""
        if self._sessions.get(session.name) is session:
            del self._sessions[session.name]
        await session.close()


class _Session:
    """One open client, in a task of its own: it must end in the task that opened it."""

    def __init__(self, name: str, server: Server) -> None:
        self.name = name
        self._server = server
        self._ready: asyncio.Future[Client] = asyncio.get_running_loop().create_future()
        self._end = asyncio.Event()
        self._task = asyncio.create_task(self._open())
        self.client: Client

    @classmethod
    async def opened(cls, name: str, server: Server) -> "_Session":
        """Return an open session with *server*. Raises NotReached."""
        session = cls(name, server)
        try:
            async with asyncio.timeout(OPENING):
                session.client = await asyncio.shield(session._ready)
        except Exception as error:
            await session.close()
            why = "no answer in time" if isinstance(error, TimeoutError) else _cause(error)
            raise NotReached(f"The tool server “{name}” cannot be reached: {why}.") from error
        return session

    async def close(self) -> None:
        """End the session; what its server says to that does not matter."""
        self._end.set()
        if not self._ready.done():
            self._task.cancel()
        await asyncio.wait([self._task], timeout=5)
        self._task.cancel()
        if self._ready.done() and not self._ready.cancelled():
            self._ready.exception()

    async def _open(self) -> None:
        try:
            async with AsyncExitStack() as stack:
                client = await stack.enter_async_context(Client(await _transport(self._server, stack)))
                if not self._ready.done():
                    self._ready.set_result(client)
                await self._end.wait()
        except asyncio.CancelledError:
            self._ready.cancel()
            raise
        except Exception as error:
            # after it was ready, calls see the broken connection themselves
            if not self._ready.done():
                self._ready.set_exception(error)


async def _transport(server: Server, stack: AsyncExitStack) -> Any:
    if isinstance(server, StdioServer):
        program, *arguments = server.command
        return StdioServerParameters(command=program, args=arguments, env=dict(server.env) if server.env else None)
    address = await check_url(server.url, loopback=server.loopback)
    http = httpx2.AsyncClient(
        headers=dict(server.headers),
        timeout=httpx2.Timeout(OPENING, read=ANSWERING),
        transport=_Pinned(address),
        trust_env=False,
    )
    await stack.enter_async_context(http)
    return streamable_http_client(server.url, http_client=http)


class _Pinned(httpx2.AsyncHTTPTransport):
    """Connects to the address that was checked, whatever the host's name resolves to by then."""

    def __init__(self, address: CheckedAddress) -> None:
        super().__init__(trust_env=False)
        self._address = address

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        if request.url.host != self._address.host or (request.url.port or 0) not in (0, self._address.port):
            raise httpx2.ConnectError(f"The server redirects to {request.url.host}, which was not checked.")
        request.extensions = {**request.extensions, "sni_hostname": self._address.host}
        # the header Host was set from the name already
        request.url = request.url.copy_with(host=self._address.ip)
        return await super().handle_async_request(request)


def _server(given: Server | str | Sequence[str]) -> Server:
    if isinstance(given, HttpServer | StdioServer):
        return given
    return HttpServer(given, loopback=True) if isinstance(given, str) else StdioServer(given)


def _tool(server: str, tool: Any) -> Tool:
    hints = tool.annotations
    return Tool(
        name=tool.name,
        server=server,
        description=tool.description or "",
        input_schema=dict(tool.input_schema or {}),
        read_only=hints.read_only_hint if hints else None,
        destructive=hints.destructive_hint if hints else None,
        idempotent=hints.idempotent_hint if hints else None,
    )


def _cause(error: BaseException) -> str:
    """Return the first plain reason in *error*, which task groups wrap."""
    while isinstance(error, BaseExceptionGroup) and error.exceptions:
        error = error.exceptions[0]
    return str(error).rstrip(".") or type(error).__name__
