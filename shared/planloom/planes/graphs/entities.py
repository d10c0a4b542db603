"""What programs read and call of graphs, their runs, and tool servers, declared over the endpoints."""

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
from planloom.runs.records import RunState

_PAGES = Paging(style="cursor", parameter="before", next="next", size="limit", most=100)


def _on_run(name: str, effect: Effect, description: str, *arguments: CapabilityArgument) -> Capability:
    return Capability(
        name=name,
        operation=f"run_{name}",
        effect=effect,
        key="run_id",
        arguments=arguments,
        repeatable=name in ("stop", "approve"),
        starts="Run" if name == "resume" else "",
        started="run_id",
        description=description,
    )


ENTITIES = (
    Entity(
        name="Graph",
        description="a graph of tool calls that runs",
        fields=fields(
            id=("text", "plan_id"),
            title="text",
            revision="number",
            steps=("number", "step_count"),
            created_at="time",
            updated_at="time",
        ),
        list=ListCall(operation="plan_list", rows="plans", paging=_PAGES),
        get=GetCall(operation="plan_get", key="plan_id"),
        relations=(Relation(name="runs", entity="Run", by="graph_id"),),
        capabilities=(
            Capability(
                name="document",
                operation="plan_get",
                effect=Effect.READS,
                key="plan_id",
                returns="graph",
                description="the whole graph as JSON",
            ),
            Capability(
                name="run",
                operation="plan_execute",
                effect=Effect.CHANGES,
                key="plan_id",
                arguments=(CapabilityArgument(name="variables", type="object"),),
                fixed={"wait_sec": 0},
                starts="Run",
                started="run_id",
                description="start a run",
            ),
            Capability(
                name="delete",
                operation="plan_delete",
                effect=Effect.DESTROYS,
                key="plan_id",
                description="delete it permanently",
            ),
        ),
    ),
    Entity(
        name="Run",
        description="a run of a graph",
        fields=(
            *fields(id=("text", "run_id"), graph_id=("text", "plan_id"), title="text"),
            EntityField(name="state", values=tuple(RunState)),
            *fields(
                steps=("number", "step_count"),
                steps_completed=("number", "progress.completed"),
                steps_failed=("number", "progress.failed"),
                failure=("text", "failure.message"),
                created_at="time",
                ended_at="time",
            ),
        ),
        list=ListCall(
            operation="run_list",
            rows="runs",
            paging=_PAGES,
            filters={"state": "state", "graph_id": "plan_id", "created_at >=": "since", "created_at >": "since"},
        ),
        get=GetCall(operation="run_status", key="run_id"),
        operation=EntityOperation(
            state="state",
            succeeded=("completed",),
            failed=("failed", "blocked"),
            cancelled=("stopped",),
            done="steps_completed",
            of="steps",
            message="failure",
            stop="stop",
        ),
        relations=(
            Relation(name="graph", entity="Graph", field="graph_id", many=False),
            Relation(name="steps", entity="RunStep", by="run_id"),
            Relation(name="events", entity="RunEvent", by="run_id"),
        ),
        capabilities=(
            _on_run("stop", Effect.DESTROYS, "stop it"),
            _on_run(
                "resume",
                Effect.CHANGES,
                "continue after a failure or a stop",
                CapabilityArgument(name="on_unknown", values=("retry", "skip")),
            ),
            _on_run(
                "approve",
                Effect.CHANGES,
                "approve or reject a step that waits",
                CapabilityArgument(name="step", required=True),
                CapabilityArgument(name="approved", type="boolean", required=True),
            ),
            _on_run("delete", Effect.DESTROYS, "delete it permanently"),
        ),
    ),
    Entity(
        name="RunStep",
        description="a step of a run and its result",
        fields=(
            *fields(run_id="text", id=("text", "step"), title="text", tool="text"),
            EntityField(
                name="state",
                values=("pending", "running", "waiting", "completed", "failed", "skipped", "unknown"),
            ),
            *fields(value="object", error="text", calls="number", seconds="number", ended_at="time"),
        ),
        list=ListCall(
            operation="run_steps",
            rows="steps",
            paging=Paging(style="cursor", parameter="after", next="next", size="limit", most=100),
            filters={"run_id": "run_id"},
            needs=("run_id",),
        ),
    ),
    Entity(
        name="RunEvent",
        description="what happened in a run",
        fields=fields(run_id="text", id=("number", "cursor"), name="text", at="time", step="text", data="object"),
        list=ListCall(
            operation="run_events",
            rows="events",
            paging=Paging(style="cursor", parameter="after", next="next", size="limit", most=1000),
            filters={"run_id": "run_id"},
            needs=("run_id",),
        ),
    ),
    Entity(
        name="ToolServer",
        description="a server whose tools graphs call",
        fields=fields(
            id=("text", "name"),
            url="text",
            trusted="boolean",
            tools_count=("number", "tool_count"),
            listed_at="time",
            error="text",
        ),
        list=ListCall(operation="tool_server_list", rows="servers"),
        get=GetCall(operation="tool_server_get", key="name"),
        relations=(Relation(name="tools", entity="Tool", by="server"),),
        capabilities=(
            Capability(
                name="test",
                operation="tool_server_test",
                effect=Effect.CHANGES,
                key="name",
                repeatable=True,
                description="list its tools now",
            ),
            Capability(
                name="remove",
                operation="tool_server_remove",
                effect=Effect.DESTROYS,
                key="name",
                description="remove it with its headers",
            ),
        ),
    ),
    Entity(
        name="Tool",
        description="a tool of a tool server",
        fields=fields(
            server="text",
            id=("text", "name"),
            description="text",
            input_schema="object",
            read_only="boolean",
            destructive="boolean",
        ),
        list=ListCall(operation="tool_server_get", rows="tools", filters={"server": "name"}, needs=("server",)),
    ),
)
