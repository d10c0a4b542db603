"""What programs read and call of strategic plans: over endpoints, and over operations that only programs call."""

from collections.abc import Iterable
from datetime import datetime
from functools import partial
from typing import Any, get_args

from pydantic import Field

from planloom.core.endpoint import ApiModel, Effect, Endpoint
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
from planloom.core.errors import PlanNotFound
from planloom.core.listing import page_of
from planloom.core.times import ZonedTime
from planloom.models.profile import ModelProfile
from planloom.planes.strategic.claims import Claim, ClaimKind
from planloom.planes.strategic.endpoints.plan_fields import PlanRequest
from planloom.planes.strategic.plan_graph import NodeState
from planloom.planes.strategic.plans import Detail, ListedPlan, Plan, PlanState, Target
from planloom.planes.strategic.ports.groups import PlanRecords
from planloom.planes.strategic.ports.log import EventLog
from planloom.planes.strategic.progress import progress_percentage
from planloom.planes.strategic.services.list_plans import MOST, list_plans
from planloom.planes.strategic.services.own_plan import own_plan
from planloom.planes.strategic.services.read_log import MOST_EVENTS, plan_events
from planloom.planes.strategic.services.read_records import records_that_count
from planloom.planes.strategic.watch_settings import WatchSettings

GROUP = "programs"
#: Begins the position in a list after all plans that are not archived.
ARCHIVED = "archived:"


class PlanRow(ApiModel):
    """A plan as programs see it."""

    plan_id: str
    title: str
    state: PlanState
    progress: float
    target: Target
    derived_from: str | None
    archived: bool
    created_at: datetime
    ended_at: datetime | None


class ReadPlans(ApiModel):
    """Which plans, and which page: ``before`` is the ``next`` of the page before."""

    limit: int = Field(default=10, ge=1, le=MOST)
    before: str | None = None
    state: PlanState | None = None
    target: Target | None = None
    archived: bool | None = None
    since: ZonedTime | None = None


class PlanRows(ApiModel):
    """A page of plans: newest first, and the archived ones after all others."""

    plans: list[PlanRow]
    next: str | None


class ClaimRows(ApiModel):
    """The claims of a plan, in the order of its steps."""

    claims: list[dict[str, Any]]


class ReadEvents(PlanRequest):
    """Which events of a plan."""

    after: int = Field(default=0, ge=0)
    limit: int = Field(default=100, ge=1, le=MOST_EVENTS)


class EventRows(ApiModel):
    """A page of a plan's events, oldest first."""

    events: list[dict[str, Any]]
    next: int | None


def _row(plan: Plan | ListedPlan, archived: bool) -> PlanRow:
    return PlanRow(
        plan_id=plan.plan_id,
        title=plan.prompt_excerpt,
        state=plan.state,
        progress=progress_percentage(plan.steps_finished),
        target=plan.target,
        derived_from=plan.derived_from,
        archived=archived,
        created_at=plan.created_at,
        ended_at=plan.ended_at,
    )


def _plans(request: ReadPlans, account: str, plan_records: PlanRecords) -> PlanRows:
    def wanted(plan: ListedPlan) -> bool:
        return request.state in (None, plan.state) and request.target in (None, plan.target)

    def too_old(plan: ListedPlan) -> bool:
        return request.since is not None and plan.created_at < request.since

    before = request.before
    rows: list[PlanRow] = []
    archived = request.archived is True or (before or "").startswith(ARCHIVED)
    while True:
        read = partial(_read, plan_records, account, archived)
        last = before.removeprefix(ARCHIVED) if before else None
        found, after = page_of(read, request.limit - len(rows), last, wanted, too_old, MOST)
        rows += [_row(plan, archived) for plan in found]
        if after is not None:
            return PlanRows(plans=rows, next=f"{ARCHIVED}{after}" if archived else after)
        if archived or request.archived is False:
            return PlanRows(plans=rows, next=None)
        # then those that are archived
        archived, before = True, None


def _read(
    plan_records: PlanRecords, account: str, archived: bool, limit: int, before: str | None
) -> list[tuple[str, ListedPlan]]:
    found, _ = list_plans(plan_records, account, limit, before, archived=archived)
    return [(plan.plan_id, plan) for plan in found]


def _plan(request: PlanRequest, account: str, plan_records: PlanRecords) -> PlanRow:
    plan = own_plan(plan_records, account, request.plan_id)
    return _row(plan, plan.archived_at is not None)


def _claims(request: PlanRequest, account: str, plan_records: PlanRecords) -> ClaimRows:
    plan = own_plan(plan_records, account, request.plan_id)
    records = records_that_count(plan_records.files, plan)
    found: Iterable[Claim] = (claim for _, record in sorted(records.items()) for claim in record.claims)
    return ClaimRows(claims=[claim.model_dump(mode="json") for claim in found])


def _events(
    request: ReadEvents, account: str, plan_records: PlanRecords, log: EventLog, watch_settings: WatchSettings
) -> EventRows:
    found = plan_events(plan_records, log, watch_settings, account, request.plan_id, request.after, request.limit)
    rows = [{"id": each.cursor, "type": each.type, "at": each.ts, "data": each.data} for each in found]
    return EventRows(events=rows, next=found[-1].cursor if len(found) == request.limit else None)


def _operation(name: str, title: str, response: type[ApiModel], handler: Any, request: type[ApiModel]) -> Endpoint:
    return Endpoint(
        name=name,
        title=title,
        description=title,
        group=GROUP,
        tool=False,
        request=request,
        response=response,
        errors=(PlanNotFound,),
        handler=handler,
    )


