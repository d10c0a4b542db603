"""The MCP tools that begin another run of a plan (planexe-mcp-interface 1.0, sections 6.5 and 6.6)."""

from typing import Annotated, Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.types import CallToolResult, ToolAnnotations
from pydantic import Field

from planloom import wiring
from planloom.api import control_answers
from planloom.api.answers import as_tool_output
from planloom.api.control_once import resume_once, retry_once
from planloom.api.mcp_caller import account
from planloom.api.mcp_results import result
from planloom.api.register_tools import register_tools
from planloom.domain.plans import ModelProfile

PlanRetried = as_tool_output(control_answers.PlanRetried)
PlanResumed = as_tool_output(control_answers.PlanResumed)

PlanId = Annotated[str, Field(description="UUID of a failed or stopped plan, as plan_create returned it.")]
Profile = Annotated[
    ModelProfile | None,
    Field(description="LLM profile (baseline | premium | frontier | custom). By default the one the plan has."),
]
RequestId = Annotated[
    str | None,
    Field(min_length=1, max_length=200, description="Your own id: a repeat with the same id is no second run."),
]


def add_control_tools(server: MCPServer[Any]) -> None:
    """Register plan_retry and plan_resume."""
    clears = ToolAnnotations(read_only_hint=False, destructive_hint=True, idempotent_hint=False)
    keeps = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=False)
    register_tools(server, ((plan_resume, "Resume a plan", keeps), (plan_retry, "Retry a plan", clears)))


async def plan_resume(
    plan_id: PlanId,
    ctx: Context[Any, Any],
    model_profile: Profile = None,
    force_upgrade: Annotated[
        bool,
        Field(description="Resume a plan of an older pipeline all the same: only what changed since is made again."),
    ] = False,
    client_request_id: RequestId = None,
) -> Annotated[CallToolResult, PlanResumed]:
    """Continues a plan whose state is failed or stopped without discarding completed work: finished steps are
    skipped, finished model calls are not repeated, and edits are kept. Use it after a network drop, timeout,
    plan_stop or worker crash, where error.recoverable is true. Then poll plan_status. For a full restart use
    plan_retry. Errors: PLAN_NOT_RESUMABLE (wait until plan_status says failed or stopped),
    PIPELINE_VERSION_MISMATCH (use plan_retry, or force_upgrade).
    """
    caller = account(ctx)
    return result(resume_once(wiring.world(), caller, plan_id, model_profile, force_upgrade, client_request_id))


async def plan_retry(
    plan_id: PlanId, ctx: Context[Any, Any], model_profile: Profile = None, client_request_id: RequestId = None
) -> Annotated[CallToolResult, PlanRetried]:
    """Restarts a plan whose state is failed or stopped from scratch: same plan_id, its artifacts are cleared. Use it
    where error.recoverable is false, after version_mismatch, or to draft anew with another model_profile; to keep
    completed work use plan_resume. A plan of plan_validate becomes a draft of its prompt. Then poll plan_status. Error
    PLAN_NOT_FAILED: wait until plan_status says failed or stopped.
    """
    return result(retry_once(wiring.world(), account(ctx), plan_id, model_profile, client_request_id))
