"""Tool servers of an account: added, tested, removed."""

from typing import TYPE_CHECKING

from planloom.core.endpoint import DELETE, GET, POST, Effect, Endpoint
from planloom.planes.graphs import requests, responses
from planloom.tools.errors import InvalidToolServer, ToolServerNotFound, ToolServerUnreachable

if TYPE_CHECKING:
    from planloom.tools.servers import AccountServers

SERVERS = "/v1/tool-servers"


def _add_server(request: requests.AddServer, account: str, tool_servers: "AccountServers") -> responses.ServerInfo:
    server, why = tool_servers.add(account, request.name, request.url, request.headers, request.trusted)
    return responses.ServerInfo.of(server, error=why)


def _servers(account: str, tool_servers: "AccountServers") -> responses.ServerList:
    return responses.ServerList(servers=[responses.ServerInfo.of(each) for each in tool_servers.all(account)])


def _server(request: requests.ServerRequest, account: str, tool_servers: "AccountServers") -> responses.ServerInfo:
    server = tool_servers.get(account, request.name)
    return responses.ServerInfo.of(server, tool_servers.tools(server))


def _test_server(request: requests.ServerRequest, account: str, tool_servers: "AccountServers") -> responses.ServerInfo:
    server = tool_servers.test(account, request.name)
    return responses.ServerInfo.of(server, tool_servers.tools(server))


def _remove_server(request: requests.ServerRequest, account: str, tool_servers: "AccountServers") -> responses.Deleted:
    tool_servers.remove(account, request.name)
    return responses.Deleted(deleted=request.name)


TOOL_SERVER_ADD = Endpoint(
    name="tool_server_add",
    title="Add a tool server",
    description="""\
Adds an MCP server whose tools graphs may call, or replaces the one of that name, and lists its tools. It must be public
and use https. error says why its tools could not be listed; it is added nevertheless.""",
    group="tool servers",
    http=POST(SERVERS, status=201, location=f"{SERVERS}/{{name}}"),
    request=requests.AddServer,
    response=responses.ServerInfo,
    errors=(InvalidToolServer,),
    effect=Effect.CHANGES,
    repeatable=True,
    handler=_add_server,
)


TOOL_SERVER_LIST = Endpoint(
    name="tool_server_list",
    title="List tool servers",
    description="Lists the servers whose tools your graphs may call.",
    group="tool servers",
    http=GET(SERVERS),
    response=responses.ServerList,
    handler=_servers,
)


TOOL_SERVER_GET = Endpoint(
    name="tool_server_get",
    title="Tools of a server",
    description="Returns a server with its tools and their input schemas, as they were listed last.",
    group="tool servers",
    http=GET(f"{SERVERS}/{{name}}"),
    request=requests.ServerRequest,
    response=responses.ServerInfo,
    errors=(ToolServerNotFound,),
    handler=_server,
)


TOOL_SERVER_TEST = Endpoint(
    name="tool_server_test",
    title="Test a tool server",
    description="Lists a server's tools now and returns them.",
    group="tool servers",
    http=POST(f"{SERVERS}/{{name}}/test"),
    request=requests.ServerRequest,
    response=responses.ServerInfo,
    errors=(ToolServerNotFound, ToolServerUnreachable),
    effect=Effect.CHANGES,
    repeatable=True,
    handler=_test_server,
)


TOOL_SERVER_REMOVE = Endpoint(
    name="tool_server_remove",
    title="Remove a tool server",
    description="Removes a server and the secret of its headers; ask the user before.",
    group="tool servers",
    http=DELETE(f"{SERVERS}/{{name}}"),
    request=requests.ServerRequest,
    response=responses.Deleted,
    errors=(ToolServerNotFound,),
    effect=Effect.DESTROYS,
    repeatable=True,
    handler=_remove_server,
)
