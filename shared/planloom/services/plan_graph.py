"""Show a plan as a graph of its steps."""

from planloom.domain.plan_graph import Graph, graph_of
from planloom.services.own_plan import own_plan
from planloom.services.world import World


def plan_graph(world: World, account: str, plan_id: str) -> Graph:
    """Return the graph. Raises InvalidArgument, PlanNotFound, PermissionDenied."""
    plan = own_plan(world, account, plan_id)
    return graph_of(plan, world.plans.steps(plan.plan_id), world.plans.all_files(plan.plan_id))