OPERATIONS = (
    _operation("plan_rows", "Plans as rows", PlanRows, _plans, ReadPlans),
    _operation("plan_row", "A plan as a row", PlanRow, _plan, PlanRequest),
    _operation("plan_claims", "Claims of a plan", ClaimRows, _claims, PlanRequest),
    _operation("plan_event_rows", "Events of a plan", EventRows, _events, ReadEvents),
)

_PROFILE = CapabilityArgument(name="model_profile", values=get_args(ModelProfile))

_DRAFT = {"starts": "Plan", "started": "plan_id"}


def _on_plan(name: str, effect: Effect, description: str, *arguments: CapabilityArgument, **more: Any) -> Capability:
    operation = more.pop("operation", f"plan_{name}")
    return Capability(
        name=name,
        operation=operation,
        effect=effect,
        key="plan_id",
        arguments=arguments,
        description=description,
        **more,
    )


ENTITIES = (
    Entity(
        name="Plan",
        description="a strategic plan, drafted from a goal in prose",
        fields=(
            *fields(id=("text", "plan_id"), title="text"),
            EntityField(name="state", values=get_args(PlanState)),
            *fields(progress="number", created_at="time"),
            EntityField(name="target", values=get_args(Target)),
            *fields(derived_from="text", archived="boolean", ended_at="time"),
        ),
        list=ListCall(
            operation="plan_rows",
            rows="plans",
            paging=Paging(style="cursor", parameter="before", next="next", size="limit", most=50),
            filters={
                "state": "state",
                "target": "target",
                "archived": "archived",
                "created_at >=": "since",
                "created_at >": "since",
            },
        ),
        get=GetCall(operation="plan_row", key="plan_id"),
        operation=EntityOperation(
            state="state",
            succeeded=("completed",),
            failed=("failed",),
            cancelled=("stopped",),
            progress="progress",
            stop="stop",
        ),
        relations=(
            Relation(name="sections", entity="Section", by="plan_id"),
            Relation(name="artifacts", entity="Artifact", by="plan_id"),
            Relation(name="claims", entity="Claim", by="plan_id"),
            Relation(name="events", entity="PlanEvent", by="plan_id"),
            Relation(name="origin", entity="Plan", field="derived_from", many=False),
            Relation(name="implementation_plans", entity="ImplementationPlan", by="made_from"),
        ),
        capabilities=(
            Capability(
                name="create",
                operation="plan_create",
                effect=Effect.CHANGES,
                arguments=(
                    CapabilityArgument(name="prompt", required=True),
                    _PROFILE,
                    CapabilityArgument(name="detail", values=get_args(Detail)),
                ),
                starts="Plan",
                started="plan_id",
                description="draft a plan",
            ),
            _on_plan("status", Effect.READS, "progress, files, cost and quality"),
            _on_plan("export", Effect.READS, "a link to the zip"),
            _on_plan("stop", Effect.DESTROYS, "end its run", repeatable=True),
            _on_plan("resume", Effect.CHANGES, "continue after a failure or a stop", _PROFILE, **_DRAFT),
            _on_plan("retry", Effect.DESTROYS, "start again from nothing", _PROFILE, **_DRAFT),
            _on_plan(
                "archive",
                Effect.CHANGES,
                "archived=false takes it back",
                CapabilityArgument(name="archived", type="boolean"),
                repeatable=True,
            ),
            _on_plan("delete", Effect.DESTROYS, "delete it permanently"),
        ),
    ),
    Entity(
        name="Section",
        description="a section of a plan and the stage that makes it",
        fields=(
            *fields(plan_id="text", id=("text", "step"), name="text", title="text"),
            EntityField(name="state", values=get_args(NodeState)),
            *fields(started_at="time", ended_at="time", files="list"),
        ),
        list=ListCall(operation="plan_graph", rows="nodes", filters={"plan_id": "plan_id"}, needs=("plan_id",)),
        relations=(Relation(name="plan", entity="Plan", field="plan_id", many=False),),
    ),
    Entity(
        name="Artifact",
        description="a file of a plan",
        fields=fields(
            plan_id="text",
            id=("text", "path"),
            size="number",
            sha256="text",
            content_type="text",
            updated_at="time",
            edited="boolean",
        ),
        list=ListCall(
            operation="plan_artifacts",
            rows="artifacts",
            paging=Paging(style="cursor", parameter="after", next="next_after", size="limit", most=1000),
            filters={"plan_id": "plan_id"},
            needs=("plan_id",),
        ),
        capabilities=(
            Capability(
                name="text",
                operation="plan_artifact_read",
                effect=Effect.READS,
                key="path",
                arguments=(
                    CapabilityArgument(name="plan_id", required=True),
                    CapabilityArgument(name="offset", type="number"),
                ),
                description="what is in it",
            ),
        ),
    ),
    Entity(
        name="Claim",
        description="a number or statement that a plan relies on",
        fields=(
            *fields(plan_id="text", id="text", text="text"),
            EntityField(name="kind", values=get_args(ClaimKind)),
            *fields(value="text", unit="text", subject="text", source="text", owner="text", test="text"),
        ),
        list=ListCall(operation="plan_claims", rows="claims", filters={"plan_id": "plan_id"}, needs=("plan_id",)),
    ),
    Entity(
        name="PlanEvent",
        description="what happened to a plan",
        fields=fields(plan_id="text", id="number", type="text", at="time", data="object"),
        list=ListCall(
            operation="plan_event_rows",
            rows="events",
            paging=Paging(style="cursor", parameter="after", next="next", size="limit", most=MOST_EVENTS),
            filters={"plan_id": "plan_id"},
            needs=("plan_id",),
        ),
    ),
)
