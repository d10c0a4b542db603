"""Turn what the services of implementation plans return into responses."""

from typing import get_args

from planloom.planes.implementation import responses
from planloom.planes.implementation.document.changes import Change
from planloom.planes.implementation.document.findings import Validation
from planloom.planes.implementation.document.format import constraints, examples
from planloom.planes.implementation.document.from_markdown import Draft
from planloom.planes.implementation.document.normal_form import normal_form
from planloom.planes.implementation.document.schema import Document, schema, supported
from planloom.planes.implementation.records import (
    Comment,
    ImplementationPlan,
    Revision,
    RevisionDocument,
    StepStatus,
    Touched,
)
from planloom.planes.implementation.services.check_implementation_plan import shown_validation
from planloom.planes.implementation.services.create_implementation_plan import Saved


def plan_format(schema_version: str | None) -> responses.PlanFormat:
    """Show the format of plans. Raises UnsupportedSchemaVersion."""
    return responses.PlanFormat(
        schema_version=supported(schema_version), json_schema=schema(), constraints=constraints(), examples=examples()
    )


def validation(found: Validation, plan: Document | None = None) -> responses.ValidationInfo:
    """Show what a check found; with *plan*, the one that was checked, its normal form if it is valid."""
    shown = responses.ValidationInfo.model_validate(shown_validation(found))
    if plan is not None and found.is_valid:
        shown.normalized_plan = normal_form(plan)
    return shown


def saved(saved: Saved) -> responses.PlanSaved:
    """Show a revision that was stored."""
    return responses.PlanSaved(
        plan_id=saved.view.plan_id,
        revision=saved.revision.number,
        validation=validation(saved.validation),
        meta=_meta(saved.view, saved.revision),
    )


def read(view: ImplementationPlan, document: RevisionDocument) -> responses.PlanRead:
    """Show one revision of a plan."""
    return responses.PlanRead(
        schema_version=document.revision.schema_version,
        plan=document.plan,
        meta=_meta(view, document.revision),
        revision=document.revision.number,
    )


def listed(plans: list[ImplementationPlan], next_before: str | None) -> responses.PlanLines:
    """Show a page of plans."""
    return responses.PlanLines(plans=[_line(plan) for plan in plans], next_before=next_before)


def history(plan_id: str, revisions: list[Revision]) -> responses.PlanHistory:
    """Show the revisions of a plan."""
    lines = [
        responses.RevisionInfo(
            revision=each.number,
            created_at=each.created_at,
            author=each.author,
            note=each.note,
            changes=[_touched(change) for change in each.changes],
            change_count=each.change_count,
        )
        for each in revisions
    ]
    return responses.PlanHistory(plan_id=plan_id, revisions=lines)


def diff(plan_id: str, earlier: int, later: int, changes: list[Change]) -> responses.PlanDiff:
    """Show what leads from one revision to another."""
    lines = [
        responses.ChangeInfo(path=each.path, op=each.op, before=each.before, after=each.after, step_id=each.step_id)
        for each in changes
    ]
    return responses.PlanDiff(plan_id=plan_id, from_revision=earlier, to_revision=later, changes=lines)


def draft(made: Draft, found: Validation, source: Document) -> responses.PlanDraft:
    """Show a draft from Markdown."""
    lost = [responses.UnplacedInfo(line=each.line, text=each.text, reason=each.reason) for each in made.unplaced]
    return responses.PlanDraft(plan=made.plan, unplaced=lost, validation=validation(found), source=source)


def comment(comment: Comment) -> responses.CommentInfo:
    """Show one comment."""
    return responses.CommentInfo.model_validate(comment.model_dump())


def comments(plan_id: str, comments: list[Comment]) -> responses.CommentList:
    """Show comments."""
    return responses.CommentList(plan_id=plan_id, comments=[comment(each) for each in comments])


def _meta(view: ImplementationPlan, revision: Revision) -> responses.PlanMeta:
    return responses.PlanMeta(
        title=view.title,
        status=view.status,
        created_at=view.created_at,
        updated_at=view.updated_at,
        revised_at=revision.created_at,
        current_revision=view.revision,
        author=revision.author,
        note=revision.note,
        source=revision.source,
        made_from=view.made_from,
        step_count=view.step_count,
        status_counts=_counts(view),
    )


def _line(plan: ImplementationPlan) -> responses.PlanLine:
    fields = plan.model_dump(exclude={"account", "goal_excerpt", "status_counts"})
    return responses.PlanLine(**fields, status=plan.status, status_counts=_counts(plan))


def _counts(plan: ImplementationPlan) -> dict[str, int]:
    """Return how many steps are in each state, those in which none is included."""
    return {status: plan.status_counts.get(status, 0) for status in get_args(StepStatus)}


def _touched(change: Touched) -> responses.TouchedInfo:
    return responses.TouchedInfo(path=change.path, op=change.op, step_id=change.step_id)
