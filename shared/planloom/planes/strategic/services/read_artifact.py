"""Read a file of a plan, whole or in parts: never more at once than a Lambda can answer with."""

import codecs
from collections.abc import Callable
from functools import partial

from planloom.core.artifacts import BESIDE_THE_STAGES, Artifact, artifact, checked, is_text
from planloom.core.errors import ArtifactNotFound, ContentUnavailable, InvalidArgument
from planloom.core.file_store import FileStore
from planloom.core.frozen import Frozen
from planloom.planes.strategic.plans import Plan
from planloom.planes.strategic.ports.groups import PlanRecords
from planloom.planes.strategic.services.own_plan import own_plan

#: A Lambda answers with 6 MB at most, and what is not text grows by a third on its way.
MOST_BYTES = 4 * 1024 * 1024

#: Gives bytes of one file: from a start, so many.
Read = Callable[[int, int], bytes]


class TextPart(Frozen):
    """A part of a text that begins and ends between characters; ``next_offset`` None where nothing follows."""

    artifact: Artifact
    offset: int
    text: str
    next_offset: int | None


def find_artifact(plan_records: PlanRecords, account: str, plan_id: str, path: str) -> tuple[Plan, Artifact]:
    """Return the plan and its file *path*.

    Raises InvalidArgument for a path that names no artifact, PlanNotFound, PermissionDenied, ArtifactNotFound.
    """
    plan = own_plan(plan_records, account, plan_id)
    found = plan_records.plans.file(plan.plan_id, checked(path))
    if found is None and path in BESIDE_THE_STAGES:
        found = plan_records.files.describe(plan.plan_id, path)
    if found is None:
        raise ArtifactNotFound(f"This plan has no file '{path}'. plan_artifacts lists those it has.", path=path)
    return plan, found


def read_bytes(files: FileStore, plan: Plan, file: Artifact, start: int, length: int) -> bytes:
    """Return *length* bytes of *file* from *start*. Raises ContentUnavailable."""
    if length == 0:
        return b""
    content = files.read_part(plan.plan_id, file.path, start, length)
    if content is None or len(content) != length:
        raise ContentUnavailable(f"{file.path} cannot be read just now. Try again in a few seconds.")
    return content


def read_version(plan_records: PlanRecords, account: str, plan_id: str, path: str, version: str) -> bytes:
    """Return what the file was in *version*.

    Raises InvalidArgument, PlanNotFound, PermissionDenied, ArtifactNotFound.
    """
    plan = own_plan(plan_records, account, plan_id)
    content = plan_records.files.read_version(plan.plan_id, checked(path), version)
    if content is None:
        raise ArtifactNotFound(f"{path} has no version '{version[:60]}'. plan_artifact_versions lists them.", path=path)
    return content


def open_artifact(
    plan_records: PlanRecords, account: str, plan_id: str, path: str, version: str | None
) -> tuple[Artifact, Read]:
    """Return the file *path*, as it is or was in *version*, and what reads bytes of it: from a start, so many.

    Raises what find_artifact and read_version raise; reading raises ContentUnavailable.
    """
    if version is None:
        plan, file = find_artifact(plan_records, account, plan_id, path)
        return file, partial(read_bytes, plan_records.files, plan, file)
    content = read_version(plan_records, account, plan_id, path, version)
    return artifact(path, content, plan_records.now()), lambda start, length: content[start : start + length]


def read_text(
    plan_records: PlanRecords,
    account: str,
    plan_id: str,
    path: str,
    offset: int,
    limit: int,
    version: str | None = None,
) -> TextPart:
    """Return the characters of a text file that lie within *limit* (4 or more) bytes from byte *offset*.

    Raises what open_artifact and its reading raise; InvalidArgument for what is no text and for an *offset* behind
    the end.
    """
    file, read = open_artifact(plan_records, account, plan_id, path, version)
    if not is_text(file.content_type):
        raise InvalidArgument(f"{path} is no text ({file.content_type}). Fetch it over HTTP.", field="path")
    if offset > file.size:
        raise InvalidArgument(f"offset {offset} is after the end: {path} has {file.size} bytes.", field="offset")
    length = min(limit, MOST_BYTES, file.size - offset)
    begin, text, end = _characters(read(offset, length), last=offset + length == file.size)
    reached = offset + end
    return TextPart(
        artifact=file, offset=offset + begin, text=text, next_offset=reached if reached < file.size else None
    )


def _characters(content: bytes, *, last: bool) -> tuple[int, str, int]:
    """Return the whole characters in *content*, where the first begins and where the last ends."""
    begin = next((n for n, byte in enumerate(content[:3]) if not 0x80 <= byte < 0xC0), min(3, len(content)))
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    text = decoder.decode(content[begin:], final=last)
    return begin, text, len(content) - len(decoder.getstate()[0])
