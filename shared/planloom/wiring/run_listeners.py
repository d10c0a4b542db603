"""The composition root of what learns of each change of a workflow run: plans that it was made from, and webhooks."""

from collections.abc import Callable
from functools import cache

from planloom.adapters.dynamodb_links import DynamoLinkStore
from planloom.planes.links.progress import PlanProgress, RunNotices
from planloom.planes.workflows.executor import Listener
from planloom.planes.workflows.spec import Spec
from planloom.planes.workflows.states import Execution
from planloom.wiring import ports, settings
from planloom.wiring.aws import client
from planloom.wiring.notifications import webhooks


@cache
def link_store() -> DynamoLinkStore:
    """Return the links of all accounts."""
    table = client("dynamodb")
    return DynamoLinkStore(table, settings().table)


def run_listeners(
    spec: Callable[[Execution], Spec], current: Callable[[str], Execution | None]
) -> tuple[Listener, ...]:
    """Return the listeners; *spec* returns the specification of a run, *current* a run by its id."""
    progress = PlanProgress(link_store(), ports().implementation_plans, current)
    return progress, RunNotices(webhooks().publish, spec)
