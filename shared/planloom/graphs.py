"""Graphs of tool calls in a Python program, without any service: ``from planloom.graphs import PlanRunner``."""

from planloom.planes.graphs.backend import McpToolBackend, ToolExecutionRequest, ToolExecutionResult
from planloom.planes.graphs.context import PlanningContext, PlanNotFound
from planloom.planes.graphs.draft import ModelPlanner, Planner
from planloom.planes.graphs.guards import Budget, Guards
from planloom.planes.graphs.plan_tools import get_plan_tools_as_dicts, handle_plan_tool
from planloom.planes.graphs.render import compute_batches, mermaid, render_plan_dag
from planloom.planes.graphs.runner import GraphInvalid, PlanExecutionResult, PlanRunner, StepResult
from planloom.planes.graphs.validate import validate
from planloom.runs.errors import OutcomeUnknown


def planner_of_environment() -> Planner | None:
    """Return a planner that asks the model which this process's environment sets up, None where it sets up none.

    OPENAI_BASE_URL, OPENAI_API_KEY and PLANLOOM_MODEL, OPENROUTER_API_KEY, or AWS credentials for Bedrock:
    docs/models.md.
    """
    # here, since it loads what only a program with a model needs
    from planloom.wiring.models import make_models

    models = make_models()
    profile = models.language_profile()
    if profile is None:
        return None

    return ModelPlanner(lambda: models.model(profile))


__all__ = [
    "Budget",
    "GraphInvalid",
    "Guards",
    "McpToolBackend",
    "ModelPlanner",
    "OutcomeUnknown",
    "PlanExecutionResult",
    "PlanNotFound",
    "PlanRunner",
    "Planner",
    "PlanningContext",
    "StepResult",
    "ToolExecutionRequest",
    "ToolExecutionResult",
    "compute_batches",
    "get_plan_tools_as_dicts",
    "handle_plan_tool",
    "mermaid",
    "planner_of_environment",
    "render_plan_dag",
    "validate",
]
