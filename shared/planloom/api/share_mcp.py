"""The tools that share a report, and take it back."""

from typing import Annotated, Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.types import CallToolResult, ToolAnnotations
from pydantic import Field

from planloom import wiring
from planloom.api import share_http
from planloom.api.answers import as_tool_output
from planloom.api.mcp_caller import account
from planloom.api.mcp_results import result
from planloom.api.plans_mcp import PlanId
from planloom.api.register_tools import register_tools
from planloom.services.share_report import DAYS, MOST_DAYS, unshare_report

PlanShare = as_tool_output(share_http.PlanShare)
PlanUnshared = as_tool_output(share_http.PlanUnshared)


def add_share_tools(server: MCPServer[Any]) -> None:
    """Register the tools that share."""
    shares = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=False)
    revokes = ToolAnnotations(read_only_hint=False, destructive_hint=True, idempotent_hint=True)
    register_tools(server, ((plan_share, "Share a report", shares), (plan_unshare, "Revoke shared links", revokes)))


async def plan_share(
    plan_id: PlanId,
    ctx: Context[Any, Any],
    days: Annotated[int, Field(ge=1, le=MOST_DAYS, description="How long the link works.")] = DAYS,
) -> Annotated[CallToolResult, PlanShare]:
    """Makes a link that opens the report of a completed plan in a browser, without a key, for whoever has it: ask the
    user before. It works until it expires or plan_unshare revokes it, and is shown only now.
    """
    request = ctx.request_context.request
    assert request is not None, "tools are called over HTTP"
    return result(share_http.shared(request, account(ctx), plan_id, days))


async def plan_unshare(plan_id: PlanId, ctx: Context[Any, Any]) -> Annotated[CallToolResult, PlanUnshared]:
    """Revokes every shared link of a plan that plan_share made: they stop working at once. Says how many there were."""
    revoked = unshare_report(wiring.world(), account(ctx), plan_id)
    return result(share_http.PlanUnshared(plan_id=plan_id, revoked=revoked))
