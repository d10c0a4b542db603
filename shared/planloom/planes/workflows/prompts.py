"""MCP prompts for what people ask of their agents about workflows."""

from planloom.core.plane import Prompt


def work_as(role: str) -> str:
    """Execute the ready nodes of a role until none is left."""
    return (
        f"You are the agent {role}. Above is the state of the active plan of the default workstream. Until claimed is "
        f"false: call claimExecutionNode with role {role} and your name as executor; do what the node's objective and "
        "instructions say, with its input and feedback; submit the result with the claimToken. Where accepted is "
        "false, correct what failedChecks name and submit again. Tell me what you did, and what waits for me."
    )


def plan_work(objective: str) -> str:
    """Write a workflow for an objective, have it confirmed, and start it."""
    return (
        f"I want a workflow for this objective:\n\n{objective}\n\n"
        "Call getPlanDraftFormat. Ask me, in one message, who takes part (agents by role, people by name), what each "
        "result must contain, what needs whose approval, and by when. Write the PlanDraft, and correct it until "
        "validateExecutionPlan finds no blocking issue. Show me nodes, owners and approvals in a few lines, and call "
        "createExecutionPlan only after I have agreed. Where the state above has an active run, ask whether the new "
        "plan replaces it (replaceExecutionPlan) or runs beside it, in a workstream of its own."
    )


PROMPTS = (
    Prompt("Work as a role", work_as, {"role": "Role of the agent: owner.ref of its nodes"}, "getExecutionContext"),
    Prompt("Plan work", plan_work, {"objective": "What the workflow is to achieve"}, "getExecutionContext"),
)
