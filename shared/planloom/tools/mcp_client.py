"""Tool servers over the official MCP client: one session for each server, opened at its first call."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx2
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp.types import CONNECTION_CLOSED, PARSE_ERROR, REQUEST_TIMEOUT
from pydantic import ValidationError

from planloom.tools.address_guard import check_url
from planloom.tools.pinned_http import PinnedTransport
from planloom.tools.tool import NotReached, Tool
from planloom.tools.unwrap import ToolFailed

#: Seconds to open a session, and to wait for an answer where a call sets no limit of its own.
OPENING, ANSWERING = 20.0, 300.0
#: An answer of a server may have so many bytes.
MOST_BYTES = 64 * 1024 * 1024
#: Codes of JSON-RPC errors that the transport below puts in place of answers without one: the call may have been made,
#: was certainly not made, was not since the session has ended, was made and answered with more than is read, or was
#: declined by the server, which was reached.
_FAULT, _REFUSED, _SESSION_ENDED, _TOO_LARGE, _DECLINED = range(-32090, -32095, -1)
#: Without a connection nothing was sent.
_NOT_CONNECTED = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout)


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

    A server may be given as its URL or its command:
    ``ToolServers({"web": "https://tools.example/mcp", "files": ["npx", "file-server"]})``.
    """

    def __init__(self, servers: Mapping[str, Server | str | Sequence[str]]) -> None:
        self._servers = {name: _server(given) for name, given in servers.items()}
        self._sessions: dict[str, _Session] = {}
        #: Sessions that no new call uses, until the calls in flight have ended.
        self._forgotten: set[_Session] = set()
        self._tools: dict[str, list[Tool]] = {}
        self._opening = asyncio.Lock()

    async def __aenter__(self) -> "ToolServers":
        return self

    async def __aexit__(self, *_: object) -> None:
        sessions, self._sessions = {*self._sessions.values(), *self._forgotten}, {}
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
        where = server or await self._server_of(name)
        try:
            return await self._called(await self._session(where), name, args)
        except _SessionEnded:
            # the server was started again and does not know the session: it did not make the call
            return await self._called(await self._session(where), name, args)

    async def _called(self, session: "_Session", name: str, args: dict[str, Any]) -> Any:
        try:
            with session.used():
                return await session.client.call_tool(name, args, read_timeout_seconds=ANSWERING)
        except MCPError as error:
            raised = _meaning(error)
            # what a server declines for now, it declines in a new session as well
            if not isinstance(raised, ToolFailed) and error.code != _DECLINED:
                self._forget(session)
            raise raised from error
        except ValidationError as error:
            raise ConnectionError(f"The server answered with what is no result of a tool: {error.title}") from error
        except (httpx2.TransportError, OSError) as error:
            self._forget(session)
            reached = not isinstance(error, (*_NOT_CONNECTED, ConnectionRefusedError))
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
                with session.used():
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
            if session is None or session.ended:
                session = await _Session.opened(name, self._servers[name])
                self._sessions[name] = session
            return session

    def _forget(self, session: "_Session") -> None:
        """Have the next call open a new session. This one ends with the last of its calls: others may be answered."""
        if self._sessions.get(session.name) is session:
            del self._sessions[session.name]
            self._forgotten.add(session)
            session.end_unused(then=lambda: self._forgotten.discard(session))


class _SessionEnded(NotReached):
    """The server does not know the session any more."""


def _meaning(error: MCPError) -> Exception:
    """Return what *error*, of the server or of the client, says of a call: that it failed, or was perhaps not made."""
    kinds = {
        _SESSION_ENDED: _SessionEnded,
        REQUEST_TIMEOUT: TimeoutError,
        **dict.fromkeys((_REFUSED, _DECLINED), NotReached),
        **dict.fromkeys((CONNECTION_CLOSED, PARSE_ERROR, _FAULT), ConnectionError),
    }
    unreadable = error.message.startswith("Unexpected content type")
    kind: type[Exception] = ConnectionError if unreadable else kinds.get(error.code, ToolFailed)
    return kind(error.message if kind is ToolFailed else error.message.partition("\n")[0][:500])


