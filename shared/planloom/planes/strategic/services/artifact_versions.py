"""Earlier versions of a plan's file: list them, and put one back, which undoes an edit."""

from planloom.core.artifacts import FileVersion, checked
from planloom.core.errors import ArtifactNotFound, InvalidArgument
from planloom.models.profiles import Models
from planloom.planes.strategic.ports.groups import PlanRecords, RunControl
from planloom.planes.strategic.services.commit_edit import resting
from planloom.planes.strategic.services.edit_artifact import Edited, edit_artifact
from planloom.planes.strategic.services.own_plan import changeable, own_plan
from planloom.planes.strategic.services.read_artifact import read_version

#: The newest ones; older ones stay in the bucket.
MOST = 50


def artifact_versions(plan_records: PlanRecords, account: str, plan_id: str, path: str) -> list[FileVersion]:
    """Return the versions of the file *path*, newest first.

    Raises InvalidArgument, PlanNotFound, PermissionDenied; ArtifactNotFound where there never was one.
    """
    plan = own_plan(plan_records, account, plan_id)
    found = plan_records.files.versions(plan.plan_id, checked(path), MOST)
    if not found:
        raise ArtifactNotFound(f"This plan never had a file '{path}'. plan_artifacts lists those it has.", path=path)
    return found


def undo_edit(
    run_control: RunControl,
    models: Models,
    account: str,
    plan_id: str,
    path: str,
    version: str | None = None,
    expected_sha256: str | None = None,
    *,
    start: bool = True,
    client_request_id: str | None = None,
) -> Edited:
    """Put *version* back, by default the newest one whose content is another than the current; as an edit would.

    Raises what edit_artifact raises; ArtifactNotFound and InvalidArgument where there is nothing to put back.
    """
    resting(changeable(own_plan(run_control.plan_records, account, plan_id)))
    versions = artifact_versions(run_control.plan_records, account, plan_id, path)
    current = next((each for each in versions if each.current), None)
    if current is None:
        raise ArtifactNotFound(f"{path} is not there any more; plan_resume makes it again.", path=path)
    wanted = version or next((each.version for each in versions if each.sha256 != current.sha256), None)
    if wanted is None:
        raise InvalidArgument(f"{path} was never anything else: there is nothing to undo.", field="path")
    content = read_version(run_control.plan_records, account, plan_id, path, wanted).decode()
    expected = expected_sha256 or current.sha256 or ""
    return edit_artifact(
        run_control,
        models,
        account,
        plan_id,
        path,
        content,
        expected,
        start=start,
        client_request_id=client_request_id,
        reason="plan_artifact_undo",
    )
