"""The tools of the plan interface over MCP (planexe-mcp-interface 1.0): names, texts and rules as specified."""

from typing import Annotated, Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.types import CallToolResult, ToolAnnotations
from pydantic import Field

from planloom import wiring
from planloom.api import answers, show
from planloom.api.answers import as_tool_output
from planloom.api.create_once import create_once
from planloom.api.mcp_caller import account
from planloom.api.mcp_results import empty_result, error_result, result
from planloom.api.register_tools import READ_ONLY, register_tools
from planloom.domain.errors import ContentUnavailable, GenerationFailed
from planloom.domain.plans import DETAIL, Detail, ModelProfile, Target
from planloom.facts.given import FactsGiven
from planloom.models.profiles import DEFAULT_PROFILE
from planloom.services.list_plans import MOST, list_plans
from planloom.services.own_plan import own_plan
from planloom.services.plan_file_info import ArtifactChoice
from planloom.services.plan_file_info import plan_file_info as find_file
from planloom.services.stop_plan import stop_plan

#: The agent-facing summary of section 1.2.1: what planloom does, in which order to call what, what comes out.
INSTRUCTIONS = """\
planloom turns a plain-English goal into a strategic project-plan draft of 20+ sections: executive summary,
interactive Gantt chart, investor pitch, SWOT, governance, team profiles, work breakdown, scenario comparison, expert
criticism, and adversarial sections (premortem, self-audit, premise attacks) that stress-test the plan. It takes about
10-20 minutes with language models, under a minute without. The output is a draft to refine, not an executable or
final document, but it surfaces hard questions that the prompter may not have considered.

Required order:
1. Optionally call example_plans, to show the user what comes out. Call example_prompts. Optionally call
   model_profiles to see which models are available.
2. Not a tool: formulate a detailed prompt as flowing prose (no headers, no bullet lists), typically 300-800 words,
   with the examples as a baseline. Include objective, scope, constraints, timeline, stakeholders, budget and
   resources, and success criteria, with banned words or approaches and governance inline. Recommended: call plan_facts
   with it. Nothing is started; it says what is understood, what is unclear and what a plan would cost. Show the user
   total, deadline, people and bans, and ask what facts.questions asks. Get the user's approval.
3. Only then call plan_create. Keep its plan_id. After plan_facts pass facts: its facts_id, and the answers and
   corrections as fields of it.
4. Poll plan_status, at most every poll_after_sec seconds, or call plan_wait, which waits for 20 seconds at most.
   pending and processing: keep polling. completed: download now. failed: terminal, read error. stopped: plan_stop was
   called, or it was derived and not started. Failed or stopped before completing all steps: plan_resume goes on without
   discarding completed work; plan_retry is a full restart.
5. When completed, call plan_file_info with artifact "report" (self-contained interactive HTML, open it in a browser)
   or "zip" (the intermediary files: md, json, csv), and fetch download_url. To stop a plan, call plan_stop.
Each plan_create makes a plan of its own, with the same prompt too: keep your own list of plan_ids. Start with one plan
at a time, two where needed; more than four side by side are hard to keep track of.

Do not use it for one-shot micro-tasks (a checklist, a summary, a rewritten e-mail): answer those directly. The
pipeline is fixed end to end; single sections cannot be ordered. These are tools, not MCP tasks: do not use "Run as
task". planexe.version = "1.0"
"""

PlanId = Annotated[str, Field(description="UUID returned by plan_create. Use that exact UUID.")]

PlanCreated = as_tool_output(answers.PlanCreated)
PlanStatus = as_tool_output(answers.PlanStatus)
PlanStopped = as_tool_output(answers.PlanStopped)
PlanList = as_tool_output(answers.PlanList)
PlanFileInfo = as_tool_output(answers.PlanFileInfo)
ExamplePrompts = as_tool_output(answers.ExamplePrompts)
ModelProfiles = as_tool_output(answers.ModelProfiles)


def add_plan_tools(server: MCPServer[Any]) -> None:
    """Register every tool of the plan interface, in the order in which an agent needs them."""
    changes = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=False)
    stops = ToolAnnotations(read_only_hint=False, destructive_hint=True, idempotent_hint=True)
    register_tools(
        server,
        (
            (example_prompts, "Example prompts", READ_ONLY),
            (model_profiles, "Model profiles", READ_ONLY),
            (plan_create, "Create a plan", changes),
            (plan_status, "Plan status", READ_ONLY),
            (plan_stop, "Stop a plan", stops),
            (plan_file_info, "Download link", READ_ONLY),
            (plan_list, "List plans", READ_ONLY),
        ),
    )


async def example_prompts() -> Annotated[CallToolResult, ExamplePrompts]:
    """Call this first. Returns example prompts that define what a good prompt looks like. Do not call plan_create
    yet. Then optionally call model_profiles; then complete a non-tool step: draft a detailed prompt (flowing prose,
    300-800 words: objective, scope, constraints, timeline, stakeholders, budget, success criteria) and have the user
    approve it; only then call plan_create. Short one-liners produce poor plans.
    """
    return result(show.example_prompts())