class _Session:
    """One open client, in a task of its own: it must end in the task that opened it."""

    def __init__(self, name: str, server: Server) -> None:
        self.name = name
        self._server = server
        self._ready: asyncio.Future[Client] = asyncio.get_running_loop().create_future()
        self._end = asyncio.Event()
        self._uses = 0
        self._last = False
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

    @property
    def ended(self) -> bool:
        """Whether no call can be made any more."""
        return self._task.done()

    @contextmanager
    def used(self) -> Iterator[None]:
        """Keep the session open for a call."""
        self._uses += 1
        try:
            yield
        finally:
            self._uses -= 1
            self._end_if_unused()

    def end_unused(self, then: Callable[[], None]) -> None:
        """Let the session end when no call uses it, and call *then*."""
        self._last = True
        self._task.add_done_callback(lambda _: then())
        self._end_if_unused()

    def _end_if_unused(self) -> None:
        if self._last and not self._uses:
            self._end.set()

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
        transport=_McpTransport(address),
        trust_env=False,
    )
    await stack.enter_async_context(http)
    return streamable_http_client(server.url, http_client=http)


class _McpTransport(PinnedTransport):
    """Says of calls of tools that bring no answer of an MCP server whether they were made, and bounds the answers."""

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        is_call = request.method == "POST" and b'"tools/call"' in request.content
        try:
            response = await super().handle_async_request(request)
            # the library ends the session, with all calls in flight, by what is raised here
            if is_call and response.status_code >= 400:
                return await _refusal(request, response)
        except (httpx2.TransportError, httpx2.StreamError) as error:
            if is_call and isinstance(error, _NOT_CONNECTED):
                return _error(_REFUSED, f"The server cannot be reached: {error}")
            if is_call:
                return _error(_FAULT, _broken(error))
            if b'"notifications/cancelled"' in request.content:
                # the call is given up, whether the server learns it or not
                return httpx2.Response(202)
            raise
        size = response.headers.get("content-length", "0")
        if is_call and size.isdecimal() and int(size) > MOST_BYTES:
            await response.aclose()
            return _error(_TOO_LARGE, f"The answer has {int(size):,} bytes; at most {MOST_BYTES:,} are read.")
        response.stream = _Bounded(response.stream)
        return response


class _Bounded(httpx2.AsyncByteStream):
    """A body that breaks off after MOST_BYTES. Faults are those of a stream: the library ends the session by others."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        left = MOST_BYTES
        try:
            async for part in self._stream:
                left -= len(part)
                if left < 0:
                    raise httpx2.StreamError(f"The answer has more than {MOST_BYTES:,} bytes.")
                yield part
        except httpx2.TransportError as error:
            raise httpx2.StreamError(_broken(error)) from error

    async def aclose(self) -> None:
        """Close the connection."""
        await self._stream.aclose()


async def _refusal(request: httpx2.Request, response: httpx2.Response) -> httpx2.Response:
    """Return *response*, whose status is an error, where it is one of JSON-RPC, else what it says of the call."""
    response.stream = _Bounded(response.stream)
    status, body = response.status_code, await response.aread()
    try:
        error = json.loads(body).get("error")
        message = str(error["message"])
    except (ValueError, AttributeError, TypeError, KeyError, RecursionError):
        error, message = None, ""
    if "mcp-session-id" in request.headers and (status == 404 or (status == 400 and "session" in message.lower())):
        return _error(_SESSION_ENDED, message or "The server does not know the session any more.")
    if error is not None and isinstance(error.get("code"), int):
        return httpx2.Response(status, content=body, headers={"content-type": "application/json"})
    # a request that is refused was not carried out; of a server's or gateway's own failure nobody knows
    return _error(
        _DECLINED if status < 500 else _FAULT, f"The server answered with HTTP status {status}. {message}".strip()
    )


def _broken(error: Exception) -> str:
    return f"The connection broke: {str(error) or type(error).__name__}"


def _error(code: int, message: str) -> httpx2.Response:
    return httpx2.Response(502, json={"jsonrpc": "2.0", "id": None, "error": {"code": code, "message": message}})


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
