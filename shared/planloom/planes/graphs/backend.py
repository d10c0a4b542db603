"""The calls of a runner in this process: guards first, then the tool, then its result unwrapped."""

import time
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from planloom.planes.graphs.execute import CallBlocked
from planloom.planes.graphs.guards import Guards
from planloom.tools.unwrap import ToolFailed, unwrap


class ToolManager(Protocol):
    """Whatever calls tools: planloom's tool servers, or any object with this method."""

    def execute_tool(self, name: str, args: dict[str, Any], /, **named: Any) -> Awaitable[Any]:
        """Call the tool *name* and return what it answers; raise where the call fails.

        *named* holds ``server`` where a step names one.
        """


@dataclass(frozen=True)
class ToolExecutionRequest:
    """One call of a tool, and the step that makes it."""

    tool_name: str
    args: dict[str, Any] = field(default_factory=dict)
    step_id: str = ""


@dataclass(frozen=True)
class ToolExecutionResult:
    """What a call came to. ``duration`` is in seconds; ``blocked`` where a guard did not admit it."""

    tool_name: str
    success: bool
    result: Any = None
    error: str | None = None
    duration: float = 0.0
    blocked: bool = False


class McpToolBackend:
    """Calls tools of *tool_manager*, each admitted by *guards* unless *enable_guards* is False."""

    def __init__(self, tool_manager: ToolManager, enable_guards: bool = True, guards: Guards | None = None) -> None:
        self.tool_manager = tool_manager
        self.guards = (guards or Guards()) if enable_guards else None

    async def execute_tool(self, request: ToolExecutionRequest) -> ToolExecutionResult:
        """Make the call; failures are in the result, never raised."""
        started = time.perf_counter()
        try:
            value, error, blocked = await self.call(request.tool_name, request.args), None, False
        except CallBlocked as raised:
            value, error, blocked = None, str(raised), True
        except (ToolFailed, TimeoutError, ConnectionError) as raised:
            value, error, blocked = None, str(raised) or type(raised).__name__, False
        duration = time.perf_counter() - started
        return ToolExecutionResult(request.tool_name, error is None, value, error, duration, blocked)

    async def call(self, tool: str, args: dict[str, Any], server: str | None = None) -> Any:
        """Return the unwrapped value; *server* is named where the step names one.

        Raises CallBlocked, ToolFailed, TimeoutError, ConnectionError.
        """
        if self.guards is not None and (why := self.guards.admit(tool, args)):
            raise CallBlocked(why)
        try:
            named = {} if server is None else {"server": server}
            value = unwrap(await self.tool_manager.execute_tool(tool, args, **named))
        except (ToolFailed, TimeoutError, ConnectionError, CallBlocked):
            raise
        except Exception as error:
            # the object that calls tools is the caller's own: whatever it raises is a failure of the tool
            raise ToolFailed(f"{type(error).__name__}: {error}") from error
        if self.guards is not None:
            self.guards.record(tool, args, value)
        return value


def recorded(guards: Guards | None) -> Mapping[str, Any]:
    """Return what the guards recorded: calls by tool, and the values bound to them."""
    return {} if guards is None else {"calls": dict(guards.calls), "bindings": guards.bindings}
