"""The MCP endpoints: streamable HTTP without sessions, fit for a Lambda that serves one request at a time."""

import importlib
from collections.abc import Callable
from typing import Any

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

#: Each family of tools has its own endpoint, so that an agent sees few tools.
PATHS = ("/mcp", "/mcp/implementation")

#: What Lambda takes at most: below that a tool says itself what is too large, with a code; the library's 413 has none.
MOST_BYTES = 6 * 1024 * 1024


class McpEndpoint:
    """Hands a request to the MCP server of its path.

    *server_for* finds it, by default among those served here; *security* says which hosts are answered for, by
    default any, since the gateway answers only for its own.
    """

    def __init__(self, server_for: Callable[[str], Any] | None = None, security: Any = None) -> None:
        self._server_for = server_for or _server_for
        self._security = security

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "POST":
            # the library's GET would stream until the Lambda times out
            await Response(status_code=405, headers={"Allow": "POST"})(scope, receive, send)
            return
        server = self._server_for(scope["path"].rstrip("/"))
        # a session manager runs once, so that each request gets a fresh one (0.8 ms)
        security = self._security or _servers().ANY_HOST
        server.streamable_http_app(
            json_response=True, stateless_http=True, transport_security=security, max_request_body_size=MOST_BYTES
        )
        manager = server.session_manager
        async with manager.run():
            await manager.handle_request(scope, receive, send)


def _server_for(path: str) -> Any:
    return _servers().server_for(path)


def _servers() -> Any:
    # on the first MCP request: the import costs 0.4 s that HTTP routes need not pay
    return importlib.import_module("planloom.api.mcp_servers")
