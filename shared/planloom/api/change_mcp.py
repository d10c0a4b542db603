"""The tools that change a plan: edit and undo, invalidate and validate (specification: 2.1, 7.1, appendix B)."""

from typing import Annotated, Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.types import CallToolResult, ToolAnnotations
from pydantic import Field

from planloom import wiring
from planloom.api import change_answers as answers
from planloom.api.answers import as_tool_output
from planloom.api.mcp_caller import account
from planloom.api.mcp_results import result
from planloom.api.plans_mcp import PlanId
from planloom.api.register_tools import READ_ONLY, register_tools
from planloom.domain.plans import ModelProfile

ArtifactEdited = as_tool_output(answers.ArtifactEdited)
ArtifactVersions = as_tool_output(answers.ArtifactVersions)
PlanInvalidated = as_tool_output(answers.PlanInvalidated)
PlanValidated = as_tool_output(answers.PlanValidated)

Path = Annotated[str, Field(max_length=200, description="As plan_artifacts gives it: 016-2-expert_criticism.md")]
Start = Annotated[
    bool,
    Field(description="Of a completed plan: run the derived plan at once. false leaves it stopped for more changes."),
]
RequestId = Annotated[
    str | None,
    Field(min_length=1, max_length=200, description="Your own id: a repeat with the same id is no second change."),
]


def add_change_tools(server: MCPServer[Any]) -> None:
    """Register the tools that change a plan."""
    changes = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=False)
    discards = ToolAnnotations(read_only_hint=False, destructive_hint=True, idempotent_hint=False)
    register_tools(
        server,
        (
            (plan_artifact_edit, "Edit a file of a plan", changes),
            (plan_artifact_versions, "Versions of a file", READ_ONLY),
            (plan_artifact_undo, "Undo an edit", changes),
            (plan_invalidate, "Have steps made again", discards),
            (plan_validate, "Validate a plan anew", changes),
        ),
    )


async def plan_artifact_edit(
    plan_id: PlanId,
    path: Path,
    content: Annotated[str, Field(description="The whole file as it should be.")],
    expected_sha256: Annotated[
        str, Field(pattern="^[0-9a-f]{64}$", description="sha256 of the file that you changed, as it was given to you.")
    ],
    ctx: Context[Any, Any],
    start: Start = True,
    client_request_id: RequestId = None,
) -> Annotated[CallToolResult, ArtifactEdited]:
    """Replaces a file of a plan that has ended; only what depends on it is made again. A failed or stopped plan is
    changed in place: call plan_resume afterwards. A completed plan stays as it is: the answer names a new plan_id,
    derived from it, to be polled. NNN-1-name.json is validated and rendered to Markdown again (edits_lost names edited
    Markdown that this replaces); NNN-2-name.md counts as text for later steps; no other file can be edited. Error
    ARTIFACT_CONFLICT: somebody changed it; read it again and merge. PLAN_ACTIVE: call plan_stop first.
    """
    from planloom.api.change_once import edit_once

    world = wiring.world()
    return result(edit_once(world, account(ctx), plan_id, path, content, expected_sha256, start, client_request_id))


async def plan_artifact_versions(
    plan_id: PlanId, path: Path, ctx: Context[Any, Any]
) -> Annotated[CallToolResult, ArtifactVersions]:
    """Lists the versions of a file, newest first: what steps and edits made of it, also before a plan_retry. Read
    one with plan_artifact_read, put one back with plan_artifact_undo.
    """
    from planloom.api.change_once import versions

    return result(versions(wiring.world(), account(ctx), plan_id, path))


async def plan_artifact_undo(
    plan_id: PlanId,
    path: Path,
    ctx: Context[Any, Any],
    version: Annotated[
        str | None, Field(max_length=1024, description="By default the newest whose content is another.")
    ] = None,
    expected_sha256: Annotated[
        str | None, Field(pattern="^[0-9a-f]{64}$", description="Only if the file still has this sha256.")
    ] = None,
    start: Start = True,
    client_request_id: RequestId = None,
) -> Annotated[CallToolResult, ArtifactEdited]:
    """Undoes an edit: puts an earlier version of a file back, as plan_artifact_edit would. What is put back as its
    step made it has nothing made again.
    """
    from planloom.api.change_once import undo_once

    world, caller = wiring.world(), account(ctx)
    return result(undo_once(world, caller, plan_id, path, version, expected_sha256, start, client_request_id))


async def plan_invalidate(
    plan_id: PlanId,
    ctx: Context[Any, Any],
    stages: Annotated[
        list[str] | None,
        Field(max_length=30, description="Steps to make again: 016, expert_criticism or 016-expert_criticism."),
    ] = None,
    artifacts: Annotated[
        list[str] | None, Field(max_length=300, description="Files whose steps are to be made again.")
    ] = None,
    dry_run: Annotated[
        bool, Field(description="Only say what would be made again, and what that cost before. Do this first.")
    ] = False,
    start: Start = True,
    client_request_id: RequestId = None,
) -> Annotated[CallToolResult, PlanInvalidated]:
    """Has steps of a plan made again, asking the models anew; steps that depend on them follow where they come out
    another. Call it with dry_run first: it says which steps, why, and at what cost. A failed or stopped plan is changed
    in place: call plan_resume afterwards. A completed plan stays as it is: the answer names a derived one to poll.
    """
    from planloom.api.change_once import invalidate_once

    world, caller = wiring.world(), account(ctx)
    return result(
        invalidate_once(world, caller, plan_id, stages or [], artifacts or [], dry_run, start, client_request_id)
    )


async def plan_validate(
    plan_id: PlanId,
    ctx: Context[Any, Any],
    model_profile: Annotated[
        ModelProfile | None, Field(description="Another profile may look closer; by default the one the plan has.")
    ] = None,
    client_request_id: RequestId = None,
) -> Annotated[CallToolResult, PlanValidated]:
    """Validates a drafted plan without regenerating it: criticism, review, self-audit and report are made anew over
    what is there, in a new plan derived from it (target validate_plan). Poll the plan_id it returns. Error
    PLAN_NOT_COMPLETED: something that they read was never finished; call plan_resume first.
    """
    from planloom.api.change_once import validate_once

    return result(validate_once(wiring.world(), account(ctx), plan_id, model_profile, client_request_id))
