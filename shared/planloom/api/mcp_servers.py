"""The MCP server of each plane, built on its first request."""

from functools import cache
from typing import Any

from mcp.server.lowlevel import Server

from planloom.api import handler_ports, plan_resources, program_resources, workflow_resources
from planloom.api.mcp_tasks import PlaneTasks
from planloom.core.plane import Plane
from planloom.transports.mcp import Handlers, make_server

#: What is no tool or prompt, by plane.
HANDLERS: dict[str, Handlers] = {
    "strategic": plan_resources.HANDLERS,
    "programs": program_resources.HANDLERS,
    "workflows": workflow_resources.HANDLERS,
}


@cache
def server_of(plane: Plane) -> Server[Any]:
    """Return the server of *plane*."""
    tasks = PlaneTasks(plane, handler_ports)
    handlers = (*HANDLERS.get(plane.name, ()), *tasks.handlers)
    return make_server(plane, handler_ports, handlers, tasks.extensions, tasks.of_call)
