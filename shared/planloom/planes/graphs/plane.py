"""The plane of graphs: plans of tool calls that run."""

from planloom.core.errors import ModelProfilesUnavailable
from planloom.core.plane import Plane
from planloom.planes.graphs import errors
from planloom.planes.graphs.endpoints import ENDPOINTS
from planloom.planes.graphs.entities import ENTITIES
from planloom.planes.graphs.tasks import LONG_TOOLS
from planloom.runs import errors as of_runs
from planloom.tools import errors as of_tools

INSTRUCTIONS = """\
Graphs of MCP tool calls that run in the background: in parallel, watched, resumable, with no call made twice that must
not be. For a single call, call the tool itself.

From a task to its result:
1. tool_server_list names the servers whose tools graphs may call, tool_server_get a server's tools; tool_server_add
   adds one.
2. plan_create with a goal lets a model draft the graph. Or write it: plan_format has the schema and an example; each
   step names a tool, its arguments and the steps that it needs; ${variable} passes the result of an earlier step on,
   with its type. plan_validate: while is_valid is false, fix what problems names and validate again; then plan_create.
3. plan_create returns a plan_id; plan_dry_run shows what a run would call. plan_execute runs it and returns a run_id;
   run_wait waits for its end, run_steps has the results.

A run that is waiting needs an approval: ask the user, then run_approve. A run that is blocked made calls of which it is
unknown whether they arrived: find out, then run_resume with on_unknown. run_resume also continues a failed or stopped
run; what completed is not run again.
"""

GRAPHS = Plane(
    name="graphs",
    title="planloom: graphs of tool calls",
    mcp_path="/mcp/graphs",
    server_name="planloom-graphs",
    instructions=INSTRUCTIONS,
    endpoints=ENDPOINTS,
    error_statuses={
        errors.GraphNotFound: 404,
        errors.InvalidGraph: 422,
        errors.GraphConflict: 409,
        errors.GraphNotReady: 409,
        ModelProfilesUnavailable: 503,
        errors.StepNotRecorded: 404,
        errors.ScheduleNotFound: 404,
        of_runs.RunNotFound: 404,
        of_runs.RunActive: 409,
        of_runs.RunNotResumable: 409,
        of_runs.OutcomeUnknown: 409,
        of_runs.StepNotWaiting: 409,
        of_runs.BudgetNotFound: 404,
        of_runs.TooManyRuns: 429,
        of_tools.ToolServerNotFound: 404,
        of_tools.InvalidToolServer: 422,
        of_tools.ToolServerUnreachable: 503,
    },
    # tools of other servers are called
    open_world=True,
    entities=ENTITIES,
    long_tools=LONG_TOOLS,
)
