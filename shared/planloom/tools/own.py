"""The account's own planloom tools as tools of graphs: the server that every account has without adding it."""

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from planloom.core.endpoint import Effect, Endpoint
from planloom.core.plane import Plane
from planloom.tools.tool import Tool

#: Name of the server. Its tools are called ``<plane>_<tool>``: several planes have a ``plan_create``.
OWN = "planloom"
#: Planes whose tools may change something. Of the others only those that read are there: a run starts no further run,
#: which could start it again, and answers no approval.
MAY_CHANGE = frozenset({"strategic", "implementation"})


class OwnTools(Protocol):
    """Calls planloom's own tools for an account, without the gateway."""

    async def call(self, account: str, name: str, args: Mapping[str, Any]) -> Any:
        """Return the result of the tool *name*, as MCP gives it.

        Raises ConnectionError where the call may have been made, NotReached where it was certainly not.
        """


def own_tools(planes: Iterable[Plane]) -> tuple[Tool, ...]:
    """Return the tools of *planes* that steps may call."""
    return tuple(
        _tool(plane, endpoint)
        for plane in planes
        for endpoint in plane.endpoints
        if endpoint.tool and (endpoint.effect is Effect.READS or plane.name in MAY_CHANGE)
    )


def _tool(plane: Plane, endpoint: Endpoint) -> Tool:
    return Tool(
        name=f"{plane.name}_{endpoint.name}",
        server=OWN,
        description=endpoint.description,
        input_schema=endpoint.request.model_json_schema(),
        read_only=endpoint.effect is Effect.READS,
        destructive=endpoint.effect is Effect.DESTROYS,
        idempotent=endpoint.effect is Effect.READS or endpoint.repeatable,
    )
