"""The plane of programs: questions and orders over everything that an account has."""

from planloom.core.plane import Plane
from planloom.planes.programs import errors
from planloom.planes.programs.endpoints import ENDPOINTS
from planloom.planes.programs.tasks import LONG_TOOLS
from planloom.runs import errors as of_runs
from planloom.tools import errors as of_tools

INSTRUCTIONS = """\
Programs read and change everything that an account has (plans, graphs, runs, workflows, declared entities) in one line.

1. Read the resource plasm://reference, or call plasm_context with what you want: it teaches the language with examples.
2. plasm dry-runs a program: what it reads, calls and changes, and a verdict.
3. plasm_run runs it. A verdict of review needs the plan_commit_ref of the dry run, or force=true.
4. A handle such as s0_o1 is an operation that is running. Poll with plasm_run and the program wait(s0_o1) every 3 to 5
   seconds; cancel(s0_o1) ends it. page(s0_pg1) has the rows that follow. Signs of a line: + started, ~ running,
   = unchanged, ! succeeded, x cancelled, ? failed.
5. Where the Markdown leaves something out, read the resource that it names.
"""

PROGRAMS = Plane(
    name="programs",
    title="planloom: programs",
    mcp_path="/mcp/operations",
    server_name="planloom-operations",
    instructions=INSTRUCTIONS,
    endpoints=ENDPOINTS,
    error_statuses={
        errors.ProgramError: 422,
        errors.InvalidEntity: 422,
        errors.EntityNotFound: 404,
        errors.OperationError: 400,
        errors.ProgramNeedsFix: 422,
        errors.ProgramDenied: 403,
        errors.PlanRequiresReview: 400,
        errors.UnknownPlanCommit: 404,
        errors.PlanCommitExpired: 410,
        errors.PlanCommitMismatch: 409,
        errors.ContinuationRefused: 400,
        errors.InvalidHandle: 400,
        errors.UnknownSession: 404,
        errors.UnknownOperation: 404,
        errors.OperationFailed: 422,
        errors.ResultUnavailable: 410,
        errors.TooManyOperations: 429,
        of_runs.TooManyRuns: 429,
        of_tools.ToolServerNotFound: 404,
    },
    long_tools=LONG_TOOLS,
    # declared entities reach services outside
    open_world=True,
)
