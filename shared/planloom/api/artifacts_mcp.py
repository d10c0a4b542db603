"""The tools for a plan's files: list, read, export, compare; and for putting a plan away."""

from typing import Annotated, Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.types import CallToolResult, ToolAnnotations
from pydantic import Field

from planloom import wiring
from planloom.api import artifact_answers as answers
from planloom.api import show_artifacts as show
from planloom.api.answers import as_tool_output
from planloom.api.mcp_caller import account
from planloom.api.mcp_results import error_result, result
from planloom.api.plans_mcp import PlanId
from planloom.api.register_tools import READ_ONLY, register_tools
from planloom.domain.errors import ContentUnavailable
from planloom.services.archive_plan import archive_plan
from planloom.services.delete_plan import delete_plan
from planloom.services.diff_plans import diff_plans
from planloom.services.export_plan import export_plan
from planloom.services.list_artifacts import MOST, list_artifacts
from planloom.services.read_artifact import read_text

#: What an agent reads in one go without losing sight of its task.
READ_AT_ONCE, MOST_READ = 20_000, 500_000
DIFF_CHARACTERS = 40_000

ArtifactList = as_tool_output(answers.ArtifactList)
ArtifactText = as_tool_output(answers.ArtifactText)
PlanExport = as_tool_output(answers.PlanExport)
PlanArchive = as_tool_output(answers.PlanArchive)
PlanDeleted = as_tool_output(answers.PlanDeleted)
PlanComparison = as_tool_output(answers.PlanComparison)


def add_artifact_tools(server: MCPServer[Any]) -> None:
    """Register the tools for files, and for putting plans away."""
    archives = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=True)
    deletes = ToolAnnotations(read_only_hint=False, destructive_hint=True, idempotent_hint=True)
    register_tools(
        server,
        (
            (plan_artifacts, "List a plan's files", READ_ONLY),
            (plan_artifact_read, "Read a file of a plan", READ_ONLY),
            (plan_export, "Export everything", READ_ONLY),
            (plan_diff, "Compare two plans", READ_ONLY),
            (plan_archive, "Archive a plan", archives),
            (plan_delete, "Delete a plan", deletes),
        ),
    )


async def plan_artifacts(
    plan_id: PlanId,
    ctx: Context[Any, Any],
    prefix: Annotated[str, Field(max_length=120, description="Only paths that begin so: 016- is step 016.")] = "",
    after: Annotated[str, Field(max_length=200, description="next_after of the page before.")] = "",
    limit: Annotated[int, Field(ge=1, le=MOST, description="How many files to return.")] = 100,
) -> Annotated[CallToolResult, ArtifactList]:
    """Lists the files that a plan has so far, with size, sha256 and content_type. NNN-1-name.json is the result of step
    NNN, NNN-2-name.md the same to be read; 001-2-plan.txt is the prompt. Read one with plan_artifact_read.
    """
    page = list_artifacts(wiring.world(), account(ctx), plan_id, prefix, after, limit)
    return result(show.artifact_list(page))


async def plan_artifact_read(
    plan_id: PlanId,
    path: Annotated[str, Field(description="As plan_artifacts gives it: 016-2-expert_criticism.md")],
    ctx: Context[Any, Any],
    offset: Annotated[int, Field(ge=0, description="Byte to begin at: next_offset of the part before.")] = 0,
    limit: Annotated[int, Field(ge=100, le=MOST_READ, description="Bytes to read at most.")] = READ_AT_ONCE,
    version: Annotated[
        str | None,
        Field(min_length=1, max_length=1024, description="An earlier one, as plan_artifact_versions gives it."),
    ] = None,
) -> Annotated[CallToolResult, ArtifactText]:
    """Reads a text file of a plan, in parts where it is long: go on with offset next_offset until that is null. Its
    sha256 is what an edit must name as expected_sha256. error content_unavailable: try again shortly.
    """
    try:
        part = read_text(wiring.world(), account(ctx), plan_id, path, offset, limit, version)
    except ContentUnavailable as error:
        return error_result(error, is_error=False)
    return result(show.artifact_text(plan_id, part, version))


async def plan_export(plan_id: PlanId, ctx: Context[Any, Any]) -> Annotated[CallToolResult, PlanExport]:
    """Returns download_url of a zip with everything that is kept of a plan, in any state: all artifacts, step records
    and run files, and manifest.json with the hash of each. The link needs no key and lives an hour.
    """
    return result(show.export(export_plan(wiring.world(), account(ctx), plan_id)))


async def plan_diff(
    plan_id: PlanId,
    other_plan_id: Annotated[str, Field(description="The plan to compare it with: the newer one of the two.")],
    ctx: Context[Any, Any],
    step: Annotated[
        str, Field(pattern=r"^(\d{3}(-\w*)?)?$", description="016 compares that section alone, uncut.")
    ] = "",
) -> Annotated[CallToolResult, PlanComparison]:
    """Says how other_plan_id differs from plan_id: the prompt first, then section by section, each with the lines added
    and removed and a unified diff. Long diffs are cut (truncated): ask again with step for one section alone.
    """
    found = diff_plans(wiring.world(), account(ctx), plan_id, other_plan_id, step)
    return result(show.comparison(found, None if step else DIFF_CHARACTERS))


async def plan_archive(
    plan_id: PlanId,
    ctx: Context[Any, Any],
    archived: Annotated[bool, Field(description="False takes the plan back into the list.")] = True,
) -> Annotated[CallToolResult, PlanArchive]:
    """Archives a plan that has come to an end: it leaves plan_list and is frozen (no resume, retry or edit), but can
    still be read and downloaded. archived false takes it back. error PLAN_ACTIVE: stop it first.
    """
    return result(show.archive(archive_plan(wiring.world(), account(ctx), plan_id, archived=archived)))


async def plan_delete(plan_id: PlanId, ctx: Context[Any, Any]) -> Annotated[CallToolResult, PlanDeleted]:
    """Deletes a plan for good, with all its files and their versions; ask the user before. It cannot be undone:
    plan_archive hides a plan without losing it. A plan that is going must be stopped first (error PLAN_ACTIVE).
    """
    return result(show.deleted(plan_id, delete_plan(wiring.world(), account(ctx), plan_id)))
