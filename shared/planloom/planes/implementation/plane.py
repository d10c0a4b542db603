"""The plane of implementation plans."""

from planloom.core.plane import Plane
from planloom.planes.implementation import errors as errors
from planloom.planes.implementation.body_limits import check_body
from planloom.planes.implementation.document.schema import VERSION
from planloom.planes.implementation.endpoints import ENDPOINTS
from planloom.planes.implementation.entities import ENTITIES

INSTRUCTIONS = f"""\
A registry of implementation plans: graphs of steps with typed actions that people see and edit in a browser and that
agents carry out. It checks, stores and returns plans; it does not carry them out, and no model takes part.

From a plan in Markdown to a planId:
1. get_plan_format: JSON Schema {VERSION}, the rules beyond it with their codes, and examples.
2. Write the plan as JSON. (draft_from_markdown makes a first draft and says what it could not place.)
3. validate_plan. While isValid is false, fix what errors[] names (path is a JSON Pointer) and validate again; consider
   warnings[].
4. create_plan returns planId and revision 1. Tell the user the planId.

Asked to implement a plan: get_plan, then work through steps[] so that each comes after all in its dependsOn. Before and
after each step call set_step_status (doing, then done; blocked with a comment where you cannot continue), and run its
verification before done. To change the plan itself: get_plan, change it, update_plan with its revision; on
REVISION_CONFLICT read it again, apply your change to what you read, and save that.
"""

IMPLEMENTATION = Plane(
    name="implementation",
    title="planloom: implementation plans",
    mcp_path="/mcp/implementation",
    server_name="planloom-implementation",
    instructions=INSTRUCTIONS,
    endpoints=ENDPOINTS,
    error_statuses={
        errors.InvalidPlan: 422,
        errors.UnsupportedSchemaVersion: 422,
        errors.PlanTooLarge: 413,
        errors.RevisionConflict: 409,
        errors.RevisionNotFound: 404,
        errors.StepNotFound: 404,
    },
    check_body=check_body,
    entities=ENTITIES,
)
