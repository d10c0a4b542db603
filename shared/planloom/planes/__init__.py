"""The planes of planloom: ``PLANES`` holds them in the order in which they are shown.

The app, MCP, the command and the reference loop over it.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from planloom.core.plane import Plane

    PLANES: tuple[Plane, ...]


def __getattr__(name: str) -> "tuple[Plane, ...]":
    # built on first use: a function that serves one plane does not import the others
    if name != "PLANES":
        raise AttributeError(name)
    from planloom.planes.graphs.plane import GRAPHS
    from planloom.planes.implementation.plane import IMPLEMENTATION
    from planloom.planes.strategic.plane import STRATEGIC

    return STRATEGIC, IMPLEMENTATION, GRAPHS
