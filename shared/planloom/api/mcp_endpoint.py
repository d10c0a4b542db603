"""An MCP endpoint: streamable HTTP without sessions, for a Lambda that serves one request at a time."""

from collections.abc import Callable
from typing import Any

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

#: What Lambda takes at most: below that a tool says itself what is too large, with a code; the library's 413 has none.
MOST_BYTES = 6 * 1024 * 1024


class McpEndpoint:
    """Passes requests to an MCP server.

    *server* returns it; it is called with each request, so that the MCP library is imported by the first (0.4 s that
    HTTP routes do not pay). *security* says which hosts are answered for, by default any: the gateway answers only for
    its own, and a key in a header is no ambient credential that a rebound name could borrow (decision 0005).
    """

    def __init__(self, server: Callable[[], Any], security: Any = None) -> None:
        self._server = server
        self._security = security

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "POST":
            # the library's GET would stream until the Lambda times out
            await Response(status_code=405, headers={"Allow": "POST"})(scope, receive, send)
            return
        from mcp.server.transport_security import TransportSecuritySettings

        server = self._server()
        # a session manager runs once, so that each request gets a fresh one (0.8 ms)
        server.streamable_http_app(
            json_response=True,
            stateless_http=True,
            transport_security=self._security or TransportSecuritySettings(enable_dns_rebinding_protection=False),
            max_request_body_size=MOST_BYTES,
        )
        manager = server.session_manager
        async with manager.run():
            await manager.handle_request(scope, receive, send)
