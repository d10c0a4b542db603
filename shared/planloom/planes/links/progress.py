"""What happens in a workflow run flows back: to the status of steps of its implementation plan, and to webhooks."""

import logging
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from planloom.core.errors import PlanloomError
from planloom.notifications.events import EventData, NodeReady, RunEnded, RunStateChanged, make_event
from planloom.planes.implementation.errors import RevisionConflict
from planloom.planes.implementation.ports import ImplementationPlans
from planloom.planes.implementation.records import StepStatus
from planloom.planes.implementation.services.read_implementation_plan import document_of
from planloom.planes.implementation.services.revise_implementation_plan import revise_implementation_plan
from planloom.planes.links.link import Link, LinkEnd, LinkStore
from planloom.planes.workflows.effects import Effects
from planloom.planes.workflows.spec import Spec
from planloom.planes.workflows.states import Execution, NodeStatus

logger = logging.getLogger(__name__)

#: Of a step whose node is in a status; a node that has not begun, or is skipped, leaves its step as it is.
STATUS: Mapping[NodeStatus, StepStatus] = {
    NodeStatus.RUNNING: "doing",
    NodeStatus.AWAITING_HUMAN: "doing",
    NodeStatus.COMPLETED: "done",
    NodeStatus.PARTIAL: "done",
    NodeStatus.BLOCKED: "blocked",
    NodeStatus.FAILED: "blocked",
}
#: How often a revision is tried again because somebody else saved first.
ATTEMPTS = 10


@dataclass(frozen=True)
class PlanProgress:
    """A listener of workflow runs that keeps the status of the steps of linked implementation plans.

    *current* returns a run as it is now.
    """

    store: LinkStore
    plans: ImplementationPlans
    current: Callable[[str], Execution | None]

    def __call__(self, run: Execution, effects: Effects) -> None:
        """Save what changed as one revision; a plan that cannot be saved does not stop the run."""
        if not effects.moved:
            return
        for link in self._links(run):
            try:
                self._save(link, run.run_id)
            except PlanloomError as error:
                # deleted, or changed so that it breaks its rules: the run continues without it
                logger.warning("progress not saved", extra={"plan_id": link.source.id, "code": error.code})

    def _links(self, run: Execution) -> list[Link]:
        """Return the links to implementation plans; a run that replaced another takes over that one's."""
        end = LinkEnd(plane="workflows", id=run.run_id)
        found = self._sources(run, end)
        if not found and run.replaced_run_id:
            for link in self._sources(run, LinkEnd(plane="workflows", id=run.replaced_run_id)):
                steps = {node: step for node, step in link.steps.items() if node in run.nodes}
                self.store.put(link.model_copy(update={"target": end, "steps": steps}))
            found = self._sources(run, end)
        return found

    def _sources(self, run: Execution, end: LinkEnd) -> list[Link]:
        found = self.store.of(run.account, end)
        return [each for each in found if each.target == end and each.source.plane == "implementation"]

    def _save(self, link: Link, run_id: str) -> None:
        for _ in range(ATTEMPTS):
            view = self.plans.registry.get(link.source.id)
            # read after the plan: a later state of the run that is saved meanwhile is not overwritten
            run = self.current(run_id)
            if view is None or run is None or view.account != run.account:
                return
            wanted = {
                step: STATUS[run.nodes[node].status]
                for node, step in link.steps.items()
                if node in run.nodes and run.nodes[node].status in STATUS
            }
            plan = document_of(self.plans.registry, view, view.revision).plan
            steps = [_with_status(step, wanted.get(step["id"])) for step in plan["steps"]]
            if steps == plan["steps"]:
                return
            note = f"Progress of workflow run {run.run_id}"
            try:
                revise_implementation_plan(
                    self.plans, run.account, view.plan_id, {**plan, "steps": steps}, view.revision, note=note
                )
            except RevisionConflict:
                continue
            return


@dataclass(frozen=True)
class RunNotices:
    """A listener of workflow runs that publishes what webhooks subscribe to."""

    publish: Callable[..., None]
    spec: Callable[[Execution], Spec]

    def __call__(self, run: Execution, effects: Effects) -> None:
        """Publish the state of the run and the nodes that became ready, where they changed."""
        events = [
            make_event(run.account, data, run.updated_at, run.run_id, *identity)
            for data, identity in self._changes(run, effects)
        ]
        if events:
            self.publish(*events)

    def _changes(self, run: Execution, effects: Effects) -> Iterator[tuple[EventData, tuple[object, ...]]]:
        known: dict[str, Any] = {"plane": "workflows", "run_id": run.run_id}
        if run.ended:
            yield RunEnded(**known, title=run.title, state=run.status, reason=run.reason), ()
        elif effects.previous is not None:
            changed = RunStateChanged(
                **known, title=run.title, state=run.status, previous=effects.previous, reason=run.reason
            )
            yield changed, (run.version,)
        for name in effects.ready:
            node = self.spec(run).nodes[name]
            if node.owner.executor_type in ("agent", "user"):
                data = NodeReady(
                    **known, node_id=name, label=node.label, owner_type=node.owner.executor_type, owner=node.owner.ref
                )
                yield data, (name, run.version)


def _with_status(step: dict[str, Any], status: StepStatus | None) -> dict[str, Any]:
    if status in (None, step["ui"]["status"]):
        return step
    return {**step, "ui": {**step["ui"], "status": status}}
