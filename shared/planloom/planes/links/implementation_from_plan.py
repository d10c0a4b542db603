"""Make an implementation plan from a completed strategic plan, and find those that were made from one."""

from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import ValidationError

from planloom.core.artifacts import PROMPT
from planloom.core.errors import PlanNotCompleted
from planloom.core.file_store import FileStore
from planloom.planes.implementation.document.schema import Document
from planloom.planes.implementation.ports import ImplementationPlans, PlanRegistry
from planloom.planes.implementation.records import ImplementationPlan
from planloom.planes.implementation.services.create_implementation_plan import Saved, create_implementation_plan
from planloom.planes.strategic.plans import Plan
from planloom.planes.strategic.ports.groups import PlanRecords
from planloom.planes.strategic.restarts import other_version
from planloom.planes.strategic.services.own_plan import own_plan

if TYPE_CHECKING:
    from planloom.planes.strategic.stages.stage import StageResult

#: What a plan is made from, of the stages start and schedule.
START_FILE, SCHEDULE_FILE = "001-1-start.json", "026-1-schedule.json"

R = TypeVar("R", bound="StageResult")


def draft_from_strategic_plan(
    plan_records: PlanRecords,
    implementation_plans: ImplementationPlans,
    account: str,
    plan_id: str,
    context: dict[str, Any] | None = None,
    client_request_id: str | None = None,
) -> Saved:
    """Store an implementation plan made from the completed strategic plan *plan_id*, linked with it both ways.

    Raises PlanNotCompleted, PipelineVersionMismatch, InvalidArgument, PlanNotFound, PermissionDenied, RequestConflict.
    """
    plan = own_plan(plan_records, account, plan_id)
    if plan.state != "completed":
        raise PlanNotCompleted(
            f"The plan is {plan.state}; an implementation plan is made from a completed one. Call plan_status."
        )
    document = _read(plan_records.files, plan)
    document["context"] |= context or {}
    source = {"origin": f"strategic-plan/{plan.plan_id}/run-{plan.run}"}
    return create_implementation_plan(
        implementation_plans, account, document, None, source, client_request_id, made_from=plan.plan_id
    )


def _read(files: FileStore, plan: Plan) -> Document:
    # on the first of such calls: the stages take their time to import, and other calls have no need of them
    from planloom.planes.links.strategic_to_implementation import implementation_of
    from planloom.planes.strategic.stages.results import Schedule
    from planloom.planes.strategic.stages.start import Start

    return implementation_of(
        plan_id=plan.plan_id,
        run=plan.run,
        title=read_result(files, plan, START_FILE, Start).facts.title,
        prompt=(files.read(plan.plan_id, PROMPT) or b"").decode(),
        schedule=read_result(files, plan, SCHEDULE_FILE, Schedule),
    )


def read_result(files: FileStore, plan: Plan, path: str, kind: type[R]) -> R:
    """Return what a stage of the completed *plan* left at *path*. Raises PipelineVersionMismatch."""
    content = files.read(plan.plan_id, path)
    try:
        return kind.model_validate_json(content or b"")
    except ValidationError as error:
        # only a plan that failed or was stopped can be retried, and this one is completed
        raise other_version(plan, "Call plan_create with the same goal, and draft from that plan.") from error


def plans_made_from(
    plan_records: PlanRecords, registry: PlanRegistry, account: str, plan_id: str
) -> list[ImplementationPlan]:
    """Return the implementation plans of *account* that were made from the strategic plan *plan_id*, last saved first.

    Raises InvalidArgument, PlanNotFound, PermissionDenied.
    """
    ids = registry.made_from(own_plan(plan_records, account, plan_id).plan_id)
    # a plan that was made on behalf of a user is theirs too, but not what the other of the two made from it
    found = [plan for plan in map(registry.get, ids) if plan and plan.account == account]
    return sorted(found, key=lambda plan: plan.updated_at, reverse=True)
