"""What programs read and call of workflows, declared over the endpoints."""

from planloom.core.endpoint import Effect
from planloom.core.entities import (
    Capability,
    CapabilityArgument,
    Entity,
    EntityField,
    EntityOperation,
    GetCall,
    ListCall,
    Paging,
    Relation,
    fields,
)
from planloom.planes.workflows.states import NodeStatus, RunStatus

ENTITIES = (
    Entity(
        name="Workflow",
        description="a run of a workflow with agents and people",
        fields=(
            *fields(id=("text", "run_id"), title="text"),
            EntityField(name="status", values=tuple(RunStatus)),
            *fields(
                reason="text",
                workstream_id="text",
                progress="object",
                created_at="time",
                updated_at="time",
                ended_at="time",
            ),
        ),
        list=ListCall(
            operation="listExecutionRuns",
            rows="runs",
            paging=Paging(style="cursor", parameter="before", next="next", size="limit", most=100),
            filters={"status": "status", "created_at >=": "since", "created_at >": "since"},
        ),
        get=GetCall(operation="getExecutionPlanRun", key="run_id", row="run"),
        operation=EntityOperation(
            state="status",
            succeeded=("completed",),
            failed=("failed",),
            cancelled=("aborted",),
            progress="progress",
            message="reason",
            stop="stop",
        ),
        relations=(
            Relation(name="nodes", entity="WorkflowNode", by="run_id"),
            Relation(name="events", entity="WorkflowEvent", by="run_id"),
        ),
        capabilities=(
            Capability(
                name="stop",
                operation="stopExecutionRun",
                effect=Effect.DESTROYS,
                key="run_id",
                arguments=(CapabilityArgument(name="reason"),),
                repeatable=True,
                description="stop it",
            ),
            Capability(
                name="resume",
                operation="resumeExecutionPlanRun",
                effect=Effect.CHANGES,
                key="run_id",
                starts="Workflow",
                started="run_id",
                description="continue after a stop",
            ),
        ),
    ),
    Entity(
        name="WorkflowNode",
        description="a node of a workflow: a task of an agent, a person or a tool",
        fields=(
            *fields(run_id="text", id=("text", "node_id"), title=("text", "label"), type="text", owner="text"),
            EntityField(name="status", values=tuple(NodeStatus)),
            *fields(claimed_by="text", attempts_left="number", deadline="time", approval_id="text"),
        ),
        list=ListCall(
            operation="listExecutionNodes",
            rows="nodes",
            paging=Paging(style="offset", parameter="offset", size="limit", most=500),
            filters={"run_id": "run_id", "owner": "owner", "status": "status"},
            needs=("run_id",),
            fixed={"every": True},
        ),
    ),
    Entity(
        name="WorkflowEvent",
        description="what happened in a workflow",
        fields=fields(run_id="text", id=("number", "cursor"), name="text", at="time", node_id="text", data="object"),
        list=ListCall(
            operation="getExecutionEvents",
            rows="events",
            paging=Paging(style="cursor", parameter="after", next="next", size="limit", most=1000),
            filters={"run_id": "run_id"},
            needs=("run_id",),
        ),
    ),
)
