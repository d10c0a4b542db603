"""The tools of programs. Over HTTP programs have paths of their own: planloom.api.execute_http."""

from typing import TYPE_CHECKING, Literal

from pydantic import Field

from planloom.core.endpoint import ApiModel, Caller, Effect, Endpoint
from planloom.planes.programs import errors
from planloom.planes.programs.entity_endpoints import ENDPOINTS as ENTITY_ENDPOINTS
from planloom.planes.programs.parse import LONGEST
from planloom.planes.programs.ports import ProgramCaller
from planloom.planes.programs.responses import (
    ContextResponse,
    PlanResponse,
    RunResponse,
    context_response,
    plan_response,
    run_response,
)
from planloom.planes.programs.service import RunRequest
from planloom.runs.errors import TooManyRuns

if TYPE_CHECKING:
    from planloom.planes.programs.service import Programs

GROUP = "programs"
RUN_ERRORS = (
    errors.ProgramError,
    errors.ProgramNeedsFix,
    errors.ProgramDenied,
    errors.PlanRequiresReview,
    errors.UnknownPlanCommit,
    errors.PlanCommitExpired,
    errors.PlanCommitMismatch,
    errors.InvalidHandle,
    errors.UnknownSession,
    errors.UnknownOperation,
    errors.OperationFailed,
    errors.ResultUnavailable,
    errors.TooManyOperations,
    TooManyRuns,
)


class OpenContext(ApiModel):
    """What a session is opened for."""

    ask: str = Field(default="", max_length=2_000, description="What you want to know or do: the card shows that first")


class DryRunProgram(ApiModel):
    """A program to dry-run."""

    program: str = Field(max_length=LONGEST, description="The program")
    session: str = Field(default="", max_length=64, description="Session of plasm_context; by default s0")


class RunProgram(DryRunProgram):
    """A program to run."""

    mode: Literal["run", "plan"] = Field(default="run", description="plan: dry run only, as plasm does")
    wait: bool | None = Field(
        default=None, description="false: start it and return its handle; true: wait, also for an expensive program"
    )
    force: bool = Field(default=False, description="Run a plan that needs a review without one")
    plan_commit_ref: str = Field(default="", max_length=32, description="pcN of a dry run of this program")


def _context(request: OpenContext, account: str, programs: "Programs") -> ContextResponse:
    return context_response(*programs.sessions.open(account, request.ask))


def _plan(request: DryRunProgram, account: str, programs: "Programs") -> PlanResponse:
    return plan_response(programs.dry_run(programs.sessions.get(account, request.session), request.program))


def _run(request: RunProgram, caller: Caller, programs: "Programs") -> "RunResponse | PlanResponse":
    session = programs.sessions.get(caller.account, request.session)
    if request.mode == "plan":
        return plan_response(programs.dry_run(session, request.program))
    asked = RunRequest(request.program, request.wait, request.force, request.plan_commit_ref)
    return run_response(programs.run(program_caller(caller), session, asked))


def program_caller(caller: Caller) -> ProgramCaller:
    """Return the caller on whose behalf a program calls operations."""
    return ProgramCaller(account=caller.account, key=caller.key, base_url=caller.base_url)


ENDPOINTS = (
    Endpoint(
        name="plasm_context",
        title="Open a session",
        description="""\
Opens a session for programs and returns its reference card: the language, with the entities that you can use. Say in
ask what you want; the card shows that first. Optional: without a session, calls use the account's session s0.""",
        group=GROUP,
        request=OpenContext,
        response=ContextResponse,
        effect=Effect.CHANGES,
        handler=_context,
    ),
    Endpoint(
        name="plasm",
        title="Dry-run a program",
        description="""\
Returns what a program would read, call and change, and a verdict: ok, review, deny or needs_fix. Nothing is read or
called. For review, look at the plan, then pass its plan_commit_ref to plasm_run.""",
        group=GROUP,
        request=DryRunProgram,
        response=PlanResponse,
        errors=(errors.ProgramError, errors.ContinuationRefused, errors.UnknownSession),
        handler=_plan,
    ),
    Endpoint(
        name="plasm_run",
        title="Run a program",
        description="""\
Runs a program and returns its rows as Markdown. What takes long returns a handle at once: poll with the program
wait(s0_o1) every 3 to 5 seconds, end it with cancel(s0_o1), read further rows with page(s0_pg1). A plan whose verdict
is review needs plan_commit_ref or force.
Example: Plan.filter{state = completed}[id, title].sort(-created_at).limit(10)""",
        group=GROUP,
        request=RunProgram,
        response=RunResponse,
        errors=(*RUN_ERRORS, errors.ContinuationRefused),
        effect=Effect.DESTROYS,
        handler=_run,
    ),
    *ENTITY_ENDPOINTS,
)
