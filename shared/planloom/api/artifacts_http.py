"""The files of plans over HTTP: listed, read in parts, exported, compared; and plans put away."""

from typing import Annotated, Literal

from fastapi import APIRouter, Body, Query, Response
from fastapi.responses import PlainTextResponse

from planloom import wiring
from planloom.api import artifact_answers as answers
from planloom.api import show_artifacts as show
from planloom.api.answers import AnswerModel
from planloom.api.file_response import GIVEN, Condition, Range, file_response
from planloom.api.http_caller import Account, key_in_header
from planloom.api.refusals import refusals
from planloom.services.archive_plan import archive_plan
from planloom.services.delete_plan import delete_plan
from planloom.services.diff_plans import diff_plans, diff_text
from planloom.services.export_plan import export_plan
from planloom.services.list_artifacts import MOST, list_artifacts
from planloom.services.read_artifact import open_artifact

router = APIRouter(
    prefix="/v1/plans/{plan_id}",
    tags=["files"],
    dependencies=[key_in_header],
    responses=refusals(401, 403, 404, 422, 500),
)


class Archive(AnswerModel):
    """Body of POST /v1/plans/{plan_id}/archive."""

    archived: bool = True


@router.get("/artifacts", operation_id="plan_artifacts", response_model=answers.ArtifactList)
def artifacts(
    account: Account,
    plan_id: str,
    prefix: Annotated[str, Query(max_length=120, description="016- lists the files of step 016")] = "",
    after: Annotated[str, Query(max_length=200, description="next_after of the page before")] = "",
    limit: Annotated[int, Query(ge=1, le=MOST)] = MOST,
) -> answers.ArtifactList:
    """List the files of a plan, those of a run under way too."""
    return show.artifact_list(list_artifacts(wiring.world(), account, plan_id, prefix, after, limit))


@router.get(
    "/artifacts/{path}",
    operation_id="plan_artifact_read",
    response_class=Response,
    responses={**GIVEN, **refusals(413, 416, 503)},
)
def artifact(
    account: Account,
    plan_id: str,
    path: str,
    wanted: Range = None,
    if_range: Condition = None,
    if_none_match: Condition = None,
) -> Response:
    """Read a file, at most 4 MiB a call: of what is larger ask for a part with Range, or for a link."""
    file, read = open_artifact(wiring.world(), account, plan_id, path, None)
    return file_response(file, read, wanted, if_range, if_none_match)


@router.get("/export", operation_id="plan_export", response_model=answers.PlanExport, responses=refusals(503))
def export(account: Account, plan_id: str) -> answers.PlanExport:
    """Give a link to a zip of everything that is kept of a plan, with a manifest of hashes."""
    return show.export(export_plan(wiring.world(), account, plan_id))


@router.get(
    "/diff/{other_plan_id}",
    operation_id="plan_diff",
    response_model=answers.PlanComparison,
    responses={200: {"content": {"text/plain": {}}}, **refusals(413, 503)},
)
def diff(
    account: Account,
    plan_id: str,
    other_plan_id: str,
    step: Annotated[str, Query(pattern=r"^(\d{3}(-\w*)?)?$", description="016: that section alone, uncut")] = "",
    format: Annotated[Literal["json", "text"], Query(description="text: to be read")] = "json",
) -> answers.PlanComparison | Response:
    """Say how another plan differs from this one: the prompt, then section by section."""
    found = diff_plans(wiring.world(), account, plan_id, other_plan_id, step)
    return PlainTextResponse(diff_text(found)) if format == "text" else show.comparison(found)


@router.post("/archive", operation_id="plan_archive", response_model=answers.PlanArchive, responses=refusals(409))
def archive(account: Account, plan_id: str, body: Annotated[Archive | None, Body()] = None) -> answers.PlanArchive:
    """Freeze a plan and take it out of the list, or with ``archived: false`` take it back."""
    archived = (body or Archive()).archived
    return show.archive(archive_plan(wiring.world(), account, plan_id, archived=archived))


@router.delete("", operation_id="plan_delete", response_model=answers.PlanDeleted, responses=refusals(409))
def delete(account: Account, plan_id: str) -> answers.PlanDeleted:
    """Delete a plan for good. It must have come to an end, or been stopped."""
    return show.deleted(plan_id, delete_plan(wiring.world(), account, plan_id))
