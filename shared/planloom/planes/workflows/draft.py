"""The plan draft: nodes with contracts, edges, schemas. What an agent writes and ``compile_draft`` checks."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, ConfigDict, Field, StringConstraints
from pydantic.alias_generators import to_camel

from planloom.core.frozen import Frozen

#: Bounds of a draft; compile.py says what is wrong where one is passed.
MOST_NODES, MOST_EDGES, MOST_SCHEMAS, MOST_BYTES = 2_000, 8_000, 200, 2_000_000
#: Milliseconds that a deadline or a wait may be away at most: one year.
LONGEST_MS = 366 * 86_400_000

Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_][A-Za-z0-9_.-]*$", max_length=100)]
Line = Annotated[str, StringConstraints(max_length=500)]
Body = Annotated[str, StringConstraints(max_length=20_000)]
Ref = Annotated[str, StringConstraints(min_length=1, max_length=200)]
Expression = Annotated[str, StringConstraints(min_length=1, max_length=2_000)]
Milliseconds = Annotated[int, Field(ge=1, le=LONGEST_MS)]
#: Paths into a result by the field of the next node's input that each fills.
FieldMap = dict[Annotated[str, StringConstraints(min_length=1, max_length=300)], Expression]

NodeType = Literal["action", "human-approval", "human-input", "decision", "join", "wait", "subworkflow"]
ExecutorType = Literal["agent", "plugin", "user", "system"]
CheckType = Literal["schema", "artifact", "deliverable", "expression", "human", "model-judge"]
#: Why a node did not complete. ``executor_failed``: its executor submitted the status ``failed``.
Cause = Literal[
    "schema_validation_failed",
    "check_failed",
    "artifact_missing",
    "human_rejected",
    "changes_requested",
    "approval_expired",
    "timeout",
    "executor_lost",
    "tool_failed",
    "executor_failed",
]
Action = Literal["retry", "replan", "skip", "block", "fail", "escalate"]


def _with_zone(at: datetime) -> datetime:
    if at.tzinfo is None:
        raise ValueError("write the time with its zone: 2027-01-31T09:00:00Z")
    return at


class Part(Frozen):
    """A part of a draft: immutable, written in camelCase."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, serialize_by_alias=True)


class Owner(Part):
    """Who executes a node: ``ref`` is the role of an agent, the name of a person, or for a plugin its tool."""

    executor_type: ExecutorType
    ref: Ref = Field(description="Role or person; of a plugin server/tool, or graph/ID of a stored graph")


class Deliverable(Part):
    """An artifact that the node must produce."""

    name: Ref
    kind: Ref = Field(description="Kind of content: markdown, pdf, dataset")
    required: bool = True
    description: Body = ""


class CompletionCheck(Part):
    """A check of a submission. A check that is not ``blocking`` is advisory."""

    type: CheckType
    description: Body = ""
    config: dict[str, Any] = Field(
        default_factory=dict,
        description="schema: schemaRef; artifact: name, kind, minCount, minBytes, verified; deliverable: name; "
        "expression: expression; human: approvers, rule; model-judge: criterion",
    )
    blocking: bool = True


class RetryPolicy(Part):
    """When an executor gets a further attempt; ``max_attempts`` counts retries after the first attempt."""

    max_attempts: int = Field(default=0, ge=0, le=100, description="Retries after the first attempt")
    retry_on: tuple[Cause, ...] = Field(default=(), description="Causes after which the node is tried again")


class FailureRule(Part):
    """What happens after a cause when no retry is left."""

    on: Cause
    action: Action
    note: Body = ""
    to: tuple[Ref, ...] = Field(default=(), max_length=50, description="escalate: people who decide")


class ToolPolicy(Part):
    """Tools that the executor may call: enforced for plugins, shown to agents. An empty allow list allows all."""

    allow: tuple[Ref, ...] = Field(default=(), max_length=500)
    deny: tuple[Ref, ...] = Field(default=(), max_length=500)


