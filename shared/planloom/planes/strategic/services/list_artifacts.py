"""List the files of a plan: its prompt, what its stages made, and logs and errors of its runs."""

from concurrent.futures import ThreadPoolExecutor

from planloom.core.artifacts import BESIDE_THE_STAGES, Artifact
from planloom.core.frozen import Frozen
from planloom.planes.strategic.plans import ListedPlan, Plan
from planloom.planes.strategic.ports.groups import PlanRecords
from planloom.planes.strategic.services.own_plan import own_plan

MOST = 1000


class ArtifactPage(Frozen):
    """Some of a plan's files in order of path; ``total`` counts all that begin as asked."""

    plan_id: str
    artifacts: tuple[Artifact, ...]
    total: int
    more: bool


def list_artifacts(
    plan_records: PlanRecords, account: str, plan_id: str, prefix: str = "", after: str = "", limit: int = MOST
) -> ArtifactPage:
    """Return at most *limit* files whose path begins with *prefix* and comes behind *after*.

    Raises InvalidArgument, PlanNotFound, PermissionDenied.
    """
    plan = own_plan(plan_records, account, plan_id)
    found = [file for file in files_of(plan_records, plan) if file.path.startswith(prefix)]
    left = [file for file in found if file.path > after]
    page = left[: max(1, min(limit, MOST))]
    return ArtifactPage(plan_id=plan.plan_id, artifacts=tuple(page), total=len(found), more=len(left) > len(page))


def files_of(plan_records: PlanRecords, plan: Plan | ListedPlan) -> list[Artifact]:
    """Return every file of *plan* that callers may read, in order of path."""

    def describe(path: str) -> Artifact | None:
        return plan_records.files.describe(plan.plan_id, path)

    made = {file.path: file for file in plan_records.plans.all_files(plan.plan_id)}
    unlisted = [path for path in BESIDE_THE_STAGES if path not in made]
    # side by side: each is a call of its own, and mostly there is none
    with ThreadPoolExecutor(len(BESIDE_THE_STAGES)) as readers:
        found = {file.path: file for file in readers.map(describe, unlisted) if file}
    return [file for _, file in sorted((found | made).items())]
