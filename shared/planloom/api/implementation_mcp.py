"""The tools of implementation plans over MCP that the specification names, to the letter.

Argument names are the specification's, in camelCase. What the registry adds is in implementation_registry_mcp and
implementation_drafts_mcp.
"""

from typing import Annotated, Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.types import CallToolResult, ToolAnnotations
from pydantic import Field

from planloom import wiring
from planloom.api import implementation_answers as answers
from planloom.api import implementation_show as show
from planloom.api.answers import as_tool_output
from planloom.api.camel import CamelModel
from planloom.api.mcp_caller import account
from planloom.api.mcp_results import result
from planloom.api.register_tools import READ_ONLY, register_tools
from planloom.implementation.schema import VERSION
from planloom.services.check_implementation_plan import check_implementation_plan
from planloom.services.create_implementation_plan import create_implementation_plan
from planloom.services.read_implementation_plan import read_implementation_plan

INSTRUCTIONS = f"""\
A registry of implementation plans: graphs of steps with typed actions that people see and edit in a browser and that
agents carry out. It checks, stores and returns plans; it does not carry them out, and no model takes part.

From a plan in Markdown to a planId:
1. get_plan_format: JSON Schema {VERSION}, the rules beyond it with their codes, and examples.
2. Write the plan as JSON. (draft_from_markdown makes a first draft and says what it could not place.)
3. validate_plan. While isValid is false, mend what errors[] names (path is a JSON Pointer) and validate again; heed
   warnings[] where they are right.
4. create_plan returns planId and revision 1. Tell the user the planId.

Asked to implement a plan: get_plan, then work through steps[] so that each comes after all in its dependsOn. Before and
after each step call set_step_status (doing, then done; blocked with a comment where you cannot go on), and run its
verification before done. To change the plan itself: get_plan, change it, update_plan upon its revision; on
REVISION_CONFLICT read it again, apply your change to what you read, and save that.
"""

PlanId = Annotated[str, Field(description="UUID returned by create_plan or list_plans.")]
Plan = Annotated[dict[str, Any], Field(description="The plan, an object that fits the schema of get_plan_format.")]
Version = Annotated[str, Field(description=f'Version of the schema that the plan is written to: "{VERSION}".')]
Revision = Annotated[
    int | None, Field(ge=1, le=999_999, description="Number of a revision; the current one by default.")
]
RequestId = Annotated[
    str | None,
    Field(min_length=1, max_length=200, description="Your own id: a repeat with the same id is the same plan."),
]
Ctx = Context[Any, Any]

ADDS = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=False)

PlanFormat = as_tool_output(answers.PlanFormat, CamelModel)
Validation = as_tool_output(answers.ValidationInfo, CamelModel)
PlanSaved = as_tool_output(answers.PlanSaved, CamelModel)
PlanRead = as_tool_output(answers.PlanRead, CamelModel)


def add_implementation_tools(server: MCPServer[Any]) -> None:
    """Register the four tools of the specification."""
    register_tools(
        server,
        (
            (get_plan_format, "Plan format", READ_ONLY),
            (validate_plan, "Validate a plan", READ_ONLY),
            (create_plan, "Create a plan", ADDS),
            (get_plan, "Get a plan", READ_ONLY),
        ),
    )


async def get_plan_format(
    schemaVersion: Annotated[str | None, Field(description=f'Version of the schema; "{VERSION}" by default.')] = None,
) -> Annotated[CallToolResult, PlanFormat]:
    """Call this first. Returns the JSON Schema that plans must fit, the rules beyond it (constraints.rules, each with
    the code that validate_plan gives), limits, and complete valid examples to write yours after.
    """
    return result(show.plan_format(schemaVersion))


async def validate_plan(schemaVersion: Version, plan: Plan) -> Annotated[CallToolResult, Validation]:
    """Checks a plan without storing it. errors[] must be mended before create_plan takes it; warnings[] are advice.
    Each has path (a JSON Pointer into the plan), code, message and often a hint that says how to mend it. A valid plan
    comes back as normalizedPlan, its fields in the schema's order.
    """
    return result(show.validation(check_implementation_plan(plan, schemaVersion), plan))


async def create_plan(
    schemaVersion: Version,
    plan: Plan,
    ctx: Ctx,
    source: Annotated[
        dict[str, Any] | None,
        Field(description="Where the plan comes from: mdHash (hash of the Markdown), origin (its path or address)."),
    ] = None,
    clientRequestId: RequestId = None,
) -> Annotated[CallToolResult, PlanSaved]:
    """Stores a valid plan and returns planId and revision 1; validation holds its warnings. An invalid plan is refused
    as INVALID_PLAN with details.validation, and nothing is stored: call validate_plan first.
    """
    world = wiring.world()
    return result(
        show.saved(create_implementation_plan(world, account(ctx), plan, schemaVersion, source, clientRequestId))
    )


async def get_plan(planId: PlanId, ctx: Ctx, revision: Revision = None) -> Annotated[CallToolResult, PlanRead]:
    """Returns a stored plan with its revision. To implement it, work through plan.steps so that each comes after all
    steps in its dependsOn; report with set_step_status.
    """
    return result(show.read(*read_implementation_plan(wiring.world(), account(ctx), planId, revision)))
