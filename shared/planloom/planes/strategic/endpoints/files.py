"""The files of a plan: list, read, link, export and compare them."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from planloom.core.endpoint import GET, ApiModel, Endpoint, Text
from planloom.core.errors import (
    ArtifactNotFound,
    ArtifactTooLarge,
    ContentUnavailable,
    GenerationFailed,
    PlanNotFound,
)
from planloom.planes.strategic.endpoints.plan_fields import FileLink, PlanRequest, link_to
from planloom.planes.strategic.ports.groups import PlanRecords
from planloom.planes.strategic.services.diff_plans import PlanDiff, diff_plans, diff_text
from planloom.planes.strategic.services.export_plan import export_plan
from planloom.planes.strategic.services.list_artifacts import MOST, ArtifactPage, list_artifacts
from planloom.planes.strategic.services.plan_file_info import ArtifactChoice, plan_file_info
from planloom.planes.strategic.services.read_artifact import read_text

#: What an agent reads in one call without losing sight of its task.
READ_AT_ONCE, MOST_READ = 20_000, 500_000
DIFF_CHARACTERS = 40_000
_SHOWN = {"path", "size", "sha256", "content_type", "updated_at", "edited"}


class PlanFile(PlanRequest):
    """Which plan, and which of its two results."""

    artifact: ArtifactChoice = Field(
        default="report", description="report: interactive HTML. zip: all intermediary files (md, json, csv)."
    )


class PlanFileInfo(FileLink):
    """Response of plan_file_info once the file is ready."""

    artifact: str = Field(description="report or zip")


def _file_info(request: PlanFile, account: str, plan_records: PlanRecords) -> PlanFileInfo | None:
    info = plan_file_info(plan_records, account, request.plan_id, request.artifact)
    return PlanFileInfo(artifact=request.artifact, **link_to(info)) if info else None


class ListArtifacts(PlanRequest):
    """Which plan, and which page of which of its files."""

    prefix: str = Field(default="", max_length=120, description="Only paths with this prefix: 016- is step 016.")
    after: str = Field(default="", max_length=200, description="next_after of the page before.")
    limit: int = Field(default=100, ge=1, le=MOST, description="How many files to return.")


class AllArtifacts(ListArtifacts):
    """The same; over HTTP a page has all files by default."""

    limit: int = Field(default=MOST, ge=1, le=MOST, description="How many files to return.")


class ArtifactEntry(ApiModel):
    """One file of a plan."""

    path: str
    size: int = Field(description="Bytes")
    sha256: str
    content_type: str
    updated_at: datetime
    edited: bool = Field(description="By a caller, after its stage had made it")


class ArtifactList(ApiModel):
    """Response of plan_artifacts, in order of path, which is that of the pipeline."""

    plan_id: str
    artifacts: list[ArtifactEntry]
    total: int = Field(description="How many have the prefix, on all pages together")
    next_after: str | None = Field(description="Pass it as after for the next page; null on the last one")


def listed(page: ArtifactPage) -> ArtifactList:
    """Return *page* as plan_artifacts does."""
    entries = [ArtifactEntry.model_validate(file.model_dump(include=_SHOWN)) for file in page.artifacts]
    last = page.artifacts[-1].path if page.more else None
    return ArtifactList(plan_id=page.plan_id, artifacts=entries, total=page.total, next_after=last)


def _list(request: ListArtifacts, account: str, plan_records: PlanRecords) -> ArtifactList:
    return listed(list_artifacts(plan_records, account, request.plan_id, request.prefix, request.after, request.limit))


class ReadArtifact(PlanRequest):
    """Which part of which file."""

    path: str = Field(description="As plan_artifacts gives it: 016-2-expert_criticism.md")
    offset: int = Field(default=0, ge=0, description="Byte to start at: next_offset of the part before.")
    limit: int = Field(default=READ_AT_ONCE, ge=100, le=MOST_READ, description="Bytes to read at most.")
    version: str | None = Field(
        default=None, min_length=1, max_length=1024, description="An earlier one, as plan_artifact_versions gives it."
    )


class ArtifactText(ApiModel):
    """Response of plan_artifact_read: a part of a text."""

    plan_id: str
    path: str
    content_type: str
    size: int = Field(description="Bytes of the whole file")
    sha256: str = Field(description="Of the whole file; pass it as expected_sha256 when you edit it")
    edited: bool | None = Field(description="True: by a caller; null for an earlier version, where it is not known")
    offset: int = Field(description="Where the text starts, in bytes")
    text: str
    next_offset: int | None = Field(description="Pass it as offset for what follows; null at the end")


def _read(request: ReadArtifact, account: str, plan_records: PlanRecords) -> ArtifactText:
    part = read_text(
        plan_records, account, request.plan_id, request.path, request.offset, request.limit, request.version
    )
    file = part.artifact.model_dump(include=_SHOWN - {"updated_at"}) | ({"edited": None} if request.version else {})
    return ArtifactText(
        plan_id=request.plan_id, offset=part.offset, text=part.text, next_offset=part.next_offset, **file
    )


class PlanExport(FileLink):
    """Response of plan_export."""


def _export(request: PlanRequest, account: str, plan_records: PlanRecords) -> PlanExport:
    return PlanExport(**link_to(export_plan(plan_records, account, request.plan_id)))


class ComparePlans(PlanRequest):
    """Which two plans."""

    other_plan_id: str = Field(description="The plan to compare it with: the newer one of the two.")
    step: str = Field(default="", pattern=r"^(\d{3}(-\w*)?)?$", description="016 compares that section alone, uncut.")


class ComparePlansAs(ComparePlans):
    """The same, and in which format."""

    format: Literal["json", "text"] = Field(default="json", description="text: to be read")


class SectionChange(ApiModel):
    """How one section differs."""

    path: str
    title: str
    change: Literal["same", "changed", "added", "removed"]
    lines_added: int
    lines_removed: int
    diff: str = Field(description="Unified diff; empty where nothing differs")
    truncated: bool = Field(description="The diff is cut: ask for this step alone")


class PlanComparison(ApiModel):
    """Response of plan_diff: the prompt first, then the sections in order of the pipeline."""

    plan_id: str
    other_plan_id: str
    same: bool
    sections: list[SectionChange]


def _compare(request: ComparePlans, account: str, plan_records: PlanRecords) -> PlanComparison:
    found = diff_plans(plan_records, account, request.plan_id, request.other_plan_id, request.step)
    return _comparison(found, None if request.step else DIFF_CHARACTERS)


def _compare_as(request: ComparePlansAs, account: str, plan_records: PlanRecords) -> PlanComparison | Text:
    found = diff_plans(plan_records, account, request.plan_id, request.other_plan_id, request.step)
    return Text(diff_text(found), "text/plain; charset=utf-8") if request.format == "text" else _comparison(found)


def _comparison(found: PlanDiff, characters: int | None = None) -> PlanComparison:
    """Return what differs, with at most *characters* of diffs in all: later ones are cut and say so."""
    left = characters
    sections = []
    for section in found.sections:
        shown = SectionChange.model_validate(section.model_dump())
        if left is not None:
            shown.diff, shown.truncated = shown.diff[:left], shown.truncated or len(shown.diff) > left
            left -= len(shown.diff)
        sections.append(shown)
    same = all(section.change == "same" for section in found.sections)
    return PlanComparison(plan_id=found.plan_id, other_plan_id=found.other_plan_id, same=same, sections=sections)


PLAN_FILE_INFO = Endpoint(
    name="plan_file_info",
    title="Download link",
    description="""\
