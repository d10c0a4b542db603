"""Read the report, the zip or a file of a plan as bytes, for those who read resources instead of following links."""

from planloom.core.artifacts import Artifact
from planloom.core.errors import ArtifactTooLarge, ContentUnavailable
from planloom.core.frozen import Frozen
from planloom.planes.strategic.ports.groups import PlanRecords
from planloom.planes.strategic.services.plan_file_info import ArtifactChoice, FileInfo, finished_file
from planloom.planes.strategic.services.read_artifact import MOST_BYTES, find_artifact, read_bytes


class Content(Frozen):
    """Bytes and what they are."""

    artifact: Artifact
    content: bytes


def plan_file(plan_records: PlanRecords, account: str, plan_id: str, choice: ArtifactChoice) -> Content:
    """Return the report or the zip.

    Raises what finished_file raises, and ArtifactTooLarge.
    """
    found = finished_file(plan_records, account, plan_id, choice)
    described = _described(found)
    _fits(described, choice)
    content = plan_records.files.read(str(found.plan_id), found.stored_at)
    if content is None:
        raise ContentUnavailable(f"The {choice} cannot be read just now. Try again in a few seconds.")
    return Content(artifact=described, content=content)


def plan_artifact(plan_records: PlanRecords, account: str, plan_id: str, path: str) -> Content:
    """Return a file of the plan. Raises what find_artifact and read_bytes raise, and ArtifactTooLarge."""
    plan, file = find_artifact(plan_records, account, plan_id, path)
    _fits(file, path)
    return Content(artifact=file, content=read_bytes(plan_records.files, plan, file, 0, file.size))


def _described(found: FileInfo) -> Artifact:
    return Artifact(
        path=found.path,
        size=found.size,
        sha256=found.sha256,
        content_type=found.content_type,
        updated_at=found.generated_at,
    )


def _fits(file: Artifact, name: str) -> None:
    if file.size > MOST_BYTES:
        raise ArtifactTooLarge(
            f"{name} has {file.size:,} bytes; a resource gives {MOST_BYTES:,}. Fetch the download_url of "
            "plan_file_info, or read a text in parts with plan_artifact_read.",
            size=file.size,
            limit=MOST_BYTES,
        )
