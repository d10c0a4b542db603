"""Give the report or the zip of a plan as a link that lives an hour."""

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from typing import Literal

from planloom.domain.artifacts import REPORT, Artifact, sha256_of
from planloom.domain.errors import ContentUnavailable, GenerationFailed
from planloom.domain.frozen import Frozen
from planloom.domain.plans import Plan
from planloom.report.bundle import zip_of
from planloom.services.own_plan import own_plan
from planloom.services.usage_file import USAGE, usage_file
from planloom.services.world import World

ArtifactChoice = Literal["report", "zip"]
LINK_SECONDS = 3600
READERS = 16


class FileInfo(Frozen):
    """A file that can be fetched: ``size`` in bytes, ``sha256`` in hex, a link and when it stops working."""

    path: str
    content_type: str
    size: int
    sha256: str
    generated_at: datetime
    url: str
    url_expires_at: datetime


def plan_file_info(world: World, account: str, plan_id: str, choice: ArtifactChoice) -> FileInfo | None:
    """Return the file, or None while it is not ready.

    Raises InvalidArgument, PlanNotFound, PermissionDenied; GenerationFailed for the report of a failed plan;
    ContentUnavailable where a file that should be there cannot be read.
    """
    plan = own_plan(world, account, plan_id)
    if choice == "report":
        return _report(world, plan)
    return _zip(world, plan)


def _report(world: World, plan: Plan) -> FileInfo | None:
    if plan.state == "failed":
        why = plan.failure.message if plan.failure else "The plan failed."
        raise GenerationFailed(f"{why} There is no report; plan_status says whether a resume can help.")
    if plan.state != "completed":
        return None
    found = next((file for file in world.plans.all_files(plan.plan_id) if file.path == REPORT), None)
    if found is None:
        raise ContentUnavailable("The report cannot be read just now. Try again in a few seconds.")
    return _info(world, plan, found, REPORT, f"{plan.plan_id}-{REPORT}")


def _zip(world: World, plan: Plan) -> FileInfo | None:
    if plan.state in ("pending", "processing"):
        return None
    files = world.plans.all_files(plan.plan_id)
    manifest = "\n".join(f"{file.sha256} {file.path}" for file in files)
    # named by what it holds: a file that changes makes another zip, the same files are zipped once
    path = f"exports/{sha256_of(manifest.encode())}.zip"
    content = world.files.read(plan.plan_id, path)
    if content is None:
        content = zip_of(_with_usage(plan, _contents(world, plan, files)))
        world.files.write(plan.plan_id, path, content, "application/zip")
    made = Artifact(
        path="run.zip",
        size=len(content),
        sha256=sha256_of(content),
        content_type="application/zip",
        updated_at=max((file.updated_at for file in files), default=plan.created_at),
    )
    return _info(world, plan, made, path, f"{plan.plan_id}-run.zip")


def _contents(world: World, plan: Plan, files: list[Artifact]) -> dict[str, tuple[bytes, datetime]]:
    def read(file: Artifact) -> tuple[bytes, datetime]:
        content = world.files.read(plan.plan_id, file.path)
        if content is None:
            raise ContentUnavailable(f"{file.path} cannot be read just now. Try again in a few seconds.")
        return content, file.updated_at

    # side by side: a plan has some 200 files, and whoever asked waits for all of them
    with ThreadPoolExecutor(READERS) as readers:
        return dict(zip((file.path for file in files), readers.map(read, files), strict=True))


def _with_usage(plan: Plan, contents: dict[str, tuple[bytes, datetime]]) -> dict[str, tuple[bytes, datetime]]:
    calls = {path: content for path, (content, _) in contents.items()}
    latest = max((at for _, at in contents.values()), default=plan.created_at)
    return contents | {USAGE: (usage_file(plan, calls), latest)}


def _info(world: World, plan: Plan, file: Artifact, path: str, filename: str) -> FileInfo:
    return FileInfo(
        path=file.path,
        content_type=file.content_type,
        size=file.size,
        sha256=file.sha256,
        generated_at=file.updated_at,
        url=world.files.link(plan.plan_id, path, filename, LINK_SECONDS),
        url_expires_at=world.now() + timedelta(seconds=LINK_SECONDS),
    )