Returns download_url for the report or the zip of a plan; the link is absolute, needs no key and lives an hour.
Returns {} while the file is not ready: keep polling plan_status; the report of a stopped plan needs plan_resume
first. error generation_failed: the plan failed, there is no report. error content_unavailable: try again shortly.""",
    group="plans",
    http=GET("/v1/plans/{plan_id}/files/{artifact}"),
    request=PlanFile,
    response=PlanFileInfo,
    errors=(PlanNotFound, GenerationFailed, ContentUnavailable),
    # by specification (9.2): trouble with the file is no error of the call
    reported=(GenerationFailed, ContentUnavailable),
    may_be_empty=True,
    handler=_file_info,
)
PLAN_ARTIFACTS = Endpoint(
    name="plan_artifacts",
    title="List a plan's files",
    description="""\
Lists the files that a plan has so far, with size, sha256 and content_type. NNN-1-name.json is the result of step
NNN, NNN-2-name.md the same to be read; 001-2-plan.txt is the prompt. Read one with plan_artifact_read.""",
    group="files",
    http=GET("/v1/plans/{plan_id}/artifacts", request=AllArtifacts),
    request=ListArtifacts,
    response=ArtifactList,
    errors=(PlanNotFound,),
    handler=_list,
)
#: Over HTTP files are given as bytes: planloom.api.files_http.
PLAN_ARTIFACT_READ = Endpoint(
    name="plan_artifact_read",
    title="Read a file of a plan",
    description="""\
Reads a text file of a plan, in parts where it is long: continue with offset next_offset until that is null. Its
sha256 is what an edit must name as expected_sha256. error content_unavailable: try again shortly.""",
    group="files",
    request=ReadArtifact,
    response=ArtifactText,
    errors=(PlanNotFound, ArtifactNotFound, ArtifactTooLarge, ContentUnavailable),
    reported=(ContentUnavailable,),
    handler=_read,
)
PLAN_EXPORT = Endpoint(
    name="plan_export",
    title="Export everything",
    description="""\
Returns download_url of a zip with everything that is kept of a plan, in any state: all artifacts, step records
and run files, and manifest.json with the hash of each. The link needs no key and lives an hour.""",
    group="files",
    http=GET("/v1/plans/{plan_id}/export"),
    request=PlanRequest,
    response=PlanExport,
    errors=(PlanNotFound, ContentUnavailable),
    handler=_export,
)
PLAN_DIFF = Endpoint(
    name="plan_diff",
    title="Compare two plans",
    description="""\
Says how other_plan_id differs from plan_id: the prompt first, then section by section, each with the lines added
and removed and a unified diff. Long diffs are cut (truncated): ask again with step for one section alone.""",
    group="files",
    http=GET(
        "/v1/plans/{plan_id}/diff/{other_plan_id}", text="text/plain", request=ComparePlansAs, handler=_compare_as
    ),
    request=ComparePlans,
    response=PlanComparison,
    errors=(PlanNotFound, ArtifactTooLarge, ContentUnavailable),
    handler=_compare,
)
