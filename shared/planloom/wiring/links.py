"""The composition root of links between planes."""

from collections.abc import Callable
from functools import cache

from planloom.core.errors import PlanloomError
from planloom.planes.implementation.services.own_plan import own_implementation_plan
from planloom.planes.links.link import LinkEnd
from planloom.planes.links.service import Links
from planloom.planes.strategic.services.own_plan import own_plan
from planloom.wiring import ports
from planloom.wiring.graphs import graphs
from planloom.wiring.run_listeners import link_store
from planloom.wiring.workflows import workflows


@cache
def links() -> Links:
    """Return what links plans, graphs and runs of workflows."""
    return Links(store=link_store(), now=ports().clock, owns=_owns)


def _owns(account: str, end: LinkEnd) -> bool:
    look: dict[str, Callable[[], object]] = {
        "strategic": lambda: own_plan(ports().plan_records, account, end.id),
        "implementation": lambda: own_implementation_plan(ports().registry, account, end.id),
        "graphs": lambda: graphs().read(account, end.id),
        "workflows": lambda: workflows().get(account, end.id),
    }
    try:
        look[end.plane]()
    except PlanloomError:
        return False
    return True
