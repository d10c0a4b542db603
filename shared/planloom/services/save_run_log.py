"""Keep a plan's log beside its files when a run ends: ``run.log``, one line for each event (specification, 12)."""

from planloom.domain.event_log import Entry
from planloom.domain.log_lines import written
from planloom.domain.plans import Plan
from planloom.services.read_log import lines_of
from planloom.services.world import World

RUN_LOG = "run.log"
PAGE = 500


def save_run_log(world: World, plan: Plan, *last: Entry) -> None:
    """Write the log as it is now, and *last* after it; earlier runs of the plan stand in it too."""
    found: list[Entry] = []
    while page := world.log.events_after(plan.plan_id, found[-1].cursor if found else 0, PAGE):
        found += page
    lines = lines_of(world, plan.plan_id, [*found, *last])
    content = "".join(f"{written(line)}\n" for line in lines)
    world.files.write(plan.plan_id, RUN_LOG, content.encode(), "text/plain; charset=utf-8")
