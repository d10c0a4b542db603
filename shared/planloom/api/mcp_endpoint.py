"""The MCP endpoints: streamable HTTP without sessions, fit for a Lambda that serves one request at a time."""

import importlib

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

#: Each family of tools has its own endpoint, so that an agent sees few tools.
PATHS = ("/mcp",)


class McpEndpoint:
    """Hands a request to the MCP server of its path."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "POST":
            # the library's GET would stream until the Lambda times out
            await Response(status_code=405, headers={"Allow": "POST"})(scope, receive, send)
            return
        # on the first MCP request: the import costs 0.4 s that HTTP routes need not pay
        servers = importlib.import_module("planloom.api.mcp_servers")
        server = servers.server_for(scope["path"].rstrip("/"))
        # a session manager runs once, so that each request gets a fresh one (0.8 ms)
        server.streamable_http_app(json_response=True, stateless_http=True, transport_security=servers.ANY_HOST)
        manager = server.session_manager
        async with manager.run():
            await manager.handle_request(scope, receive, send)