async def model_profiles() -> Annotated[CallToolResult, ModelProfiles]:
    """Optional. Returns the valid model_profile values and the models available in each. Profiles without an
    available model are left out; error MODEL_PROFILES_UNAVAILABLE when none is available in any.
    """
    return result(show.model_profiles(wiring.world().models))


async def plan_create(
    prompt: Annotated[
        str,
        Field(
            description="The approved prompt: what the plan should cover, as flowing prose of typically 300-800 words "
            "with objective, scope, constraints, timeline, stakeholders, budget/resources and success criteria."
        ),
    ],
    ctx: Context[Any, Any],
    model_profile: Annotated[
        ModelProfile, Field(description="LLM profile. If unsure, call model_profiles first.")
    ] = DEFAULT_PROFILE,
    user_api_key: Annotated[
        str | None, Field(description="User API key for credits and attribution, if your deployment requires it.")
    ] = None,
    client_request_id: Annotated[
        str | None,
        Field(min_length=1, max_length=200, description="Your own id: a repeat with the same id is the same plan."),
    ] = None,
    target: Annotated[
        Target,
        Field(description="Both builds run all steps, validation included. For validate_plan call plan_validate."),
    ] = "build_plan",
    detail: Annotated[Detail, Field(description=DETAIL)] = "standard",
    derived_from: Annotated[
        str | None,
        Field(description="plan_id of your plan that this one comes from. It is only named; compare with plan_diff."),
    ] = None,
    facts: Annotated[
        FactsGiven | None,
        Field(
            description="Corrections of what plan_facts showed, and its facts_id. They win over the goal; fields that "
            "are left out stay as they were read."
        ),
    ] = None,
) -> Annotated[CallToolResult, PlanCreated]:
    """Call only after example_prompts and after the user approved the prompt. Starts drafting a strategic plan with
    20+ sections and returns plan_id (a UUID) at once; each call makes a new plan. Then poll plan_status about every
    poll_after_sec seconds. For substantial projects, not for one-shot micro-tasks.
    """
    world, caller = wiring.world(), account(ctx)
    return result(
        create_once(
            world, caller, prompt, model_profile, client_request_id, user_api_key, target, derived_from, facts, detail
        )
    )


async def plan_status(plan_id: PlanId, ctx: Context[Any, Any]) -> Annotated[CallToolResult, PlanStatus]:
    """Returns state and progress of a plan. pending, processing: keep polling, at most every poll_after_sec seconds
    (a minute, or 5 with premium and frontier; 5 seconds without a language model). completed: download now with
    plan_file_info. failed: terminal; error says why and whether a resume can help (recoverable). stopped: plan_stop was
    called, or it was derived and not started. A gap of more than 10 minutes since timing.last_progress_at is a strong
    sign of a stall.
    """
    world = wiring.world()
    return result(show.status(world, own_plan(world, account(ctx), plan_id)))


async def plan_stop(plan_id: PlanId, ctx: Context[Any, Any]) -> Annotated[CallToolResult, PlanStopped]:
    """Stops a plan: no further stage starts, and what finished stages made is kept. Pass the plan_id that plan_create
    returned.
    """
    return result(show.stopped(stop_plan(wiring.world(), account(ctx), plan_id)))


async def plan_file_info(
    plan_id: PlanId,
    ctx: Context[Any, Any],
    artifact: Annotated[
        ArtifactChoice, Field(description="report: interactive HTML. zip: all intermediary files (md, json, csv).")
    ] = "report",
) -> Annotated[CallToolResult, PlanFileInfo]:
    """Returns download_url for the report or the zip of a plan; the link is absolute, needs no key and lives an hour.
    Returns {} while the file is not ready: keep polling plan_status; the report of a stopped plan needs plan_resume
    first. error generation_failed: the plan failed, there is no report. error content_unavailable: try again shortly.
    """
    try:
        info = find_file(wiring.world(), account(ctx), plan_id, artifact)
    except (GenerationFailed, ContentUnavailable) as error:
        # mixed behaviour by specification (9.2): trouble with the file is no error of the call
        return error_result(error, is_error=False)
    return result(show.file_info(artifact, info)) if info else empty_result()


async def plan_list(
    ctx: Context[Any, Any],
    limit: Annotated[int, Field(ge=1, le=MOST, description="How many plans to return.")] = 10,
    before: Annotated[str | None, Field(description="next_before of the page before, for the next page.")] = None,
    archived: Annotated[bool, Field(description="List the archived plans instead of all others.")] = False,
) -> Annotated[CallToolResult, PlanList]:
    """Lists your plans, newest first, each with plan_id, state, progress_percentage, created_at, prompt_excerpt,
    target and derived_from. Use it to find a plan_id again.
    """
    return result(show.listed(*list_plans(wiring.world(), account(ctx), limit, before, archived=archived)))
