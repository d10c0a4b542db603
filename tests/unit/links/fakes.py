"""Links in memory, and the planes at their ends."""

from dataclasses import dataclass, field, replace
from typing import Any

from planloom.notifications.events import Event
from planloom.planes.implementation.records import ImplementationPlan
from planloom.planes.implementation.services.create_implementation_plan import create_implementation_plan
from planloom.planes.links.link import Link, LinkEnd
from planloom.planes.links.progress import PlanProgress, RunNotices
from planloom.planes.links.service import Links
from planloom.planes.workflows.service import Workflows
from tests.fake_ports import Fakes, make_fakes
from tests.unit.workflows.fakes import Services


@dataclass
class FakeLinkStore:
    links: dict[tuple[str, LinkEnd, LinkEnd], Link] = field(default_factory=dict)

    def put(self, link: Link) -> None:
        self.links[link.account, link.source, link.target] = link

    def of(self, account: str, end: LinkEnd) -> list[Link]:
        return [link for (owner, *ends), link in self.links.items() if owner == account and end in ends]

    def delete(self, link: Link) -> None:
        self.links.pop((link.account, link.source, link.target), None)


class Linked:
    """Implementation plans and workflows in memory, with the links and listeners between them."""

    def __init__(self, fakes: Fakes | None = None) -> None:
        self.fakes = fakes or make_fakes()
        self.plans = self.fakes.ports.implementation_plans
        self.services = Services()
        self.store = FakeLinkStore()
        self.links = Links(store=self.store, now=self.services.clock, owns=self._owns)
        self.events: list[Event] = []
        listeners = (
            PlanProgress(self.store, self.plans, self.services.store.get),
            RunNotices(lambda *events: self.events.extend(events), lambda run: self.services.executor.spec(run)),
        )
        self.services.executor = replace(self.services.executor, listeners=listeners)
        self.workflows: Workflows = replace(self.services.workflows, executor=self.services.executor)

    def save(self, plan: dict[str, Any], account: str = "acme") -> ImplementationPlan:
        """Store an implementation plan."""
        return create_implementation_plan(self.plans, account, {**plan, "planId": None}).view

    def statuses(self, plan_id: str) -> list[str]:
        """Return the status of each step of an implementation plan."""
        view = self.plans.registry.get(plan_id)
        assert view is not None
        document = self.plans.registry.document(plan_id, view.revision)
        assert document is not None
        return [step["ui"]["status"] for step in document.plan["steps"]]

    def _owns(self, account: str, end: LinkEnd) -> bool:
        if end.plane == "implementation":
            view = self.plans.registry.get(end.id)
            return view is not None and view.account == account
        if end.plane == "graphs":
            return account == "acme"
        run = self.services.store.get(end.id)
        return run is not None and run.account == account
