"""Hold back what costs money while it waits: people hired or trained months before there is work for them."""

from collections.abc import Iterable, Sequence
from datetime import date

from planloom.domain.critical_path import CriticalPath
from planloom.knowledge.sequence import ACCEPTANCE, Order
from planloom.knowledge.targets import Step

#: Working days of slack that stay with a package that is held back.
BUFFER = 30

_LATE_PHASES = ("launch", "close")


def held_back(
    steps: Sequence[Step], orders: Sequence[Order], solved: CriticalPath, goals: Iterable[str]
) -> dict[str, date]:
    """Return by id the first day on which packages that could start far earlier should start, to end BUFFER days early.

    Those are hiring and training, announcements of the last phases, and tests that nothing but acceptance
    waits for. What depends on nothing but the mandate (terms with neighbours) stays early.
    """
    waiting = {order.task for order in orders}
    later = {order.task for order in orders if order.after in waiting}
    accepted = {step.id for step in steps if step.key == ACCEPTANCE}
    followers = {step.id: {order.task for order in orders if order.after == step.id} for step in steps}
    wanted = frozenset(goals)
    found = {}
    for step in steps:
        placed = solved.tasks[step.id]
        announces = step.kind == "communication" and step.phase in _LATE_PHASES
        proves = step.kind == "test" and followers[step.id] == accepted
        waits = proves or ((step.kind == "people" or announces) and step.id in later)
        if waits and step.id in wanted and placed.total_slack > BUFFER + 10:
            found[step.id] = date.fromordinal(_back(placed.start, placed.late_start, placed.total_slack))
    return found


def _back(start: date, late_start: date, slack: int) -> int:
    share = 1 - BUFFER / slack
    return start.toordinal() + round(share * (late_start - start).days)
