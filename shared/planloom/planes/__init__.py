"""The planes of planloom: ``PLANES`` holds them in the order in which they are shown.

The app, MCP, the command and the reference loop over it. ``SHARED`` are the tables of endpoints that serve all planes;
they have no MCP endpoint of their own.
"""

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from planloom.core.plane import Plane

    PLANES: tuple[Plane, ...]
    SHARED: tuple[Plane, ...]


def __getattr__(name: str) -> "tuple[Plane, ...]":
    # built on first use: a function that serves one plane does not import the others
    if name == "SHARED":
        from planloom.approvals.endpoints import TABLE as APPROVALS
        from planloom.notifications.endpoints import TABLE as WEBHOOKS
        from planloom.planes.links.endpoints import TABLE as LINKS

        return APPROVALS, WEBHOOKS, LINKS
    if name != "PLANES":
        raise AttributeError(name)
    return _planes()


@cache
def _planes() -> "tuple[Plane, ...]":
    from planloom.planes.graphs.plane import GRAPHS
    from planloom.planes.implementation.plane import IMPLEMENTATION
    from planloom.planes.links import endpoints, implementation_endpoints
    from planloom.planes.programs.plane import PROGRAMS
    from planloom.planes.strategic.plane import STRATEGIC
    from planloom.planes.workflows.plane import WORKFLOWS

    # what one plane does with another is declared in planes.links, which may import both
    linked = {
        IMPLEMENTATION: implementation_endpoints.ENDPOINTS,
        GRAPHS: endpoints.OF_GRAPHS,
        WORKFLOWS: endpoints.OF_WORKFLOWS,
    }
    planes = (STRATEGIC, IMPLEMENTATION, GRAPHS, WORKFLOWS, PROGRAMS)
    return tuple(replace(plane, endpoints=plane.endpoints + linked.get(plane, ())) for plane in planes)
