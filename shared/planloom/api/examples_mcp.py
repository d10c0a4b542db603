"""The tool that shows example plans."""

import inspect
from typing import Annotated, Any

from mcp.server.mcpserver import MCPServer
from mcp.types import CallToolResult

from planloom.api import examples_answers
from planloom.api.answers import as_tool_output
from planloom.api.mcp_results import result
from planloom.api.plans_mcp import READ_ONLY

ExamplePlans = as_tool_output(examples_answers.ExamplePlans)


def add_example_tools(server: MCPServer[Any]) -> None:
    """Register the tool."""
    description = inspect.getdoc(example_plans)
    server.add_tool(example_plans, title="Example plans", description=description, annotations=READ_ONLY)


async def example_plans() -> Annotated[CallToolResult, ExamplePlans]:
    """Optional, before example_prompts. Shows curated plans that this service drafted itself, each with a link to its
    report (interactive HTML) and its zip, so that a user sees what comes out before a plan is created.
    """
    return result(examples_answers.shown_examples())
