"""Requests of the endpoints of graphs, their runs and tool servers."""

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from planloom.core.endpoint import ApiModel
from planloom.planes.graphs.options import RunOptions

PlanId = Annotated[str, Field(max_length=100, description="Id of the graph: what plan_create returned")]
RunId = Annotated[str, Field(max_length=100, description="Id of the run: what plan_execute returned")]
StepId = Annotated[str, Field(max_length=64, description="Index of the step in its graph")]
ServerName = Annotated[str, Field(max_length=64, description="Name of the tool server")]
Document = Annotated[
    dict[str, Any],
    Field(
        description="The graph: title, variables, and steps with index, title, tool, args, depends_on and "
        "result_variable. plan_format has its JSON Schema"
    ),
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
    """A graph to store."""

    graph: Document
    goal: str = Field(default="", max_length=500, description="What it is for; its title where it has none")
    client_request_id: RequestKey


class GraphRequest(ApiModel):
    """Which graph."""

    plan_id: PlanId


class ReadGraph(GraphRequest):
    """Which graph, and which revision of it."""

    revision: int | None = Field(default=None, ge=1, description="Revision; the current one by default")


class ReviseGraph(GraphRequest):
    """The whole changed graph."""

    graph: Document
    revision: int = Field(ge=1, description="The revision that you read and changed")
    note: str = Field(default="", max_length=500, description="Why you changed it")


class Page(ApiModel):
    """Which page."""

    limit: int = Field(default=20, ge=1, le=100, description="How many to return")
    before: Before


class SimulateRun(ReadGraph):
    """Which graph, and with which variables."""

    variables: Variables


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
    """A graph to store and run."""

    graph: Document
    goal: str = Field(default="", max_length=500, description="What it is for; its title where it has none")


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
    """Which step waits, and whether it may go on."""

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


class AddServer(ApiModel):
    """A tool server to add, or to replace."""

    name: ServerName
    url: str = Field(max_length=2000, description="URL of its MCP endpoint (streamable HTTP); public, https")
    headers: dict[str, str] = Field(
        default_factory=dict, description="Headers of each request, such as keys; kept as a secret, never shown again"
    )
    trusted: bool = Field(
        default=False, description="Whether to believe its tools' hints: read-only, idempotent, destructive"
    )


class ServerRequest(ApiModel):
    """Which tool server."""

    name: ServerName
