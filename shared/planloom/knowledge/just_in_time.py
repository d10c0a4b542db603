"""Hold back what costs money while it waits: people hired or trained months before there is work for them."""

from collections.abc import Iterable, Sequence
from datetime import date

from planloom.domain.critical_path import CriticalPath
from planloom.knowledge.sequence import Order
from planloom.knowledge.targets import Step

#: Working days of slack that stay with a package that is held back.
BUFFER = 20

_WAITING_COSTS = frozenset({"people", "operate"})
_LATE_KINDS = frozenset({"test", "communication"})


def held_back(
    steps: Iterable[Step], orders: Sequence[Order], solved: CriticalPath, goals: Iterable[str]
) -> dict[str, date]:
    """Return by id the first day on which packages that could start far earlier should start, to end BUFFER days early.

    Hiring, training and operation cost money while they wait; tests and announcements of the last phases wait for
    something to test or announce. What depends on nothing but the mandate (terms with neighbours) stays early.
    """
    calm = {order.task for order in orders}
    after_first = {o.task for o in orders if o.after in calm}
    wanted = frozenset(goals)
    found = {}
    for step in steps:
        placed = solved.tasks[step.id]
        late = step.phase in ("launch", "close") and step.kind in _LATE_KINDS
        waits = step.kind in _WAITING_COSTS or late
        if waits and step.id in wanted and step.id in after_first and placed.total_slack > 2 * BUFFER:
            found[step.id] = date.fromordinal(_back(placed.start, placed.late_start, placed.total_slack))
    return found


def _back(start: date, late_start: date, slack: int) -> int:
    share = 1 - BUFFER / slack
    return start.toordinal() + round(share * (late_start - start).days)
