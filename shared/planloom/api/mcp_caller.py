"""Who calls a tool: the account of the HTTP request that carries the call."""

from typing import Any

from mcp.server.mcpserver import Context

from planloom.api.caller import account_of


def account(ctx: Context[Any, Any]) -> str:
    """Return the caller's account. Raises PermissionDenied where there is none."""
    request = ctx.request_context.request
    return account_of(request.scope if request else {})
