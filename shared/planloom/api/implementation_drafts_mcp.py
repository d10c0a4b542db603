"""The tools that draft implementation plans from other forms: from Markdown, and from finished strategic plans."""

from typing import Annotated, Any

from mcp.server.mcpserver import MCPServer
from mcp.types import CallToolResult
from pydantic import Field

from planloom import wiring
from planloom.api import implementation_answers as answers
from planloom.api import implementation_show as show
from planloom.api.answers import as_tool_output
from planloom.api.camel import CamelModel
from planloom.api.implementation_mcp import ADDS, Ctx, PlanSaved, RequestId
from planloom.api.mcp_caller import account
from planloom.api.mcp_results import result
from planloom.api.register_tools import READ_ONLY, register_tools
from planloom.services import draft_implementation_plan as drafts

PlanDraft = as_tool_output(answers.PlanDraft, CamelModel)
Ref = Annotated[str | None, Field(max_length=500, description="Branch or commit to start from.")]


def add_draft_tools(server: MCPServer[Any]) -> None:
    """Register the tools that draft."""
    register_tools(
        server,
        (
            (draft_from_markdown, "Registry: draft a plan from Markdown", READ_ONLY),
            (draft_from_strategic_plan, "Registry: make a plan from a strategic plan", ADDS),
        ),
    )


async def draft_from_markdown(
    markdown: Annotated[str, Field(description="The plan as Markdown, at most 200,000 characters.")],
    repo: Annotated[
        str | None, Field(max_length=500, description="Repository, where the text does not say it.")
    ] = None,
    ref: Ref = None,
    stack: Annotated[list[str] | None, Field(max_length=50, description="Languages and frameworks.")] = None,
) -> Annotated[CallToolResult, PlanDraft]:
    """Reads a plan from Markdown by rule, without a model: headings, numbered and checkbox lists, "depends on", files,
    symbols and commands in backticks. Returns a draft, what found no place in it (unplaced[], with line and reason),
    and its validation. Nothing is stored: mend the draft, place what is unplaced, then create_plan with the source.
    """
    given = {"repo": repo, "ref": ref, "stack": stack}
    context = {name: value for name, value in given.items() if value}
    return result(show.draft(*drafts.draft_from_markdown(markdown, context)))


async def draft_from_strategic_plan(
    plan_id: Annotated[str, Field(description="Of a completed strategic plan: what plan_create returned.")],
    ctx: Ctx,
    repo: Annotated[str | None, Field(max_length=500, description="Repository in which its results are kept.")] = None,
    ref: Ref = None,
    clientRequestId: RequestId = None,
) -> Annotated[CallToolResult, PlanSaved]:
    """Makes and stores an implementation plan from a completed strategic plan: a step for each task of its work
    breakdown, with dependencies, dates, owners and risks. Returns planId; change it with update_plan.
    """
    context = {name: value for name, value in (("repo", repo), ("ref", ref)) if value}
    world = wiring.world()
    return result(show.saved(drafts.draft_from_strategic_plan(world, account(ctx), plan_id, context, clientRequestId)))
