"""Give the report or the zip of a plan as a link that lives an hour."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from typing import Literal

from planloom.core.artifacts import QUALITY, REPORT, Artifact, sha256_of
from planloom.core.clock import Clock
from planloom.core.errors import ContentUnavailable, GenerationFailed, PlanNotCompleted
from planloom.core.file_store import FileStore
from planloom.core.frozen import Frozen
from planloom.planes.strategic.plans import ListedPlan, Plan
from planloom.planes.strategic.ports.groups import PlanRecords
from planloom.planes.strategic.report.bundle import zip_of
from planloom.planes.strategic.services.list_artifacts import files_of
from planloom.planes.strategic.services.own_plan import own_plan
from planloom.planes.strategic.services.usage_file import USAGE, usage_file

ArtifactChoice = Literal["report", "zip"]
Contents = dict[str, tuple[bytes, datetime]]
LINK_SECONDS = 3600
READERS = 16


class FileInfo(Frozen):
    """A file that can be fetched: ``size`` in bytes, ``sha256`` in hex, a link and when it stops working.

    ``path`` is what callers know it by, ``stored_at`` where it is among the plan's files.
    """

    plan_id: str
    path: str
    stored_at: str
    content_type: str
    size: int
    sha256: str
    generated_at: datetime
    url: str
    url_expires_at: datetime


def plan_file_info(plan_records: PlanRecords, account: str, plan_id: str, choice: ArtifactChoice) -> FileInfo | None:
    """Return the file, or None while it is not ready.

    The report of a stopped plan is not ready either: a resume may yet make it. Raises InvalidArgument, PlanNotFound,
    PermissionDenied; GenerationFailed for the report of a failed plan; ContentUnavailable where a file that should be
    there cannot be read.
    """
    plan = own_plan(plan_records, account, plan_id)
    if choice == "report":
        return _report(plan_records, plan)
    return _zip(plan_records, plan)


def finished_file(plan_records: PlanRecords, account: str, plan_id: str, choice: ArtifactChoice) -> FileInfo:
    """Return what plan_file_info does. Raises what it raises, and PlanNotCompleted while the file is not ready."""
    found = plan_file_info(plan_records, account, plan_id, choice)
    if found is None:
        raise PlanNotCompleted(
            f"The {choice} is not ready: poll plan_status until the plan is completed. plan_resume continues a plan "
            "that was stopped."
        )
    return found


def made_zip(plan_records: PlanRecords, plan: Plan | ListedPlan) -> Artifact | None:
    """Describe the zip of a plan that has ended, if it was made since the plan's files last changed; make none."""
    files = files_of(plan_records, plan)
    found = plan_records.files.describe(plan.plan_id, _stored_at(_digest(files)))
    return found.model_copy(update={"updated_at": _newest(plan, files)}) if found else None


def contents_of(file_store: FileStore, plan: Plan, files: list[Artifact]) -> Contents:
    """Return bytes and time of each of *files*, by path. Raises ContentUnavailable."""

    def read(file: Artifact) -> tuple[bytes, datetime]:
        content = file_store.read(plan.plan_id, file.path)
        if content is None:
            raise ContentUnavailable(f"{file.path} cannot be read just now. Try again in a few seconds.")
        return content, file.updated_at

    # in parallel: a plan has some 200 files, and the caller waits for all of them
    with ThreadPoolExecutor(READERS) as readers:
        return dict(zip((file.path for file in files), readers.map(read, files), strict=True))


def with_usage(plan: Plan, contents: Contents) -> Contents:
    """Return *contents* with ``usage.json``, computed from their model calls, and ``quality.json`` by its name."""
    calls = {path: content for path, (content, _) in contents.items()}
    latest = max((at for _, at in contents.values()), default=plan.created_at)
    named = {"quality.json": contents[QUALITY]} if QUALITY in contents else {}
    return contents | named | {USAGE: (usage_file(plan, calls), latest)}


def link_to_zip(
    files: FileStore,
    clock: Clock,
    plan: Plan,
    name: str,
    digest: str,
    contents: Callable[[], Contents],
    newest: datetime,
) -> FileInfo:
    """Return a link to the zip of *contents*, whose hash is *digest*: the same files are zipped once."""
    path = _stored_at(digest)
    content = files.read(plan.plan_id, path)
    if content is None:
        content = zip_of(contents())
        files.write(plan.plan_id, path, content, "application/zip")
    made = Artifact(
        path=f"{name}.zip",
        size=len(content),
        sha256=sha256_of(content),
        content_type="application/zip",
        updated_at=newest,
    )
    return _info(files, clock, plan, made, path, f"{plan.plan_id}-{name}.zip")


def _report(plan_records: PlanRecords, plan: Plan) -> FileInfo | None:
    if plan.state == "failed":
        raise GenerationFailed(_why_no_report(plan), state=plan.state)
    if plan.state != "completed":
        return None
    found, stored = plan_records.plans.file(plan.plan_id, REPORT), plan_records.files.describe(plan.plan_id, REPORT)
    # a link is not checked when it is made: its caller would get the 404 of the store
    if found is None or stored is None or stored.sha256 != found.sha256:
        raise ContentUnavailable("The report cannot be read just now. Try again in a few seconds.")
    return _info(plan_records.files, plan_records.now, plan, found, REPORT, f"{plan.plan_id}-{REPORT}")


def _why_no_report(plan: Plan) -> str:
    why = plan.failure.message if plan.failure else "The plan failed."
    return f"{why} There is no report; plan_status says whether a resume can help."


def _zip(plan_records: PlanRecords, plan: Plan) -> FileInfo | None:
    if plan.state in ("pending", "processing"):
        return None
    files = files_of(plan_records, plan)

    def contents() -> Contents:
        return with_usage(plan, contents_of(plan_records.files, plan, files))

    return link_to_zip(
        plan_records.files, plan_records.now, plan, "run", _digest(files), contents, _newest(plan, files)
    )


def _digest(files: list[Artifact]) -> str:
    return sha256_of("\n".join(f"{file.sha256} {file.path}" for file in files).encode())


def _newest(plan: Plan | ListedPlan, files: list[Artifact]) -> datetime:
    return max((file.updated_at for file in files), default=plan.created_at)


def _stored_at(digest: str) -> str:
    # named by what it holds: a file that changes makes another zip
    return f"exports/{digest}.zip"


def _info(files: FileStore, clock: Clock, plan: Plan, file: Artifact, path: str, filename: str) -> FileInfo:
    return FileInfo(
        plan_id=plan.plan_id,
        path=file.path,
        stored_at=path,
        content_type=file.content_type,
        size=file.size,
        sha256=file.sha256,
        generated_at=file.updated_at,
        url=files.link(plan.plan_id, path, filename, LINK_SECONDS),
        url_expires_at=clock() + timedelta(seconds=LINK_SECONDS),
    )
