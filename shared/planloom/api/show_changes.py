"""Turn what the services that change plans return into what callers get."""

from planloom.api import change_answers as answers
from planloom.api.show import price_of
from planloom.domain.artifacts import FileVersion
from planloom.domain.plans import Plan
from planloom.domain.usage import Usage
from planloom.services.edit_artifact import Edited
from planloom.services.invalidate_plan import Invalidated


def edited(asked: str, done: Edited) -> answers.ArtifactEdited:
    """Show an edit of a file of plan *asked*."""
    return answers.ArtifactEdited(
        plan_id=done.plan.plan_id,
        derived_from=_origin(asked, done.plan),
        state=done.plan.state,
        path=done.artifact.path,
        sha256=done.artifact.sha256,
        files=[
            answers.EditedFile(path=file.path, size=file.size, sha256=file.sha256, edited=file.edited)
            for file in done.files
        ],
        edits_lost=list(done.edits_lost),
        remade=list(done.remade),
        next_steps=_lost(done) + _next(done.plan, changed=bool(done.files)),
    )


def versions(plan_id: str, path: str, found: list[FileVersion]) -> answers.ArtifactVersions:
    """Show the versions of a file."""
    listed = [answers.ArtifactVersion.model_validate(each.model_dump()) for each in found]
    return answers.ArtifactVersions(plan_id=plan_id, path=path, versions=listed)


def invalidated(asked: str, done: Invalidated, *, dry_run: bool) -> answers.PlanInvalidated:
    """Show what plan_invalidate did to plan *asked*, or would do."""
    return answers.PlanInvalidated(
        plan_id=done.plan.plan_id,
        derived_from=_origin(asked, done.plan),
        state=done.plan.state,
        dry_run=dry_run,
        steps=[
            answers.RemadeStep(
                step=step.step, title=step.title, why=step.why, cost=_cost(step.cost) if step.cost else None
            )
            for step in done.steps
        ],
        cost_at_most=_cost(done.most),
        credits_at_most=done.credits,
        edits_lost=list(done.edits_lost),
        next_steps="Nothing was changed. Call again without dry_run." if dry_run else _next(done.plan, changed=True),
    )


def _origin(asked: str, plan: Plan) -> str | None:
    return plan.derived_from if plan.plan_id != asked.lower() else None


def _cost(usage: Usage) -> answers.Cost:
    counts = usage.model_dump(include={"calls", "input_tokens", "output_tokens"})
    return answers.Cost(**counts, price=price_of(usage))


def _lost(done: Edited) -> str:
    if not done.edits_lost:
        return ""
    return (
        f"The edit of {', '.join(done.edits_lost)} was replaced by what the JSON reads as; to have that text back, put "
        "its earlier version back with plan_artifact_undo. "
    )


def _next(plan: Plan, *, changed: bool) -> str:
    if not changed:
        return "Nothing changed: the content was there already."
    if plan.state in ("failed", "stopped"):
        return "Make further changes if you like, then call plan_resume with this plan_id."
    return "Poll plan_status with this plan_id until it is completed."