class ContextPolicy(Part):
    """What the executor may read; shown to agents, not enforced."""

    retrieval_scopes: tuple[Ref, ...] = Field(default=(), max_length=50)
    attachment_policy: Ref = "referenced-only"
    web_policy: Ref = "allowed"


class ApprovalRule(Part):
    """Who approves, how many of them, by when. ``timeoutMs`` of the node is the expiry."""

    approvers: tuple[Ref, ...] = Field(default=(), max_length=50, description="By default the owner")
    rule: Literal["any", "all", "quorum"] = "any"
    count: int = Field(default=1, ge=1, le=50, description="Approvals needed, with quorum")
    separate_duties: bool = Field(default=False, description="Who made what is approved must not approve it")
    escalate_after_ms: Milliseconds | None = None
    escalate_to: tuple[Ref, ...] = Field(default=(), max_length=50)


class JoinRule(Part):
    """How many incoming edges must be taken before the node runs."""

    mode: Literal["all", "any", "count"] = "all"
    count: int = Field(default=1, ge=1, le=MOST_EDGES, description="With count: how many")


class WaitRule(Part):
    """What a wait node waits for: a time, a duration, or an event; of several, the first."""

    until: Annotated[datetime, AfterValidator(_with_zone)] | None = None
    duration_ms: Milliseconds | None = None
    event: Ref | None = Field(default=None, description="Name of the event: a submission to the node ends the wait")


class Node(Part):
    """One node with its contract."""

    id: Name
    type: NodeType
    label: Line = ""
    owner: Owner
    objective: Body = ""
    instructions: Body = ""
    input_schema_ref: Name | None = None
    output_schema_ref: Name | None = None
    deliverables: tuple[Deliverable, ...] = Field(default=(), max_length=100)
    success_criteria: tuple[Body, ...] = Field(default=(), max_length=100)
    completion_checks: tuple[CompletionCheck, ...] = Field(default=(), max_length=100)
    retry_policy: RetryPolicy = RetryPolicy()
    failure_policy: tuple[FailureRule, ...] = Field(default=(), max_length=20)
    timeout_ms: Milliseconds | None = Field(default=None, description="Deadline after the node became ready")
    tool_policy: ToolPolicy = ToolPolicy()
    context_policy: ContextPolicy = ContextPolicy()
    allow_partial: bool = Field(default=False, description="Whether a partial result advances the run")
    max_iterations: int | None = Field(default=None, ge=1, le=1_000, description="How often a loop may run the node")
    approval: ApprovalRule | None = Field(default=None, description="human-approval only")
    join: JoinRule | None = Field(default=None, description="join only")
    wait: WaitRule | None = Field(default=None, description="wait only")
    subworkflow: "WorkflowPlanDraft | None" = Field(default=None, description="subworkflow only: the draft that runs")
    arguments: dict[str, Any] = Field(
        default_factory=dict, description="Plugin only: constant arguments; fields of the input are added"
    )


class Edge(Part):
    """From one node to the next. An empty ``map`` passes every field of the result on."""

    id: Name
    source: Name
    target: Name
    map: FieldMap = Field(default_factory=dict, description="Field of the next input: path in the result")
    when: Expression | None = Field(
        default=None, description="From a decision: the edge is taken if this holds; without it, if no other is"
    )
    on_skip: Literal["propagate", "continue"] = Field(
        default="propagate", description="Whether a skipped source skips the target, or lets it run without the result"
    )


class WorkflowPlanDraft(Part):
    """A workflow as agents write it: what the interface calls a PlanDraft."""

    model_config = ConfigDict(title="PlanDraft")

    title: Annotated[str, StringConstraints(min_length=1, max_length=500)]
    objective: Body = ""
    schemas: dict[Name, dict[str, Any]] = Field(default_factory=dict)
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...] = ()
    entry_node_ids: tuple[Name, ...]
    input: dict[str, Any] = Field(default_factory=dict, description="Input of the entry nodes")
