"""Give a file of a plan over HTTP: whole, in the part that Range asks for, or not at all where it is still the same."""

from typing import Annotated, Any

from fastapi import Header, Response

from planloom.api.byte_range import part_of
from planloom.domain.artifacts import Artifact
from planloom.domain.errors import ArtifactTooLarge
from planloom.services.read_artifact import MOST_BYTES, Read

Range = Annotated[str | None, Header(alias="Range", description="bytes=FIRST-LAST")]
Condition = Annotated[str | None, Header()]

#: What routes that give files answer with.
GIVEN: dict[int | str, dict[str, Any]] = {
    200: {"description": "The file", "content": {"*/*": {}}},
    206: {"description": "The part that Range asked for", "content": {"*/*": {}}},
    304: {"description": "Still what If-None-Match names"},
}
#: A file may hold what a model wrote: a browser must not run it where the viewer keeps its key.
QUIET = {"Content-Security-Policy": "sandbox; default-src 'none'", "X-Content-Type-Options": "nosniff"}


def file_response(
    file: Artifact, read: Read, wanted: str | None, if_range: str | None, if_none_match: str | None
) -> Response:
    """Return *file*, of which *read* gives bytes, as the headers of the request want it, at most 4 MiB.

    Raises RangeNotSatisfiable, ArtifactTooLarge and what *read* raises.
    """
    tag = f'"{file.sha256}"'
    headers = {**QUIET, "ETag": tag, "Accept-Ranges": "bytes", "Cache-Control": "private, no-cache"}
    if if_none_match and tag in if_none_match:
        return Response(status_code=304, headers=headers)
    part = part_of(wanted if if_range in (None, tag) else None, file.size)
    if part:
        # a shorter part than was asked for is an answer too: Content-Range says which it is
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
