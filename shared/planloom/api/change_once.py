"""Change a plan for either mouth; with a client_request_id, once."""

from planloom.api import change_answers as answers
from planloom.api import show_changes as show
from planloom.api.once import once
from planloom.api.show import poll_after
from planloom.domain.plans import ModelProfile
from planloom.services.artifact_versions import artifact_versions, undo_edit
from planloom.services.edit_artifact import edit_artifact
from planloom.services.invalidate_plan import invalidate_plan, validate_plan
from planloom.services.world import World


def edit_once(
    world: World,
    account: str,
    plan_id: str,
    path: str,
    content: str,
    expected_sha256: str,
    start: bool,
    request_id: str | None,
) -> answers.ArtifactEdited:
    """Return the answer of plan_artifact_edit. Raises what edit_artifact raises; RequestConflict, RequestInProgress."""
    body = {"plan_id": plan_id, "path": path, "content": content, "expected": expected_sha256, "start": start}

    def work() -> answers.ArtifactEdited:
        done = edit_artifact(
            world, account, plan_id, path, content, expected_sha256, start=start, client_request_id=request_id
        )
        return show.edited(plan_id, done)

    return once("plan_artifact_edit", account, request_id, body, answers.ArtifactEdited, work)


def undo_once(
    world: World,
    account: str,
    plan_id: str,
    path: str,
    version: str | None,
    expected_sha256: str | None,
    start: bool,
    request_id: str | None,
) -> answers.ArtifactEdited:
    """Return the answer of plan_artifact_undo. Raises what undo_edit raises; RequestConflict, RequestInProgress."""
    body = {"plan_id": plan_id, "path": path, "version": version, "expected": expected_sha256, "start": start}

    def work() -> answers.ArtifactEdited:
        done = undo_edit(
            world, account, plan_id, path, version, expected_sha256, start=start, client_request_id=request_id
        )
        return show.edited(plan_id, done)

    return once("plan_artifact_undo", account, request_id, body, answers.ArtifactEdited, work)


def versions(world: World, account: str, plan_id: str, path: str) -> answers.ArtifactVersions:
    """Return the answer of plan_artifact_versions. Raises what artifact_versions raises."""
    return show.versions(plan_id, path, artifact_versions(world, account, plan_id, path))


def invalidate_once(
    world: World,
    account: str,
    plan_id: str,
    stages: list[str],
    artifacts: list[str],
    dry_run: bool,
    start: bool,
    request_id: str | None,
) -> answers.PlanInvalidated:
    """Return the answer of plan_invalidate. Raises what invalidate_plan raises; RequestConflict, RequestInProgress."""
    body = {"plan_id": plan_id, "stages": stages, "artifacts": artifacts, "dry_run": dry_run, "start": start}

    def work() -> answers.PlanInvalidated:
        done = invalidate_plan(
            world, account, plan_id, stages, artifacts, dry_run=dry_run, start=start, client_request_id=request_id
        )
        return show.invalidated(plan_id, done, dry_run=dry_run)

    return once("plan_invalidate", account, request_id, body, answers.PlanInvalidated, work)


def validate_once(
    world: World, account: str, plan_id: str, model_profile: ModelProfile | None, request_id: str | None
) -> answers.PlanValidated:
    """Return the answer of plan_validate. Raises what validate_plan raises; RequestConflict, RequestInProgress."""
    body = {"plan_id": plan_id, "model_profile": model_profile}

    def work() -> answers.PlanValidated:
        plan = validate_plan(world, account, plan_id, model_profile, request_id)
        return answers.PlanValidated(
            plan_id=plan.plan_id,
            derived_from=plan.derived_from or plan_id,
            state=plan.state,
            model_profile=plan.model_profile,
            poll_after_sec=poll_after(world.models, plan),
        )

    return once("plan_validate", account, request_id, body, answers.PlanValidated, work)
