"""Find the plan that an account asked for last: the simplest way back for an agent that lost an id."""

from planloom.core.errors import PlanNotFound
from planloom.planes.strategic.plans import Plan
from planloom.planes.strategic.ports.plans import PlanStore

#: The list may lag a little: so many of its newest may be gone, or archived, before they are looked for elsewhere.
LOOKED_AT = 5


def latest_plan(plans: PlanStore, account: str) -> Plan:
    """Return the newest plan of *account* that is not archived. Raises PlanNotFound where it has none."""
    for listed in plans.newest_of(account, LOOKED_AT, None):
        plan = plans.get(listed.plan_id)
        if plan and plan.archived_at is None:
            return plan
    if plans.newest_of(account, 1, None, archived=True):
        raise PlanNotFound("All your plans are archived. plan_list with archived true shows them.")
    raise PlanNotFound("You have no plans yet. Call example_prompts, then plan_create.")
