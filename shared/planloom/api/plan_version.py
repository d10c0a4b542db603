"""Which version of the plan interface is spoken here (14.1): among the capabilities, as /health says it over HTTP."""

from typing import Any

from mcp.server.extension import Extension

PLANEXE_VERSION = "1.0"


class PlanInterface(Extension):
    """Advertises ``planexe.version`` among the server's capabilities."""

    identifier = "planexe/interface"

    def settings(self) -> dict[str, Any]:
        """Return the version under the name that the specification gives it."""
        return {"planexe.version": PLANEXE_VERSION}
