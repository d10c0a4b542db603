"""The backends of a program's entities: planloom's own planes, tool servers, and HTTP APIs."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Any

from planloom.planes.programs.declared_backends import HttpBackend, ToolBackend
from planloom.planes.programs.ports import OWN_CALL, OpenBackends, ProgramCaller
from planloom.planes.programs.sources import Backend, SourceFailed
from planloom.tools.errors import ToolServerNotFound
from planloom.tools.servers import AccountServers

if TYPE_CHECKING:
    from mypy_boto3_lambda import LambdaClient

    from planloom.planes.graphs.job import ConnectTools
    from planloom.tools.http_api import HttpApi


def open_backends(
    own: Callable[[ProgramCaller, str], Backend],
    servers: Callable[[], AccountServers],
    connect: "Callable[[], ConnectTools]",
    *,
    loopback: bool,
) -> OpenBackends:
    """Return what opens backends; *own* returns that of a plane, *connect* opens sessions with tool servers."""

    @asynccontextmanager
    async def opened(caller: ProgramCaller, names: Iterable[str]) -> AsyncIterator[Mapping[str, Backend]]:
        found: dict[str, Backend] = {}
        async with AsyncExitStack() as stack:
            tools: Any = None
            for name in names:
                kind, _, place = name.partition(":")
                if kind == "own":
                    found[name] = own(caller, place)
                elif kind == "tools":
                    tools = tools or await stack.enter_async_context(connect()(caller.account))
                    found[name] = ToolBackend(place, tools)
                elif kind == "http":
                    api = await asyncio.to_thread(_api, servers(), caller.account, place, loopback)
                    if api is not None:
                        stack.push_async_callback(api.close)
                        found[name] = HttpBackend(api)
            yield found

    return opened


def _api(servers: AccountServers, account: str, name: str, loopback: bool) -> "HttpApi | None":
    """Return the API of a tool server's URL and headers, None where it was removed."""
    # with the first call of an API: its library costs time that other programs do not pay
    from planloom.tools.http_api import HttpApi

    try:
        server = servers.get(account, name)
    except ToolServerNotFound:
        return None
    headers = servers.secrets.get(account, name) if server.headers else {}
    return HttpApi(server.url, headers, loopback)


class LambdaOwnBackend:
    """The operations of a plane, called by invoking the Lambda of the API on behalf of *caller*."""

    def __init__(self, connect: "Callable[[], LambdaClient]", function: str, caller: ProgramCaller, plane: str) -> None:
        self._connect = connect
        self._function = function
        self._caller = caller
        self._plane = plane

    async def call(self, operation: str, arguments: Mapping[str, Any]) -> Any:
        """Return the response of an endpoint as JSON. Raises SourceFailed."""
        message = {
            "caller": self._caller.model_dump(mode="json"),
            "plane": self._plane,
            "operation": operation,
            "arguments": dict(arguments),
        }
        found = await asyncio.to_thread(self._invoke, {OWN_CALL: message})
        if error := found.get("error"):
            raise SourceFailed(
                error["message"], code=error["code"], passing=error["passing"], uncertain=error["uncertain"]
            )
        return found.get("result")

    def _invoke(self, event: Mapping[str, Any]) -> dict[str, Any]:
        client = self._connect()
        try:
            answer = client.invoke(FunctionName=self._function, Payload=json.dumps(event).encode())
        except client.exceptions.TooManyRequestsException as error:
            raise SourceFailed("planloom has too many calls now.", code="not_reached", passing=True) from error
        except Exception as error:
            said = f"planloom did not answer: {type(error).__name__}"
            raise SourceFailed(said, code="not_reached", passing=True, uncertain=True) from error
        found: dict[str, Any] = json.loads(answer["Payload"].read() or b"{}")
        if answer.get("FunctionError") or not found.keys() & {"result", "error"}:
            raise SourceFailed("planloom failed without an answer.", code="not_reached", passing=True, uncertain=True)
        return found
