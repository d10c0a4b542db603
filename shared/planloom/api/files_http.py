"""The files of plans as bytes over HTTP: whole, a range of them, or not at all where the caller has them already."""

from typing import Annotated, Any

from fastapi import APIRouter, Header, Response

from planloom import wiring
from planloom.api.byte_range import part_of
from planloom.core.artifacts import Artifact
from planloom.core.errors import ArtifactTooLarge
from planloom.planes.strategic.services.read_artifact import MOST_BYTES, Read, open_artifact
from planloom.transports.caller import Account, key_in_header
from planloom.transports.errors import ALWAYS, error_responses

Range = Annotated[str | None, Header(alias="Range", description="bytes=FIRST-LAST")]
Condition = Annotated[str | None, Header()]

#: Responses of routes that return files.
FILE_RESPONSES: dict[int | str, dict[str, Any]] = {
    200: {"description": "The file", "content": {"*/*": {}}},
    206: {"description": "The range that was asked for", "content": {"*/*": {}}},
    304: {"description": "Not changed: it has the ETag of If-None-Match"},
}
#: A file may hold what a model wrote: a browser must not run it where the viewer keeps its key.
SANDBOXED = {"Content-Security-Policy": "sandbox; default-src 'none'", "X-Content-Type-Options": "nosniff"}

router = APIRouter(prefix="/v1/plans/{plan_id}", dependencies=[key_in_header])


@router.get(
    "/artifacts/{path}",
    operation_id="strategic_plan_artifact_read",
    summary="Read a file of a plan",
    tags=["files"],
    response_class=Response,
    responses={**FILE_RESPONSES, **error_responses(ALWAYS | {404, 413, 416, 503})},
)
def artifact(
    account: Account,
    plan_id: str,
    path: str,
    wanted: Range = None,
    if_range: Condition = None,
    if_none_match: Condition = None,
) -> Response:
    """Reads a file, at most 4 MiB a call: of what is larger ask for a part with Range, or for a link."""
    file, read = open_artifact(wiring.ports().plan_records, account, plan_id, path, None)
    return file_response(file, read, wanted, if_range, if_none_match)


@router.get(
    "/versions/{path}/{version}",
    operation_id="strategic_plan_artifact_version",
    summary="Read a version of a file",
    tags=["changes"],
    response_class=Response,
    responses={**FILE_RESPONSES, **error_responses(ALWAYS | {404, 413, 416})},
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
    """Reads a file as it was in a version, at most 4 MiB a call: of what is larger ask for a part with Range."""
    file, read = open_artifact(wiring.ports().plan_records, account, plan_id, path, version)
    return file_response(file, read, wanted, if_range, if_none_match)


def file_response(
    file: Artifact, read: Read, wanted: str | None, if_range: str | None, if_none_match: str | None
) -> Response:
    """Return *file*, whose bytes *read* returns, as the headers of the request ask for it, at most 4 MiB.

    Raises RangeNotSatisfiable, ArtifactTooLarge and what *read* raises.
    """
    tag = f'"{file.sha256}"'
    headers = {**SANDBOXED, "ETag": tag, "Accept-Ranges": "bytes", "Cache-Control": "private, no-cache"}
    if if_none_match and tag in if_none_match:
        return Response(status_code=304, headers=headers)
    part = part_of(wanted if if_range in (None, tag) else None, file.size)
    if part:
        # a shorter range than was asked for is allowed: Content-Range says which it is
        start, length = part[0], min(part[1], MOST_BYTES)
        headers["Content-Range"] = f"bytes {start}-{start + length - 1}/{file.size}"
        return Response(read(start, length), 206, headers, _media_type(file))
    if file.size > MOST_BYTES:
        raise ArtifactTooLarge(
            f"{file.path} has {file.size:,} bytes; one call gives {MOST_BYTES:,}. Ask for parts with a Range header, "
            "or for a link to the report or the zip.",
            size=file.size,
            limit=MOST_BYTES,
        )
    return Response(read(0, file.size), 200, headers, _media_type(file))


def _media_type(file: Artifact) -> str:
    text = file.content_type.startswith("text/") and "charset" not in file.content_type
    return f"{file.content_type}; charset=utf-8" if text else file.content_type
