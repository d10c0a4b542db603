"""Give everything that is kept of a plan as one zip, with a manifest of hashes."""

import json
from typing import Any

from planloom.core.artifacts import Artifact, sha256_of
from planloom.core.file_store import FileStore
from planloom.planes.strategic.plans import Plan
from planloom.planes.strategic.ports.groups import RECORD, PlanRecords
from planloom.planes.strategic.services.list_artifacts import files_of
from planloom.planes.strategic.services.own_plan import own_plan
from planloom.planes.strategic.services.plan_file_info import Contents, FileInfo, contents_of, link_to_zip, with_usage
from planloom.planes.strategic.step_paths import RECORDS

MANIFEST = "manifest.json"


def export_plan(plan_records: PlanRecords, account: str, plan_id: str) -> FileInfo:
    """Return a link to a zip of all artifacts, run files, step records and the plan's own record, in any state.

    Raises InvalidArgument, PlanNotFound, PermissionDenied, ContentUnavailable.
    """
    plan = own_plan(plan_records, account, plan_id)
    files = [*files_of(plan_records, plan), *_records(plan_records.files, plan)]
    newest = max((file.updated_at for file in files), default=plan.created_at)

    def contents() -> Contents:
        found = with_usage(plan, contents_of(plan_records.files, plan, files))
        return found | {MANIFEST: (_manifest(plan, found), newest)}

    listed = "\n".join(f"{file.sha256} {file.path}" for file in files)
    return link_to_zip(
        plan_records.files, plan_records.now, plan, "export", sha256_of(f"export\n{listed}".encode()), contents, newest
    )


def _records(files: FileStore, plan: Plan) -> list[Artifact]:
    paths = [RECORD, *files.paths(plan.plan_id, RECORDS)]
    found = (files.describe(plan.plan_id, path) for path in paths)
    return [file for file in found if file]


def _manifest(plan: Plan, contents: Contents) -> bytes:
    """Return the manifest; the same files give the same bytes."""
    files = [
        {"path": path, "size": len(content), "sha256": sha256_of(content), "updated_at": at.isoformat()}
        for path, (content, at) in sorted(contents.items())
    ]
    kept: dict[str, Any] = {
        "plan_id": plan.plan_id,
        "state": plan.state,
        "model_profile": plan.model_profile,
        "pipeline_version": plan.pipeline_version,
        "created_at": plan.created_at.isoformat(),
        "files": files,
    }
    return json.dumps(kept, indent=2, ensure_ascii=False).encode()
