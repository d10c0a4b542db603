"""What programs read and call of implementation plans, declared over the endpoints."""

from typing import get_args

from planloom.core.endpoint import Effect
from planloom.core.entities import (
    Capability,
    CapabilityArgument,
    Entity,
    EntityField,
    GetCall,
    ListCall,
    Paging,
    Relation,
    fields,
)
from planloom.planes.implementation.records import PlanType, StepStatus

_STATUS = CapabilityArgument(name="status", required=True, values=get_args(StepStatus))

ENTITIES = (
    Entity(
        name="ImplementationPlan",
        description="a plan of steps that coding agents carry out",
        fields=(
            *fields(id=("text", "plan_id"), title="text"),
            EntityField(name="status", values=get_args(StepStatus)),
            *fields(repo="text"),
            EntityField(name="plan_type", values=get_args(PlanType)),
            *fields(revision="number", step_count="number", created_at="time", updated_at="time", made_from="text"),
        ),
        list=ListCall(
            operation="list_plans",
            rows="plans",
            paging=Paging(style="cursor", parameter="before", next="next_before", size="limit", most=100),
            filters={"plan_type": "plan_type", "status": "status", "repo": "repo", "title contains": "q"},
        ),
        get=GetCall(
            operation="get_plan",
            key="plan_id",
            fields={
                "plan_type": "plan.planType",
                "repo": "plan.context.repo",
                **{
                    name: f"meta.{name}"
                    for name in ("title", "status", "step_count", "created_at", "updated_at", "made_from")
                },
            },
        ),
        relations=(
            Relation(name="steps", entity="ImplementationStep", by="plan_id"),
            Relation(name="revisions", entity="Revision", by="plan_id"),
            Relation(name="comments", entity="Comment", by="plan_id"),
            Relation(name="strategic_plan", entity="Plan", field="made_from", many=False),
        ),
        capabilities=(
            Capability(
                name="document",
                operation="get_plan",
                effect=Effect.READS,
                key="plan_id",
                returns="plan",
                description="the whole plan as JSON",
            ),
            Capability(
                name="comment",
                operation="comment",
                effect=Effect.CHANGES,
                key="plan_id",
                arguments=(CapabilityArgument(name="text", required=True), CapabilityArgument(name="step_id")),
                description="add a comment",
            ),
        ),
    ),
    Entity(
        name="ImplementationStep",
        description="a step of an implementation plan",
        fields=(
            *fields(plan_id="text", id="text", kind="text", title="text", intent="text"),
            EntityField(name="status", values=get_args(StepStatus), path="ui.status"),
            *fields(depends_on=("list", "dependsOn")),
        ),
        list=ListCall(operation="get_plan", rows="plan.steps", filters={"plan_id": "plan_id"}, needs=("plan_id",)),
        capabilities=(
            Capability(
                name="set_status",
                operation="set_step_status",
                effect=Effect.CHANGES,
                key="step_id",
                arguments=(CapabilityArgument(name="plan_id", required=True), _STATUS),
                repeatable=True,
                description="say how far a step is",
            ),
        ),
    ),
    Entity(
        name="Revision",
        description="a saved state of an implementation plan",
        fields=fields(
            plan_id="text",
            id=("number", "revision"),
            created_at="time",
            author="text",
            note="text",
            change_count="number",
        ),
        list=ListCall(operation="plan_history", rows="revisions", filters={"plan_id": "plan_id"}, needs=("plan_id",)),
    ),
    Entity(
        name="Comment",
        description="a comment on an implementation plan",
        fields=fields(
            plan_id="text", id=("text", "comment_id"), step_id="text", text="text", author="text", created_at="time"
        ),
        list=ListCall(
            operation="list_comments",
            rows="comments",
            filters={"plan_id": "plan_id", "step_id": "step_id"},
            needs=("plan_id",),
        ),
    ),
)
