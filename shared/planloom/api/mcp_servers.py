"""The MCP servers by path, and how they answer errors: as results with a code, never as raw exception text."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from aws_lambda_powertools import Logger
from mcp.server.caching import CacheableMethod, CacheHint
from mcp.server.extension import Extension
from mcp.server.mcpserver import Context, MCPServer, RequestStateSecurity
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.transport_security import TransportSecuritySettings
from pydantic import ValidationError

from planloom import __version__, wiring
from planloom.api import (
    artifacts_mcp,
    change_mcp,
    control_mcp,
    examples_mcp,
    facts_mcp,
    implementation_drafts_mcp,
    implementation_mcp,
    implementation_registry_mcp,
    plan_prompts,
    plan_resources,
    plan_version,
    plans_mcp,
    share_mcp,
    watch_mcp,
)
from planloom.api.error_map import internal_error, invalid_argument
from planloom.api.mcp_results import error_result
from planloom.domain.errors import InvalidTool, PlanloomError

logger = Logger(child=True)

#: The gateway answers only for its own hosts, and a key in a header is no ambient credential that a
#: rebound name could borrow: the library's check for localhost would only turn callers away.
ANY_HOST = TransportSecuritySettings(enable_dns_rebinding_protection=False)
HOUR_MS = 3_600_000
CACHE_HINTS: dict[CacheableMethod, CacheHint] = {
    "tools/list": CacheHint(ttl_ms=HOUR_MS, scope="public"),
    "server/discover": CacheHint(ttl_ms=HOUR_MS, scope="public"),
}


@dataclass(frozen=True)
class Family:
    """A family of tools: each has an endpoint of its own."""

    name: str
    title: str
    instructions: str
    tools: tuple[Callable[[MCPServer[Any]], None], ...]
    extensions: tuple[Extension, ...] = ()


FAMILIES = {
    "/mcp": Family(
        "planloom",
        "planloom: strategic plans",
        plans_mcp.INSTRUCTIONS,
        (
            plans_mcp.add_plan_tools,
            facts_mcp.add_facts_tools,
            artifacts_mcp.add_artifact_tools,
            control_mcp.add_control_tools,
            change_mcp.add_change_tools,
            watch_mcp.add_watch_tools,
            share_mcp.add_share_tools,
            examples_mcp.add_example_tools,
            plan_resources.add_plan_resources,
            plan_prompts.add_plan_prompts,
        ),
        (plan_version.PlanInterface(),),
    ),
    "/mcp/implementation": Family(
        "planloom-implementation",
        "planloom: implementation plans",
        implementation_mcp.INSTRUCTIONS,
        (
            implementation_mcp.add_implementation_tools,
            implementation_registry_mcp.add_registry_tools,
            implementation_drafts_mcp.add_draft_tools,
        ),
    ),
}


class PlanloomServer(MCPServer[Any]):
    """An MCP server whose errors are results with ``error.code``, as the specification asks (9.1, 9.2)."""

    async def call_tool(self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None) -> Any:
        try:
            if name not in {tool.name for tool in self._tool_manager.list_tools()}:
                raise InvalidTool(f"There is no tool '{name[:60]}' here. tools/list names those there are.")
            return await super().call_tool(name, arguments, context)
        except InvalidTool as error:
            return error_result(error)
        except ToolError as error:
            return error_result(_cause(name, error.__cause__))


def _cause(tool: str, cause: BaseException | None) -> PlanloomError:
    if isinstance(cause, PlanloomError):
        return cause
    if isinstance(cause, ValidationError):
        return invalid_argument(cause.errors(include_input=False, include_url=False))
    logger.error("tool failed", tool=tool, exc_info=cause)
    return internal_error()


@cache
def server_for(path: str) -> MCPServer[Any]:
    """Return the server of *path*, built on its first request."""
    family = FAMILIES[path]
    server = PlanloomServer(
        family.name,
        title=family.title,
        version=__version__,
        instructions=family.instructions,
        log_level="WARNING",
        subscriptions=False,
        request_state_security=RequestStateSecurity(keys=[wiring.request_state_key()]),
        cache_hints=CACHE_HINTS,
        extensions=family.extensions,
    )
    for add_tools in family.tools:
        add_tools(server)
    return server
