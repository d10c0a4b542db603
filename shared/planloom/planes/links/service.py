"""Bridges from plans to workflows and graphs: drafts, runs that are started of them, and the links between both."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from planloom.core.clock import Clock
from planloom.core.errors import InvalidArgument, PlanloomError, PlanNotCompleted
from planloom.planes.implementation.ports import ImplementationPlans
from planloom.planes.implementation.services.read_implementation_plan import read_implementation_plan
from planloom.planes.links.drafted import Drafted
from planloom.planes.links.implementation_from_plan import SCHEDULE_FILE, START_FILE, read_result
from planloom.planes.links.implementation_to_graph import graph_of
from planloom.planes.links.implementation_to_workflow import workflow_of as workflow_of_implementation_plan
from planloom.planes.links.link import Link, LinkEnd, LinkStore
from planloom.planes.strategic.ports.groups import PlanRecords
from planloom.planes.strategic.services.own_plan import own_plan
from planloom.planes.workflows.service import Workflows


@dataclass(frozen=True)
class Links:
    """The links of all accounts. ``owns`` says whether an account has what an end names."""

    store: LinkStore
    now: Clock
    owns: Callable[[str, LinkEnd], bool]

    def add(self, account: str, source: LinkEnd, target: LinkEnd, steps: dict[str, str] | None = None) -> Link:
        """Link what *target* names with the *source* that it was made from. Raises InvalidArgument."""
        if source == target:
            raise InvalidArgument("Both ends of the link are the same.", field="target")
        for name, end in (("source", source), ("target", target)):
            if not self.owns(account, end):
                raise InvalidArgument(f"The account has no {_NAMES[end.plane]} {end.id[:80]}.", field=name)
        link = Link(account=account, source=source, target=target, steps=steps or {}, created_at=self.now())
        self.store.put(link)
        return link

    def of(self, account: str, end: LinkEnd) -> list[Link]:
        """Return the account's links with *end*, oldest first; none where it has no such thing."""
        return sorted(self.store.of(account, end), key=lambda link: link.created_at)


def draft_from_strategic_plan(
    plan_records: PlanRecords, account: str, plan_id: str, executor: Literal["user", "agent"], now: datetime
) -> tuple[LinkEnd, Drafted]:
    """Return a workflow draft of a completed strategic plan.

    Raises PlanNotCompleted, PipelineVersionMismatch, InvalidArgument, PlanNotFound, PermissionDenied.
    """
    # on the first of such calls: the stages take their time to import, and other calls have no need of them
    from planloom.planes.links.strategic_to_workflow import workflow_of
    from planloom.planes.strategic.stages.results import Schedule
    from planloom.planes.strategic.stages.start import Start

    plan = own_plan(plan_records, account, plan_id)
    if plan.state != "completed":
        raise PlanNotCompleted(
            f"The plan is {plan.state}; a workflow is drafted from a completed one. See plan_status."
        )
    title = read_result(plan_records.files, plan, START_FILE, Start).facts.title
    schedule = read_result(plan_records.files, plan, SCHEDULE_FILE, Schedule)
    return LinkEnd(plane="strategic", id=plan.plan_id), workflow_of(schedule, title, now, executor)


def draft_from_implementation_plan(
    implementation_plans: ImplementationPlans, account: str, plan_id: str, role: str
) -> tuple[LinkEnd, Drafted]:
    """Return a workflow draft of the steps of an implementation plan that are not done.

    Raises InvalidArgument, PlanNotFound, PermissionDenied.
    """
    view, document = read_implementation_plan(implementation_plans, account, plan_id)
    return LinkEnd(plane="implementation", id=view.plan_id), workflow_of_implementation_plan(document.plan, role)


def graph_from_implementation_plan(
    implementation_plans: ImplementationPlans, account: str, plan_id: str
) -> tuple[LinkEnd, dict[str, Any], tuple[str, ...]]:
    """Return a graph of the steps that name tools, and the steps that were left out.

    Raises InvalidArgument, PlanNotFound, PermissionDenied.
    """
    view, document = read_implementation_plan(implementation_plans, account, plan_id)
    return LinkEnd(plane="implementation", id=view.plan_id), *graph_of(document.plan)


def start_workflow(
    links: Links, workflows: Workflows, account: str, source: LinkEnd, drafted: Drafted, workstream_id: str | None
) -> str:
    """Start a run of a draft, link it with its plan, and return its id.

    Raises what Workflows.create does.
    """
    run_id = workflows.new_run_id()
    target = LinkEnd(plane="workflows", id=run_id)
    link = Link(account=account, source=source, target=target, steps=dict(drafted.steps), created_at=links.now())
    # stored first: a run whose link a crash lost would never report its progress
    links.store.put(link)
    try:
        workflows.create(account, drafted.draft, workstream_id, run_id=run_id)
    except PlanloomError:
        links.store.delete(link)
        raise
    return run_id


_NAMES = {
    "strategic": "plan",
    "implementation": "implementation plan",
    "graphs": "graph",
    "workflows": "workflow run",
}
