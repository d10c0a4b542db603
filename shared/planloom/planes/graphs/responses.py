"""Responses of the endpoints of graphs, their runs and tool servers, and how they are made."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from planloom.core.endpoint import ApiModel
from planloom.core.problems import Problem
from planloom.planes.graphs.document import Step
from planloom.planes.graphs.ports import GraphView
from planloom.planes.graphs.schedules import Schedule
from planloom.runs.budgets import Budget
from planloom.runs.records import ENDED, LoggedEvent, Progress, Run, RunFailure, RunState, StepRecord, from_json
from planloom.tools.ports import ToolServer
from planloom.tools.tool import Tool

#: Longer values do not pass through the gateway and are left out.
MOST_VALUE_BYTES = 4_000_000
#: Of a model within a response every field is shown: MCP leaves out those that were not set.
Whole = BeforeValidator(lambda value: value.model_dump() if isinstance(value, BaseModel) else value)


class DraftInfo(ApiModel):
    """The run that drafts a graph."""

    run_id: str
    state: RunState = Field(description="completed once the graph is there; run_resume tries again where it failed")
    error: str | None = Field(description="Why it was not drafted")
    poll_after_sec: int | None = Field(description="When to call plan_get; null where nothing changes by itself")

    @classmethod
    def of(cls, run: Run | None) -> "DraftInfo | None":
        """Return what callers see of the run that drafts a graph; None where the graph is there."""
        if run is None:
            return None
        return cls(
            run_id=run.run_id,
            state=run.state,
            error=run.failure.message if run.failure else None,
            poll_after_sec=None if run.state in ENDED else 5,
        )


class GraphInfo(ApiModel):
    """A graph, without its steps."""

    plan_id: str
    title: str
    revision: int = Field(description="The current one; 0 while a model drafts the graph")
    step_count: int
    created_at: datetime
    updated_at: datetime

    @classmethod
    def of(cls, view: GraphView, **more: Any) -> Any:
        """Return what callers see of *view*."""
        return cls(
            plan_id=view.graph_id,
            title=view.title,
            revision=view.revision,
            step_count=view.steps,
            created_at=view.created_at,
            updated_at=view.updated_at,
            **more,
        )


class GraphSaved(GraphInfo):
    """Response of plan_create and plan_update."""

    problems: list[Annotated[Problem, Whole]] = Field(
        description="What to consider; tools and variables may come before a run"
    )
    steps: list[str] = Field(description="One line for each step, the first 100")
    draft: Annotated[DraftInfo | None, Whole] = Field(default=None, description="Where it is not drafted yet")


class GraphDifference(ApiModel):
    """How two revisions differ, by the indices of steps."""

    compared_with: int
    added: list[str]
    removed: list[str]
    changed: dict[str, list[str]] = Field(description="The fields that differ, by step")
    variables: list[str] = Field(description="Variables that were added, removed or changed")


class GraphRead(GraphInfo):
    """Response of plan_get."""

    graph: dict[str, Any] | None = Field(description="Null while it is drafted")
    text: str = Field(description="The steps as a drawing in text")
    mermaid: str = Field(description="The steps as a Mermaid flowchart")
    note: str = Field(default="", description="Why this revision was made")
    difference: Annotated[GraphDifference | None, Whole] = Field(
        default=None, description="From revision compare_with to this one, where that was asked for"
    )
    draft: Annotated[DraftInfo | None, Whole] = Field(default=None, description="Where it is not drafted yet")


class GraphList(ApiModel):
    """Response of plan_list, last saved first."""

    plans: list[GraphInfo]
    next: str | None = Field(description="Pass it as before for the next page; null on the last one")


class Deleted(ApiModel):
    """What was deleted."""

    deleted: str


class GraphFormat(ApiModel):
    """Response of plan_format."""

    json_schema: dict[str, Any] = Field(description="JSON Schema, draft 2020-12")
    example: dict[str, Any]


class Validation(ApiModel):
    """Response of plan_validate."""

    is_valid: bool = Field(description="False while there are errors; warnings do not count")
    problems: list[Annotated[Problem, Whole]]
    batches: list[list[str]] = Field(description="Steps that may run at the same time; none while it is not valid")


class SimulatedStepInfo(ApiModel):
    """A step that was not executed."""

    step: str
    title: str
    tool: str
    args: Any = Field(description="With variables in place of references, results simulated")
    depends_on: list[str]
    unresolved: list[str] = Field(description="References that name nothing")


class DryRun(ApiModel):
    """Response of plan_dry_run: what a run would call, in order; nothing was called."""

    plan_id: str
    revision: int
    dry_run: bool = True
    steps: list[SimulatedStepInfo]
    problems: list[Annotated[Problem, Whole]]


class QuoteInfo(ApiModel):
    """Response of plan_quote: what a run would take; nothing was called."""

    plan_id: str
    revision: int
    steps: int
    calls: int = Field(description="Calls of tools at least; without those of open_ended steps and of retries")
    retries: int = Field(description="Calls that retries may add")
    conditional: list[str] = Field(description="Steps whose condition may skip them")
    open_ended: list[str] = Field(description="Steps that make a call for each item of a list that is not known yet")
    destructive: list[str] = Field(description="Steps that need an approval, or allow_destructive")
    seconds: float | None = Field(description="Time by the last completed runs; null where there are none")
    measured_runs: int
    unmeasured: list[str] = Field(description="Steps without a history; they count with the median of the others")


class TraceInfo(ApiModel):
    """Response of run_trace: the JSON of OTLP, as collectors take it at /v1/traces."""

    model_config = ConfigDict(extra="allow")

    resourceSpans: list[dict[str, Any]]  # noqa: N815 - the name of OTLP


class RunInfo(ApiModel):
    """A run."""

    run_id: str
    plan_id: str
    revision: int
    title: str
    state: RunState
    number: int = Field(description="Raised by each resume")
    step_count: int
    progress: Annotated[Progress, Whole]
    failure: Annotated[RunFailure | None, Whole]
    replanned: bool = Field(description="Whether it continued with a revised graph after a failure")
    created_at: datetime
    ended_at: datetime | None
    deadline: datetime | None
    poll_after_sec: int | None = Field(description="When to look again; null where nothing changes by itself")
    next_steps: list[str] = Field(description="What to call next")

    @classmethod
    def of(cls, run: Run, **more: Any) -> Any:
        """Return what callers see of *run*."""
        return cls(
            run_id=run.run_id,
            plan_id=run.subject,
            revision=run.revision,
            title=run.title,
            state=run.state,
            number=run.number,
            step_count=run.steps,
            progress=run.progress,
            failure=run.failure,
            replanned=run.replanned,
            created_at=run.created_at,
            ended_at=run.ended_at,
            deadline=run.deadline,
            poll_after_sec=None if run.state in ENDED else (30 if run.state is RunState.WAITING else 5),
            next_steps=_next_steps(run),
            **more,
        )


class RunList(ApiModel):
    """Response of run_list, newest first."""

    runs: list[RunInfo]
    next: str | None = Field(description="Pass it as before for the next page; null on the last one")


class StepApproval(ApiModel):
    """Who answered the approval of a destructive step."""

    approval_id: str
    by: str = Field(description="In whose name; empty where nobody answered in time")
    key: str = Field(description="Beginning of the API key that brought the answer; empty for a signed link")
    comment: str


class StepInfo(ApiModel):
    """What a step came to."""

    step: str
    title: str
    tool: str
    state: str = Field(description="pending, running, waiting, completed, failed, skipped or unknown")
    value: Any = Field(default=None, description="Its result; null where value_bytes says that it is larger")
    value_bytes: int = Field(default=0, description="Size of the result as JSON; run_step returns a larger one whole")
    error: str | None = None
    code: str | None = None
    args: Any = None
    calls: int = 0
    seconds: float | None = None
    ended_at: datetime | None = None
    approval: StepApproval | None = Field(default=None, description="Who approved or rejected it, where that was asked")

    @classmethod
    def of(cls, step: Step, record: StepRecord | None, run: Run) -> "StepInfo":
        """Return what callers see of *step*, and of its result where it is not large."""
        if record is None:
            states = {"running": run.progress.running, "waiting": run.progress.waiting}
            state = next((name for name, steps in states.items() if step.index in steps), "pending")
            return cls(step=step.index, title=step.title, tool=step.tool, state=state)
        return cls(step=step.index, title=step.title, tool=step.tool, **_ended(record))


class StepList(ApiModel):
    """Response of run_steps, in the order of the graph."""

    run_id: str
    state: RunState
    steps: list[StepInfo]
    total: int
    next: int | None = Field(description="Pass it as after for the next page; null on the last one")


class RunResult(RunInfo):
    """Response of plan_execute: the run, and what its steps came to where it ended in time."""

    problems: list[Annotated[Problem, Whole]] = Field(
        description="What to consider, such as tools whose schema changed"
    )
    steps: list[StepInfo] = Field(description="The first 50 steps, once the run has ended")


class EventInfo(ApiModel):
    """What happened."""

    cursor: int
    name: str
    at: datetime
    step: str | None
    data: dict[str, Any]


class EventList(ApiModel):
    """Response of run_events, oldest first."""

    run_id: str
    state: RunState
    events: list[EventInfo]
    next: int = Field(description="Pass it as after for what comes next")


class BudgetInfo(ApiModel):
    """A budget of calls that several runs share."""

    name: str
    calls: int = Field(description="Calls that may be made at most")
    taken: int = Field(description="Calls that were made, or were about to be")
    left: int

    @classmethod
    def of(cls, budget: Budget) -> "BudgetInfo":
        """Return what callers see of *budget*."""
        return cls(name=budget.name, calls=budget.calls, taken=budget.taken, left=max(0, budget.calls - budget.taken))


class BudgetList(ApiModel):
    """Response of budget_list, by name."""

    budgets: list[BudgetInfo]


class MissedRun(ApiModel):
    """A run that did not start when it was due."""

    due: datetime
    reason: str


class ScheduleInfo(ApiModel):
    """A schedule of a graph."""

    name: str
    plan_id: str
    when: str
    timezone: str
    next_due: datetime | None = Field(description="Null where it is not due again")
    last_due: datetime | None
    last_run: str | None = Field(description="Id of the run that it started last")
    missed: list[Annotated[MissedRun, Whole]] = Field(description="Runs that did not start, the last 20")

    @classmethod
    def of(cls, schedule: Schedule, now: datetime) -> "ScheduleInfo":
        """Return what callers see of *schedule*."""
        return cls(
            name=schedule.name,
            plan_id=schedule.graph_id,
            when=schedule.when,
            timezone=schedule.timezone,
            next_due=schedule.times.after(now),
            last_due=schedule.last_due,
            last_run=schedule.last_run,
            missed=[MissedRun(due=each.due, reason=each.reason) for each in schedule.missed],
        )


class ScheduleList(ApiModel):
    """Response of schedule_list, by name."""

    schedules: list[ScheduleInfo]


class ServerInfo(ApiModel):
    """A tool server. Values of its headers are not shown."""

    name: str
    url: str
    trusted: bool
    headers: list[str] = Field(description="Names of its headers")
    tool_count: int
    catalog: str = Field(description="Hash of its tools when they were listed last")
    listed_at: datetime | None
    tools: list[Annotated[Tool, Whole]] | None = Field(default=None, description="Its tools, where they were asked for")
    error: str | None = Field(default=None, description="Why its tools could not be listed")

    @classmethod
    def of(cls, server: ToolServer, tools: list[Tool] | None = None, error: str = "") -> "ServerInfo":
        """Return what callers see of *server*."""
        return cls(
            name=server.name,
            url=server.url,
            trusted=server.trusted,
            headers=list(server.headers),
            tool_count=server.tools,
            catalog=server.catalog,
            listed_at=server.listed_at,
            tools=tools,
            error=error or None,
        )


class ServerList(ApiModel):
    """Response of tool_server_list."""

    servers: list[ServerInfo]


def events(run: Run, after: int, found: list[LoggedEvent]) -> EventList:
    """Return a page of events."""
    shown = [EventInfo(cursor=e.cursor, name=e.name, at=e.at, step=e.step, data=e.data) for e in found]
    return EventList(run_id=run.run_id, state=run.state, events=shown, next=found[-1].cursor if found else after)


def _ended(record: StepRecord) -> dict[str, Any]:
    return {
        "state": record.state,
        "value": None if record.value is None else from_json(record.value),
        "value_bytes": record.value_bytes,
        "error": record.error or None,
        "code": record.code or None,
        "args": record.detail.get("args"),
        "approval": record.detail.get("approval"),
        "calls": record.calls,
        "seconds": round((record.ended_at - record.started_at).total_seconds(), 3),
        "ended_at": record.ended_at,
    }


def _next_steps(run: Run) -> list[str]:
    match run.state:
        case RunState.RUNNING:
            return ["run_wait waits for the end, at most 15 seconds a call; run_events says what happens meanwhile."]
        case RunState.WAITING:
            waiting = ", ".join(run.progress.waiting[:8])
            return [f"Ask the user whether to approve step {waiting}, then call run_approve."]
        case RunState.BLOCKED:
            return ["Find out whether the calls were made, then call run_resume with on_unknown."]
        case RunState.FAILED | RunState.STOPPED:
            return ["run_steps says what each step came to; run_resume continues the run."]
        case _:
            return ["run_steps has the results."]
