"""Draft implementation plans from other forms: Markdown, and finished strategic plans."""

import hashlib
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import ValidationError

from planloom.domain.artifacts import PROMPT
from planloom.domain.errors import InvalidArgument, PlanNotCompleted
from planloom.domain.plans import Plan
from planloom.domain.restarts import other_version
from planloom.implementation.findings import Validation
from planloom.implementation.from_markdown import Draft
from planloom.implementation.from_markdown import draft_from_markdown as read_markdown
from planloom.implementation.schema import Document
from planloom.services.check_implementation_plan import check_implementation_plan
from planloom.services.create_implementation_plan import Saved, create_implementation_plan
from planloom.services.own_plan import own_plan
from planloom.services.world import World

if TYPE_CHECKING:
    from planloom.stages.stage import StageResult

MARKDOWN_CHARACTERS = 200_000
#: What a plan is made from, of the stages start and schedule.
START_FILE, SCHEDULE_FILE = "001-1-start.json", "026-1-schedule.json"

R = TypeVar("R", bound="StageResult")


def draft_from_markdown(markdown: str, context: dict[str, Any] | None = None) -> tuple[Draft, Validation, Document]:
    """Return a draft of the plan that *markdown* describes, what is wrong with it, and its source for create_plan.

    *context* (repo, ref, stack) goes before what the text says. Nothing is stored.
    Raises InvalidArgument and PlanTooLarge.
    """
    if not markdown.strip() or len(markdown) > MARKDOWN_CHARACTERS:
        raise InvalidArgument(f"The Markdown must have 1 to {MARKDOWN_CHARACTERS:,} characters.", field="markdown")
    draft = read_markdown(markdown)
    draft.plan["context"] |= context or {}
    source = {"mdHash": hashlib.sha256(markdown.encode()).hexdigest(), "origin": "markdown"}
    return draft, check_implementation_plan(draft.plan, None), source


def draft_from_strategic_plan(
    world: World,
    account: str,
    plan_id: str,
    context: dict[str, Any] | None = None,
    client_request_id: str | None = None,
) -> Saved:
    """Store an implementation plan made from the completed strategic plan *plan_id*, linked with it both ways.

    Raises PlanNotCompleted, PipelineVersionMismatch, InvalidArgument, PlanNotFound, PermissionDenied, RequestConflict.
    """
    plan = own_plan(world, account, plan_id)
    if plan.state != "completed":
        raise PlanNotCompleted(
            f"The plan is {plan.state}; an implementation plan is made from a completed one. Call plan_status."
        )
    document = _read(world, plan)
    document["context"] |= context or {}
    source = {"origin": f"strategic-plan/{plan.plan_id}/run-{plan.run}"}
    return create_implementation_plan(world, account, document, None, source, client_request_id, made_from=plan.plan_id)


def _read(world: World, plan: Plan) -> Document:
    # on the first of such calls: the stages take their time to import, and other calls have no need of them
    from planloom.implementation.from_strategic_plan import implementation_of
    from planloom.stages.results import Schedule
    from planloom.stages.start import Start

    return implementation_of(
        plan_id=plan.plan_id,
        run=plan.run,
        title=_result(world, plan, START_FILE, Start).facts.title,
        prompt=(world.files.read(plan.plan_id, PROMPT) or b"").decode(),
        schedule=_result(world, plan, SCHEDULE_FILE, Schedule),
    )


def _result(world: World, plan: Plan, path: str, kind: type[R]) -> R:
    content = world.files.read(plan.plan_id, path)
    try:
        return kind.model_validate_json(content or b"")
    except ValidationError as error:
        # only a plan that failed or was stopped can be retried, and this one is completed
        raise other_version(plan, "Call plan_create with the same goal, and draft from that plan.") from error
