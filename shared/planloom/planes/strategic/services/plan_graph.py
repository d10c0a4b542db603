"""Show a plan as a graph of its steps."""

from planloom.planes.strategic.plan_graph import Graph, graph_of
from planloom.planes.strategic.ports.groups import PlanRecords
from planloom.planes.strategic.services.own_plan import own_plan


def plan_graph(plan_records: PlanRecords, account: str, plan_id: str) -> Graph:
    """Return the graph. Raises InvalidArgument, PlanNotFound, PermissionDenied."""
    plan = own_plan(plan_records, account, plan_id)
    return graph_of(plan, plan_records.plans.steps(plan.plan_id), plan_records.plans.all_files(plan.plan_id))
