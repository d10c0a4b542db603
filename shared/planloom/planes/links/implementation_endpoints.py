"""What callers can do between implementation plans and strategic plans: endpoints of the plane ``implementation``."""

from typing import Any

from pydantic import Field

from planloom.core.endpoint import GET, POST, ApiModel, CamelModel, Effect, Endpoint
from planloom.core.errors import PlanNotCompleted, PlanNotFound, RequestConflict
from planloom.planes.implementation import presenters as show
from planloom.planes.implementation.endpoints import BASE, GROUP
from planloom.planes.implementation.ports import ImplementationPlans, PlanRegistry
from planloom.planes.implementation.requests import Context, Ref, RequestId
from planloom.planes.implementation.responses import PlanLines, PlanSaved
from planloom.planes.links.implementation_from_plan import draft_from_strategic_plan, plans_made_from
from planloom.planes.strategic.ports.groups import PlanRecords


class DraftFromStrategicPlan(CamelModel):
    """A strategic plan to make an implementation plan from; plan_id is called as in its own interface."""

    plan_id: str = Field(alias="plan_id", description="Of a completed strategic plan: what plan_create returned.")
    repo: str | None = Field(default=None, max_length=500, description="Repository in which its results are kept.")
    ref: Ref = None
    client_request_id: RequestId = None

    def place(self) -> dict[str, Any]:
        """Return where the plan is to be carried out, as the request states it."""
        return {name: value for name, value in (("repo", self.repo), ("ref", self.ref)) if value}


class PlanToImplement(CamelModel):
    """A strategic plan to make an implementation plan from; over HTTP repo, ref and stack are fields of context."""

    plan_id: str = Field(alias="plan_id", description="Of a completed strategic plan: what plan_create returned.")
    context: Context = Context()
    client_request_id: RequestId = None

    def place(self) -> dict[str, Any]:
        """Return where the plan is to be carried out, as the request states it."""
        return self.context.model_dump(exclude_none=True)


class ListPlansMadeFrom(ApiModel):
    """Which strategic plan."""

    plan_id: str = Field(description="The strategic plan: what plan_create returned.")


def _from_plan(
    request: DraftFromStrategicPlan,
    account: str,
    plan_records: PlanRecords,
    implementation_plans: ImplementationPlans,
) -> PlanSaved:
    saved = draft_from_strategic_plan(
        plan_records, implementation_plans, account, request.plan_id, request.place(), request.client_request_id
    )
    return show.saved(saved)


def _made_from(
    request: ListPlansMadeFrom, account: str, plan_records: PlanRecords, registry: PlanRegistry
) -> PlanLines:
    return show.listed(plans_made_from(plan_records, registry, account, request.plan_id), None)


ENDPOINTS = (
    Endpoint(
        name="draft_from_strategic_plan",
        title="Registry: make a plan from a strategic plan",
        description="""\
Makes and stores an implementation plan from a completed strategic plan: a step for each task of its work
breakdown, with dependencies, dates, owners and risks. Returns planId; change it with update_plan.""",
        group=GROUP,
        http=POST(f"{BASE}/from-plan", status=201, location="{plan_id}", request=PlanToImplement, omit_unset=True),
        request=DraftFromStrategicPlan,
        response=PlanSaved,
        errors=(PlanNotFound, PlanNotCompleted, RequestConflict),
        effect=Effect.CHANGES,
        handler=_from_plan,
    ),
    Endpoint(
        name="implementation_plans_of",
        title="Implementation plans of a strategic plan",
        description="Lists the implementation plans that were made from a strategic plan, last saved first.",
        group=GROUP,
        http=GET("/v1/plans/{plan_id}/implementation-plans"),
        tool=False,
        request=ListPlansMadeFrom,
        response=PlanLines,
        errors=(PlanNotFound,),
        handler=_made_from,
    ),
)
