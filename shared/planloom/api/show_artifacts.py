"""Turn what the services of files return into what callers get."""

from datetime import datetime

from planloom.api import artifact_answers as answers
from planloom.api.show import link_to
from planloom.domain.plans import Plan
from planloom.services.diff_plans import PlanDiff
from planloom.services.list_artifacts import ArtifactPage
from planloom.services.plan_file_info import FileInfo
from planloom.services.read_artifact import TextPart

#: What stays of a deleted plan, as docs/mcp.md says too.
REMAINS = (
    "All files, versions, zips, links and events of the plan are gone. A tombstone keeps its id and account, so that "
    "the id is never given again; log lines go with the logs, and the table's own backups after 35 days."
)


def artifact_list(page: ArtifactPage) -> answers.ArtifactList:
    """Show a page of files."""
    entries = [answers.ArtifactEntry.model_validate(file.model_dump(include=_SHOWN)) for file in page.artifacts]
    last = page.artifacts[-1].path if page.more else None
    return answers.ArtifactList(plan_id=page.plan_id, artifacts=entries, total=page.total, next_after=last)


def artifact_text(plan_id: str, part: TextPart, version: str | None) -> answers.ArtifactText:
    """Show a part of a text, of its current *version* where that is None."""
    file = part.artifact.model_dump(include=_SHOWN - {"updated_at"}) | ({"edited": None} if version else {})
    return answers.ArtifactText(
        plan_id=plan_id, offset=part.offset, text=part.text, next_offset=part.next_offset, **file
    )


def export(info: FileInfo) -> answers.PlanExport:
    """Show the zip of everything."""
    return answers.PlanExport(**link_to(info))


def archive(plan: Plan) -> answers.PlanArchive:
    """Show a plan that was archived or taken back."""
    archived = plan.archived_at is not None
    return answers.PlanArchive(plan_id=plan.plan_id, state=plan.state, archived=archived, archived_at=plan.archived_at)


def deleted(plan_id: str, at: datetime) -> answers.PlanDeleted:
    """Show a plan that is gone."""
    return answers.PlanDeleted(plan_id=plan_id, deleted=True, deleted_at=at, message=REMAINS)


def comparison(found: PlanDiff, characters: int | None = None) -> answers.PlanComparison:
    """Show what differs, with at most *characters* of diffs in all: later ones are cut and say so."""
    left = characters
    sections = []
    for section in found.sections:
        shown = answers.SectionChange.model_validate(section.model_dump())
        if left is not None:
            shown.diff, shown.truncated = shown.diff[:left], shown.truncated or len(shown.diff) > left
            left -= len(shown.diff)
        sections.append(shown)
    same = all(section.change == "same" for section in found.sections)
    return answers.PlanComparison(
        plan_id=found.plan_id, other_plan_id=found.other_plan_id, same=same, sections=sections
    )


_SHOWN = {"path", "size", "sha256", "content_type", "updated_at", "edited"}
