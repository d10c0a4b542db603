"""The plane of workflows: agents and people carry out one plan."""

from planloom.approvals import errors as of_approvals
from planloom.core.plane import Plane
from planloom.planes.workflows import errors
from planloom.planes.workflows.endpoints import ENDPOINTS
from planloom.planes.workflows.entities import ENTITIES
from planloom.planes.workflows.prompts import PROMPTS
from planloom.planes.workflows.tasks import LONG_TOOLS

INSTRUCTIONS = """\
Contract-driven workflows: several agents and people carry out one plan over days. Each node has a contract; the
executor alone decides what is ready, accepted and done.

To run a plan:
1. getPlanDraftFormat has the schema and an example. Write a PlanDraft, or let draftFromPlan or
   draftFromImplementationPlan make one of a plan; validateExecutionPlan finds its mistakes.
2. createExecutionPlan compiles it and starts a run. getActiveExecutionPlan shows where it is, waitForExecution waits.
3. replaceExecutionPlan where the plan must change; a run that is blocked with replan_required needs it.

To work on it: listExecutionNodes with your role, claimExecutionNode, then submitExecutionNodeResult. Where accepted is
false, correct what failedChecks name and submit again. Renew a claim with its claimToken before it ends.

People approve: show them listApprovals, ask, then respondToApproval. Never approve without asking them.
"""

WORKFLOWS = Plane(
    name="workflows",
    title="planloom: workflows",
    mcp_path="/mcp/workflows",
    server_name="planloom-workflows",
    instructions=INSTRUCTIONS,
    endpoints=ENDPOINTS,
    prompts=PROMPTS,
    error_statuses={
        errors.InvalidDraft: 422,
        errors.ExecutionNotFound: 404,
        errors.ActiveRunExists: 409,
        errors.TooManyWorkstreams: 429,
        errors.ExecutionEnded: 409,
        errors.ExecutionBusy: 503,
        errors.ReplanRequired: 409,
        errors.NodeNotFound: 404,
        errors.NodeNotOpen: 409,
        errors.NodeClaimed: 409,
        errors.InvalidSubmission: 422,
        of_approvals.ApprovalNotFound: 404,
        of_approvals.NotAnApprover: 403,
        of_approvals.SeparationOfDuties: 403,
        of_approvals.AnotherVersion: 409,
        of_approvals.ApprovalBusy: 503,
    },
    # plugins call tools of other servers
    open_world=True,
    entities=ENTITIES,
    long_tools=LONG_TOOLS,
)
