"""The tool that says what is understood of a goal before a plan is made of it."""

import asyncio
from typing import Annotated, Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.types import CallToolResult, ToolAnnotations
from pydantic import Field

from planloom import wiring
from planloom.api import facts_answers as answers
from planloom.api.answers import as_tool_output
from planloom.api.mcp_caller import account
from planloom.api.mcp_results import result
from planloom.api.register_tools import register_tools
from planloom.domain.errors import InvalidArgument
from planloom.domain.plans import Detail, ModelProfile
from planloom.facts.given import FactsGiven
from planloom.models.profiles import DEFAULT_PROFILE
from planloom.services import plan_facts as services

PlanFacts = as_tool_output(answers.PlanFacts)

#: It starts no plan, but a model may be paid for, once for the same goal.
ASKS = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=True)


def add_facts_tools(server: MCPServer[Any]) -> None:
    """Register the tool."""
    register_tools(server, ((plan_facts, "Facts of a goal", ASKS),))


async def plan_facts(
    ctx: Context[Any, Any],
    prompt: Annotated[
        str | None, Field(description="The prompt that plan_create will get. Leave it out where you poll facts_id.")
    ] = None,
    model_profile: Annotated[
        ModelProfile, Field(description="The profile that plan_create will get; its model reads the goal.")
    ] = DEFAULT_PROFILE,
    facts_id: Annotated[
        str | None, Field(description="Of an earlier answer, to ask again while its state is reading.")
    ] = None,
    detail: Annotated[Detail, Field(description="That of plan_create: what the quote is for.")] = "standard",
    facts: Annotated[
        FactsGiven | None, Field(description="Corrections, applied to what is shown. Pass them to plan_create too.")
    ] = None,
) -> Annotated[CallToolResult, PlanFacts]:
    """Call before plan_create. Says what is understood of a prompt (total, deadline, start, kind, people, bans, places,
    other values, each with the words that state it), what no fact holds (unread), which questions to ask the user first
    (facts.questions), and what a plan would cost and take (quote). Nothing of a plan is started. Correct what is wrong
    and answer the questions in facts of plan_create, with facts_id. state reading: a model still reads; call again with
    facts_id after poll_after_sec seconds. The same prompt, profile and day are read once.
    """
    # in a thread: the wait must not hold the endpoint's own loop
    return await asyncio.to_thread(_shown, account(ctx), prompt, model_profile, facts_id, facts, detail)


def _shown(
    caller: str,
    prompt: str | None,
    profile: ModelProfile,
    facts_id: str | None,
    facts: FactsGiven | None,
    detail: Detail,
) -> CallToolResult:
    world = wiring.world()
    if (prompt is None) == (facts_id is None):
        raise InvalidArgument("Pass either prompt, or the facts_id of an earlier answer.", field="prompt")
    reading = (
        services.plan_facts(world, caller, prompt, profile)
        if prompt is not None
        else services.find_facts(world, caller, facts_id or "")
    )
    return result(answers.plan_facts(world, reading, facts, detail))
