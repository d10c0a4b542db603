"""The tools for watching a plan over MCP (planexe-mcp-interface 1.0, sections 17.2 to 17.4 and appendix B)."""

import asyncio
from typing import Annotated, Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.types import CallToolResult
from pydantic import Field

from planloom import wiring
from planloom.api import show
from planloom.api import watch_answers as answers
from planloom.api.answers import as_tool_output
from planloom.api.mcp_caller import account
from planloom.api.mcp_results import result
from planloom.api.plans_mcp import PlanId, PlanStatus
from planloom.api.register_tools import READ_ONLY, register_tools
from planloom.domain.event_log import LAST_CURSOR
from planloom.services.hold import LONGEST_SECONDS
from planloom.services.latest_plan import latest_plan
from planloom.services.own_plan import own_plan
from planloom.services.plan_graph import plan_graph as find_graph
from planloom.services.read_log import MOST_LINES
from planloom.services.read_log import plan_logs_tail as read_lines
from planloom.services.wait_for_plan import USUAL_POLL_SECONDS, wait_for_plan

PlanWaited = as_tool_output(answers.PlanWaited)
PlanLogs = as_tool_output(answers.PlanLogs)
PlanGraph = as_tool_output(answers.PlanGraph)


def add_watch_tools(server: MCPServer[Any]) -> None:
    """Register the tools with which an agent watches a plan."""
    tools = (
        (plan_wait, "Wait for a plan"),
        (plan_get_latest, "Latest plan"),
        (plan_logs_tail, "Log of a plan"),
        (plan_graph, "Graph of a plan"),
    )
    register_tools(server, ((tool, title, READ_ONLY) for tool, title in tools))


async def plan_wait(
    plan_id: PlanId,
    ctx: Context[Any, Any],
    timeout_sec: Annotated[
        float, Field(ge=0, description="How long to wait; 20 seconds at most, whatever is asked for.")
    ] = LONGEST_SECONDS,
    poll_interval_sec: Annotated[float, Field(gt=0, description="How often to look meanwhile.")] = USUAL_POLL_SECONDS,
) -> Annotated[CallToolResult, PlanWaited]:
    """Waits until a plan has ended, for at most 20 seconds a call, then returns what plan_status does, with
    next_steps. timed_out: it is still under way; call plan_wait again, or plan_status after poll_after_sec seconds.
    Where too many calls are waiting already it answers at once, timed_out false: follow next_steps.
    """
    world = wiring.world()
    # in a thread: the wait must not hold the endpoint's own loop
    plan, held = await asyncio.to_thread(wait_for_plan, world, account(ctx), plan_id, timeout_sec, poll_interval_sec)
    return result(answers.waited(world, plan, held=held))


async def plan_get_latest(ctx: Context[Any, Any]) -> Annotated[CallToolResult, PlanStatus]:
    """Returns what plan_status does, of the plan that you created last; archived ones are passed over. Use it where you
    lost the plan_id. Error PLAN_NOT_FOUND: you have none.
    """
    world = wiring.world()
    return result(show.status(world, latest_plan(world, account(ctx))))


async def plan_logs_tail(
    plan_id: PlanId,
    ctx: Context[Any, Any],
    max_lines: Annotated[int, Field(ge=1, le=MOST_LINES, description="How many lines at most.")] = 50,
    since_cursor: Annotated[
        int | None, Field(ge=0, le=LAST_CURSOR, description="next_cursor of the call before, for what came since.")
    ] = None,
) -> Annotated[CallToolResult, PlanLogs]:
    """Returns the newest lines of a plan's log, oldest first; with since_cursor the first ones after it. Use it when
    plan_status shows failed or stalled and you need to know what came before; for ten seconds after the end late lines
    may follow, so ask once more with next_cursor. Quotations of four words of the prompt and more are taken out, unless
    the deployment turned that off.
    """
    world = wiring.world()
    plan = own_plan(world, account(ctx), plan_id)
    return result(answers.logs(plan, read_lines(world, account(ctx), plan_id, max_lines, since_cursor), since_cursor))


async def plan_graph(
    plan_id: PlanId,
    ctx: Context[Any, Any],
    format: Annotated[answers.GraphFormat, Field(description="mermaid adds the same as a Mermaid flowchart.")] = "json",
) -> Annotated[CallToolResult, PlanGraph]:
    """Returns a plan as a graph: nodes (the steps, with state waiting, running, finished, skipped or failed, times and
    files) and edges (which step waits for which).
    """
    return result(answers.graph(plan_id, find_graph(wiring.world(), account(ctx), plan_id), format))
