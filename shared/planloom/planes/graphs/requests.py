"""Requests of the endpoints of graphs, their runs and tool servers."""

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from planloom.core.endpoint import ApiModel
from planloom.core.times import ZonedTime
from planloom.planes.graphs.options import RunOptions
from planloom.runs.records import RunState

PlanId = Annotated[str, Field(max_length=100, description="Id of the graph: what plan_create returned")]
RunId = Annotated[str, Field(max_length=100, description="Id of the run: what plan_execute returned")]
StepId = Annotated[str, Field(max_length=64, description="Index of the step in its graph")]
ServerName = Annotated[str, Field(max_length=64, description="Name of the tool server")]
BudgetName = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$", description="Name of the budget")]
ScheduleName = Annotated[str, Field(max_length=40, description="Name of the schedule")]
Document = Annotated[
    dict[str, Any],
    Field(
        description="The graph: title, variables, and steps with index, title, tool, args, depends_on and "
        "result_variable. plan_format has its JSON Schema"
    ),
]
Goal = Annotated[
    str,
    Field(default="", max_length=20_000, description="What is to be achieved: a model drafts a graph of tools for it"),
]
OptionalDocument = Annotated[
    dict[str, Any] | None,
    Field(default=None, description="A graph that you have written instead; plan_format has its JSON Schema"),
]
Servers = Annotated[
    list[ServerName],
    Field(default_factory=list, max_length=20, description="Tool servers to draft with; all by default. With a goal"),
]
Before = Annotated[str | None, Field(default=None, max_length=200, description="next of the page before")]
Variables = Annotated[
    dict[str, Any], Field(default_factory=dict, description="Values of variables; they override the graph's own")
]
RequestKey = Annotated[
    str | None,
    Field(default=None, max_length=200, description="Your id of this request: a repeat returns the first response"),
]
Seconds = Annotated[float, Field(ge=0, le=15, description="How long to wait, at most 15 seconds")]


class ValidateGraph(ApiModel):
    """A graph to check."""

    graph: Document
    variables: list[str] = Field(default_factory=list, description="Names of variables that the run will be given")


class CreateGraph(ApiModel):
    """A goal for which a model drafts a graph, or a graph to store: exactly one of both."""

    goal: Goal
    graph: OptionalDocument
    servers: Servers
    variables: Variables
    client_request_id: RequestKey


class GraphRequest(ApiModel):
    """Which graph."""

    plan_id: PlanId


class ReadGraph(GraphRequest):
    """Which graph, and which revision of it."""

    revision: int | None = Field(default=None, ge=1, description="Revision; the current one by default")


class CompareGraph(ReadGraph):
    """Which graph, which revision of it, and with which one to compare it."""

    compare_with: int | None = Field(default=None, ge=1, description="Revision to compare with: adds difference")


class ReviseGraph(GraphRequest):
    """The whole changed graph."""

    graph: Document
    revision: int = Field(ge=1, description="The revision that you read and changed")
    note: str = Field(default="", max_length=500, description="Why you changed it")


class Page(ApiModel):
    """Which page."""

    limit: int = Field(default=20, ge=1, le=100, description="How many to return")
    before: Before


class ListRuns(Page):
    """Which runs."""

    state: RunState | None = Field(default=None, description="Runs in this state")
    plan_id: str | None = Field(default=None, max_length=200, description="Runs of this graph")
    since: ZonedTime | None = Field(default=None, description="Runs created at this time or later")


class SimulateRun(ReadGraph):
    """Which graph, and with which variables."""

    variables: Variables


class QuoteRun(SimulateRun):
    """Which graph, and how it would be run."""

    max_concurrency: int = Field(default=4, ge=1, le=64, description="Steps that would run at once")


class HowToRun(RunOptions):
    """How to run a graph."""

    model_config = ConfigDict(extra="ignore", frozen=False, defer_build=False)

    variables: Variables
    deadline_sec: float | None = Field(
        default=None, gt=0, le=2_592_000, description="Seconds after which the run is ended as failed"
    )
    wait_sec: Seconds = 10
    client_request_id: RequestKey


class ExecuteGraph(ApiModel, HowToRun):
    """Which graph to run, and how."""

    plan_id: PlanId
    revision: int | None = Field(default=None, ge=1, description="Revision; the current one by default")


class CreateAndExecute(ApiModel, HowToRun):
    """A goal for which a model drafts a graph, or a graph, exactly one of both; and how to run it."""

    goal: Goal
    graph: OptionalDocument
    servers: Servers


class RunRequest(ApiModel):
    """Which run."""

    run_id: RunId


class WaitForRun(RunRequest):
    """Which run, and how long to wait for it."""

    timeout_sec: Seconds = 15


class ResumeRun(RunRequest):
    """Which run, and what to do about calls of which nobody knows whether they were made."""

    on_unknown: Literal["retry", "skip", "value"] | None = Field(
        default=None,
        description="retry makes the call again, skip skips the step, value takes value as its result; "
        "needed where the run is blocked",
    )
    value: Any = Field(default=None, description="Result of the steps whose outcome is unknown, with on_unknown=value")
    deadline_sec: float | None = Field(default=None, gt=0, le=2_592_000, description="Seconds from now")
    client_request_id: RequestKey


class AnswerStep(RunRequest):
    """Which step waits, and whether it is approved."""

    step: StepId
    approved: bool = Field(description="False fails the step and with it the run")


class ReadEvents(RunRequest):
    """Which events."""

    after: int = Field(default=0, ge=0, description="Cursor of the last event that you have")
    limit: int = Field(default=100, ge=1, le=1000, description="How many to return")
    timeout_sec: Seconds = 0


class ReadSteps(RunRequest):
    """Which steps."""

    after: int = Field(default=0, ge=0, description="How many steps to leave out, in the order of the graph")
    limit: int = Field(default=50, ge=1, le=100, description="How many to return")


class ReadStep(RunRequest):
    """Which step."""

    step: StepId
    item: int | None = Field(default=None, ge=0, description="Number of an item of for_each, counted from 0")


class BudgetRequest(ApiModel):
    """Which budget."""

    name: BudgetName


class SetBudget(BudgetRequest):
    """A budget of calls."""

    calls: int = Field(ge=0, le=1_000_000_000, description="Calls of tools that may be made at most")


class ScheduleRequest(ApiModel):
    """Which schedule."""

    name: ScheduleName


class SetSchedule(ScheduleRequest):
    """When a graph runs, and how."""

    plan_id: PlanId
    when: str = Field(
        max_length=200,
        description="cron(minute hour day-of-month month day-of-week year), ? for one of the days, or "
        "at(2027-01-31T08:00:00) for once",
    )
    timezone: str = Field(default="UTC", max_length=60, description="IANA name: Europe/Lisbon")
    variables: Variables
    options: RunOptions = Field(default=RunOptions(), description="How to run it, as for plan_execute")


class AddServer(ApiModel):
    """A tool server to add, or to replace."""

    name: ServerName
    url: str = Field(
        max_length=2000,
        description="URL of its MCP endpoint (streamable HTTP), or of an HTTP API for programs; public, https",
    )
    headers: dict[str, str] = Field(
        default_factory=dict, description="Headers of each request, such as keys; kept as a secret, never shown again"
    )
    trusted: bool = Field(
        default=False, description="Whether to believe its tools' hints: read-only, idempotent, destructive"
    )


class ServerRequest(ApiModel):
    """Which tool server."""

    name: ServerName
