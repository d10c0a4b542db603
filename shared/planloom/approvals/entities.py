"""What programs read and call of approvals, declared over the endpoints."""

from planloom.approvals.approval import Decision
from planloom.core.endpoint import Effect
from planloom.core.entities import (
    Capability,
    CapabilityArgument,
    Entity,
    GetCall,
    ListCall,
    Paging,
    fields,
)

ENTITIES = (
    Entity(
        name="Approval",
        description="an approval; the list has those that are pending",
        fields=fields(
            id=("text", "approval_id"),
            title=("text", "subject.title"),
            state="text",
            plane=("text", "subject.plane"),
            run_id=("text", "subject.run_id"),
            node_id=("text", "subject.node_id"),
            approvers="list",
            rule="text",
            requested_at="time",
            expires_at="time",
        ),
        list=ListCall(
            operation="approval_list",
            rows="approvals",
            paging=Paging(style="cursor", parameter="before", next="next", size="limit", most=100),
            filters={"plane": "plane"},
            fixed={"state": "pending"},
        ),
        get=GetCall(operation="approval_get", key="approval_id"),
        capabilities=(
            Capability(
                name="respond",
                operation="approval_respond",
                effect=Effect.CHANGES,
                key="approval_id",
                arguments=(
                    CapabilityArgument(name="decision", required=True, values=tuple(Decision)),
                    CapabilityArgument(name="by", required=True),
                    CapabilityArgument(name="comment"),
                ),
                repeatable=True,
                description="answer it",
            ),
        ),
    ),
)
