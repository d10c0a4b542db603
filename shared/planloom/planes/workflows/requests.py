"""Requests of the endpoints of workflows."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, GetJsonSchemaHandler
from pydantic_core import CoreSchema

from planloom.approvals.approval import LONGEST_COMMENT
from planloom.core.endpoint import CamelModel
from planloom.core.times import ZonedTime
from planloom.planes.workflows.draft import Edge, Node
from planloom.planes.workflows.ports import PartKind, RecordKind
from planloom.planes.workflows.states import NodeStatus, Result, RunStatus

#: Bytes of one artifact: a submission hashes it while its caller waits.
LARGEST_UPLOAD = 50_000_000


class Described:
    """Takes any value, and shows the JSON Schema of a model: ``compile_draft`` says what is wrong, with codes."""

    def __init__(self, make: Callable[[], dict[str, Any]]) -> None:
        self._make = make

    def __get_pydantic_json_schema__(self, _: CoreSchema, __: GetJsonSchemaHandler) -> dict[str, Any]:
        """Return the schema that is shown."""
        return self._make()


def inlined(model: type[BaseModel]) -> dict[str, Any]:
    """Return the JSON Schema of *model* without references, so that it can be part of another."""
    schema = model.model_json_schema()
    parts = schema.pop("$defs", {})

    def resolved(value: Any, within: tuple[str, ...]) -> Any:
        if isinstance(value, list):
            return [resolved(each, within) for each in value]
        if not isinstance(value, Mapping):
            return value
        name = str(value.get("$ref", "")).rpartition("/")[2]
        if name:
            # a draft within a node is a draft again
            return (
                {"type": "object"} if name in (*within, "WorkflowPlanDraft") else resolved(parts[name], (*within, name))
            )
        # titles only repeat the names
        shown = {key: each for key, each in value.items() if key != "title" or isinstance(each, Mapping)}
        return {key: resolved(each, within) for key, each in shown.items()}

    found: dict[str, Any] = resolved(schema, ())
    return found


def _list_of(model: type[BaseModel]) -> Described:
    return Described(lambda: {"type": "array", "items": inlined(model)})


RunId = Annotated[str, Field(max_length=100, description="Id of the run: what createExecutionPlan returned")]
NodeId = Annotated[str, Field(max_length=100, description="Id of the node in its plan")]
WorkstreamId = Annotated[
    str | None,
    Field(
        max_length=100,
        pattern=r"^[A-Za-z0-9_][A-Za-z0-9_-]*$",
        description="Line of work; without it the account's default",
    ),
]
OfWorkstream = Annotated[
    str | None, Field(max_length=100, description="Line of work that the run must be of; another is refused")
]
RequestKey = Annotated[
    str | None, Field(max_length=200, description="Your id of this request: a repeat returns the first response")
]
Seconds = Annotated[float, Field(ge=0, le=20, description="How long to wait, at most 20 seconds")]
Who = Annotated[str, Field(max_length=200, description="Name of the caller, for the records: an agent or a person")]


class DraftFields(CamelModel):
    """A plan draft."""

    title: Annotated[Any, Described(lambda: {"type": "string"})] = Field(default=None, description="Its title")
    objective: Annotated[Any, Described(lambda: {"type": "string"})] = Field(default=None)
    schemas: Annotated[Any, Described(lambda: {"type": "object"})] = Field(
        default=None,
        description="Schemas by name, with type, properties, items; required: true is written in each property",
    )
    nodes: Annotated[Any, _list_of(Node)] = Field(default=None, description="Nodes with their contracts")
    edges: Annotated[Any, _list_of(Edge)] = Field(default=None, description="From node to node")
    entry_node_ids: Annotated[Any, Described(lambda: {"type": "array", "items": {"type": "string"}})] = Field(
        default=None, description="Nodes where the run starts"
    )
    input: Annotated[Any, Described(lambda: {"type": "object"})] = Field(
        default=None, description="Input of the entry nodes"
    )

    def draft(self) -> dict[str, Any]:
        """Return the draft as it was written."""
        fields = DraftFields.model_fields
        written = {str(field.alias): getattr(self, name) for name, field in fields.items()}
        return {name: value for name, value in written.items() if value is not None}


class ValidateExecutionPlan(DraftFields):
    """A draft to check."""


class CreateExecutionPlan(DraftFields):
    """A draft to compile and run."""

    workstream_id: WorkstreamId = None
    client_request_id: RequestKey = None


class ReplaceExecutionPlan(DraftFields):
    """The run to replace, why, and the next draft."""

    run_id: RunId
    workstream_id: OfWorkstream = None
    reason: str = Field(default="", max_length=2_000, description="Why the plan changes")
    carry_over: bool = Field(default=False, description="Keep the finished work of equal nodes with equal input")
    client_request_id: RequestKey = None


class RunRequest(CamelModel):
    """Which run."""

    run_id: RunId


class SubmitResult(RunRequest):
    """The result of a node."""

    node_id: NodeId
    workstream_id: OfWorkstream = None
    result: Result
    claim_token: str | None = Field(default=None, max_length=100, description="What claimExecutionNode returned")
    executor: Who = ""
    client_request_id: RequestKey = None


class Includes(CamelModel):
    """Which lists to include."""

    include_events: bool = False
    include_artifacts: bool = False
    include_approvals: bool = False
    include_checkpoints: bool = False
    include_validation_issues: bool = False


class ReadActive(Includes):
    """Which workstream, and what to include."""

    workstream_id: WorkstreamId = None


class ReadRun(Includes):
    """Which run, and what to include."""

    run_id: RunId


class ResumeExecution(RunRequest):
    """Which run to resume."""

    workstream_id: OfWorkstream = None
    resumed_by: Who = ""
    client_request_id: RequestKey = None


class StopRun(RunRequest):
    """Which run to stop, and why."""

    reason: str = Field(default="", max_length=2_000, description="Why it is stopped")


class ClaimNode(CamelModel):
    """Which node, or for which role; with claimToken the claim is renewed."""

    run_id: Annotated[str | None, Field(max_length=100, description="Run; needed with nodeId")] = None
    node_id: Annotated[str | None, Field(max_length=100, description="Node; without it the first that is ready")] = None
    role: str | None = Field(default=None, max_length=200, description="Role whose ready work is wanted: owner.ref")
    workstream_id: WorkstreamId = None
    executor: str = Field(min_length=1, max_length=200, description="Your name, different from others of your role")
    lease_seconds: int = Field(
        default=300, ge=10, le=3_600, description="The claim ends so long after the last heartbeat"
    )
    claim_token: str | None = Field(default=None, max_length=100, description="Renews this claim: a heartbeat")


class ListNodes(CamelModel):
    """Whose nodes, in which runs."""

    owner: str | None = Field(default=None, max_length=200, description="Role or person: owner.ref")
    workstream_id: WorkstreamId = None
    run_id: Annotated[str | None, Field(max_length=100)] = None
    status: NodeStatus | None = Field(default=None, description="By default ready, running and awaiting-human")
    every: bool = Field(default=False, description="Without status: nodes in any status, also of a run that has ended")
    limit: int = Field(default=50, ge=1, le=500)
    offset: int = Field(default=0, ge=0, le=1_000_000, description="So many nodes are left out at the beginning")


class RespondToNodeApproval(CamelModel):
    """A response to an approval."""

    approval_id: str = Field(max_length=400, description="Id of the approval")
    decision: Literal["approve", "request_changes", "reject"]
    comment: str = Field(
        default="", max_length=LONGEST_COMMENT, description="Why; with request_changes, what to change"
    )
    approver: str | None = Field(
        default=None, max_length=200, description="Who responds; needed where there are several approvers"
    )
    sha256: str | None = Field(
        default=None, pattern="^[0-9a-f]{64}$", description="The version that you saw; another one is refused"
    )


class ListApprovals(CamelModel):
    """Which approvals."""

    pending: bool = Field(default=True, description="Those that wait; false: those that have ended")
    approver: str | None = Field(default=None, max_length=200, description="Those that this person may respond to")
    limit: int = Field(default=20, ge=1, le=100)
    before: str | None = Field(default=None, max_length=500, description="next of the page before")


class ListRuns(CamelModel):
    """Which runs."""

    limit: int = Field(default=20, ge=1, le=100)
    before: str | None = Field(default=None, max_length=300, description="next of the page before")
    status: RunStatus | None = Field(default=None, description="Runs of this status")
    since: ZonedTime | None = Field(default=None, description="Runs created at this time or later")


class ReadEvents(RunRequest):
    """Which events."""

    after: int = Field(default=0, ge=0, description="Cursor of the last event that you have")
    limit: int = Field(default=100, ge=1, le=1_000)
    timeout_sec: Seconds = 0


class ReadRecords(RunRequest):
    """Which records."""

    kind: RecordKind | PartKind = Field(description="Kind of the records")
    after: int = Field(default=0, ge=0, description="next of the page before")
    limit: int = Field(default=50, ge=1, le=500)


class WaitForRun(RunRequest):
    """Which run, and how long to wait."""

    timeout_sec: Seconds = 15
    version: int | None = Field(default=None, ge=0, description="Return when the run has a later version than this")


class OneWorkstream(CamelModel):
    """Which line of work."""

    workstream_id: str = Field(max_length=100, description="Line of work: listWorkstreams names them")


class NewUpload(RunRequest):
    """Content of an artifact that will be sent."""

    size: int = Field(ge=1, le=LARGEST_UPLOAD, description="Bytes of the content; at most 50 MB")
    content_type: str = Field(default="application/octet-stream", max_length=100, pattern=r"^[\w.+-]+/[\w.+-]+$")


class ReadArtifact(RunRequest):
    """Which artifact."""

    pointer: str = Field(max_length=2_000, description="Pointer of an artifact whose content is kept here")


class ReadContext(CamelModel):
    """Which run, and how long the text may be."""

    run_id: Annotated[str | None, Field(max_length=100, description="Run; by default the active one")] = None
    workstream_id: WorkstreamId = None
    max_tokens: int = Field(default=4_000, ge=500, le=100_000, description="Bound of the text, counted as 4 characters")
    role: str | None = Field(default=None, max_length=200, description="Nodes of this owner come first")
