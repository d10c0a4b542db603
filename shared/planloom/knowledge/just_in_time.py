"""Hold back what costs money while it waits: people hired or trained months before there is work for them."""

from collections.abc import Iterable, Sequence
from datetime import date

from planloom.domain.critical_path import CriticalPath
from planloom.knowledge.forced_packages import KEPT_TERMS
from planloom.knowledge.sequence import Order
from planloom.knowledge.targets import Step

#: Working days of slack that stay with a package that is held back.
BUFFER = 20

_LATE_PHASES = ("launch", "close")


def held_back(
    steps: Iterable[Step], orders: Sequence[Order], solved: CriticalPath, goals: Iterable[str]
) -> dict[str, date]:
    """Return by id the first day on which packages that could start far earlier should start, to end BUFFER days early.

    Those are hiring and training, announcements of the last phases, and the proof that terms were kept. What depends
    on nothing but the mandate (the terms with neighbours, the first appointments) stays early.
    """
    waiting = {order.task for order in orders}
    later = {order.task for order in orders if order.after in waiting}
    wanted = frozenset(goals)
    found = {}
    for step in steps:
        placed = solved.tasks[step.id]
        announces = step.kind == "communication" and step.phase in _LATE_PHASES
        waits = ((step.kind == "people" or announces) and step.id in later) or step.key == KEPT_TERMS
        if waits and step.id in wanted and placed.total_slack > 2 * BUFFER:
            found[step.id] = date.fromordinal(_back(placed.start, placed.late_start, placed.total_slack))
    return found


def _back(start: date, late_start: date, slack: int) -> int:
    share = 1 - BUFFER / slack
    return start.toordinal() + round(share * (late_start - start).days)
