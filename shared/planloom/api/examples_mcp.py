"""The tool that shows example plans."""

from typing import Annotated, Any

from mcp.server.mcpserver import MCPServer
from mcp.types import CallToolResult

from planloom.api import examples_answers
from planloom.api.answers import as_tool_output
from planloom.api.mcp_results import result
from planloom.api.register_tools import READ_ONLY, register_tools

ExamplePlans = as_tool_output(examples_answers.ExamplePlans)


def add_example_tools(server: MCPServer[Any]) -> None:
    """Register the tool."""
    register_tools(server, ((example_plans, "Example plans", READ_ONLY),))


async def example_plans() -> Annotated[CallToolResult, ExamplePlans]:
    """Optional, before example_prompts. Shows curated plans that this service drafted itself, each with a link to its
    report (interactive HTML) and its zip, so that a user sees what comes out before a plan is created.
    """
    return result(examples_answers.shown_examples())
