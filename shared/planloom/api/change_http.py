"""Change a plan over HTTP: edit its files, look at and put back earlier versions, invalidate and validate.

The services behind it look at all stages, which routes that only ask for a status need not import: so each imports them
when it is called.
"""

from typing import Annotated

from fastapi import APIRouter, Body, Response
from pydantic import Field

from planloom import wiring
from planloom.api import change_answers as answers
from planloom.api.answers import AnswerModel
from planloom.api.file_response import GIVEN, Condition, Range, file_response
from planloom.api.http_caller import Account, key_in_header
from planloom.api.refusals import refusals
from planloom.domain.plans import ModelProfile
from planloom.services.read_artifact import open_artifact

router = APIRouter(
    prefix="/v1/plans/{plan_id}",
    tags=["changes"],
    dependencies=[key_in_header],
    responses=refusals(401, 403, 404, 422, 500),
)


class Change(AnswerModel):
    """What the bodies of all changes take."""

    start: bool = Field(default=True, description="False: leave the plan derived from a completed one stopped")
    client_request_id: str | None = Field(
        default=None, min_length=1, max_length=200, description="A repeat with the same id is no second change"
    )


class Edit(Change):
    """Body of PUT /v1/plans/{plan_id}/artifacts/{path}."""

    content: str = Field(description="The whole file")
    expected_sha256: str = Field(description="The hash of what you changed", pattern="^[0-9a-f]{64}$")


class Undo(Change):
    """Body of POST /v1/plans/{plan_id}/versions/{path}."""

    version: str | None = Field(default=None, max_length=1024, description="By default the one before the current")
    expected_sha256: str | None = Field(default=None, pattern="^[0-9a-f]{64}$")


class Invalidate(Change):
    """Body of POST /v1/plans/{plan_id}/invalidate."""

    stages: list[str] = Field(default=[], max_length=30, description="016, expert_criticism or 016-expert_criticism")
    artifacts: list[str] = Field(default=[], max_length=300, description="Files whose steps are made again")
    dry_run: bool = Field(default=False, description="Only say what would be made again, and at what cost")


class Validate(AnswerModel):
    """Body of POST /v1/plans/{plan_id}/validate."""

    model_profile: ModelProfile | None = Field(default=None, description="By default the one the plan has")
    client_request_id: str | None = Field(default=None, min_length=1, max_length=200)


@router.put(
    "/artifacts/{path}",
    operation_id="plan_artifact_edit",
    response_model=answers.ArtifactEdited,
    responses=refusals(402, 409, 503),
)
def edit(account: Account, plan_id: str, path: str, body: Annotated[Edit, Body()]) -> answers.ArtifactEdited:
    """Replace a file. A completed plan stays as it is: the edit makes a plan derived from it."""
    from planloom.api import change_once

    world, request = wiring.world(), body.client_request_id
    return change_once.edit_once(world, account, plan_id, path, body.content, body.expected_sha256, body.start, request)


@router.get("/versions/{path}", operation_id="plan_artifact_versions", response_model=answers.ArtifactVersions)
def versions(account: Account, plan_id: str, path: str) -> answers.ArtifactVersions:
    """List the versions of a file, newest first."""
    from planloom.api import change_once

    return change_once.versions(wiring.world(), account, plan_id, path)


@router.get(
    "/versions/{path}/{version}",
    operation_id="plan_artifact_version",
    response_class=Response,
    responses={**GIVEN, **refusals(413, 416)},
)
def version(
    account: Account,
    plan_id: str,
    path: str,
    version: str,
    wanted: Range = None,
    if_range: Condition = None,
    if_none_match: Condition = None,
) -> Response:
    """Give a file as it was in a version, at most 4 MiB a call: of what is larger ask for a part with Range."""
    file, read = open_artifact(wiring.world(), account, plan_id, path, version)
    return file_response(file, read, wanted, if_range, if_none_match)


@router.post(
    "/versions/{path}",
    operation_id="plan_artifact_undo",
    response_model=answers.ArtifactEdited,
    responses=refusals(402, 409, 503),
)
def undo(
    account: Account, plan_id: str, path: str, body: Annotated[Undo | None, Body()] = None
) -> answers.ArtifactEdited:
    """Put an earlier version of a file back, by default the one before the current."""
    from planloom.api import change_once

    asked = body or Undo()
    return change_once.undo_once(
        wiring.world(),
        account,
        plan_id,
        path,
        asked.version,
        asked.expected_sha256,
        asked.start,
        asked.client_request_id,
    )


@router.post(
    "/invalidate",
    operation_id="plan_invalidate",
    response_model=answers.PlanInvalidated,
    responses=refusals(402, 409, 503),
)
def invalidate(account: Account, plan_id: str, body: Annotated[Invalidate, Body()]) -> answers.PlanInvalidated:
    """Have steps made again. With dry_run, only say which, why, and what they cost before."""
    from planloom.api import change_once

    return change_once.invalidate_once(
        wiring.world(),
        account,
        plan_id,
        body.stages,
        body.artifacts,
        body.dry_run,
        body.start,
        body.client_request_id,
    )


@router.post(
    "/validate",
    status_code=202,
    operation_id="plan_validate",
    response_model=answers.PlanValidated,
    responses=refusals(402, 409, 503),
)
def validate(account: Account, plan_id: str, body: Annotated[Validate | None, Body()] = None) -> answers.PlanValidated:
    """Criticism, review, self-audit and report anew over what is there, in a derived plan."""
    from planloom.api import change_once

    asked = body or Validate()
    return change_once.validate_once(wiring.world(), account, plan_id, asked.model_profile, asked.client_request_id)
