"""Graphs of tool calls in a Python program, without any service: ``from planloom.graphs import PlanRunner``."""

from planloom.planes.graphs.backend import McpToolBackend, ToolExecutionRequest, ToolExecutionResult
from planloom.planes.graphs.context import PlanningContext, PlanNotFound
from planloom.planes.graphs.guards import Budget, Guards
from planloom.planes.graphs.plan_tools import get_plan_tools_as_dicts, handle_plan_tool
from planloom.planes.graphs.render import compute_batches, mermaid, render_plan_dag
from planloom.planes.graphs.runner import GraphInvalid, PlanExecutionResult, PlanRunner, StepResult
from planloom.planes.graphs.validate import validate

__all__ = [
    "Budget",
    "GraphInvalid",
    "Guards",
    "McpToolBackend",
    "PlanExecutionResult",
    "PlanNotFound",
    "PlanRunner",
    "PlanningContext",
    "StepResult",
    "ToolExecutionRequest",
    "ToolExecutionResult",
    "compute_batches",
    "get_plan_tools_as_dicts",
    "handle_plan_tool",
    "mermaid",
    "render_plan_dag",
    "validate",
]
