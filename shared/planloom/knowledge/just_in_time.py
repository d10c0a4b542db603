"""Hold back what costs money while it waits: people hired or trained months before there is work for them."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta

from planloom.domain.tasks import CriticalPath, Placed
from planloom.knowledge.forced_permits import is_of_prompt
from planloom.knowledge.sequence import ACCEPTANCE, Order
from planloom.knowledge.targets import Step, Target, takes_place

#: Working days of slack that stay with a package that is held back.
BUFFER = 30

#: And with what is set up for a fixed day.
DAYS_BEFORE = 2

#: And with what leads up to a day of its own.
SPARE = timedelta(weeks=2)

_ON_THE_SPOT = re.compile(r"set-?up|open[- _]air|rigging|stage build", re.IGNORECASE)

_LATE_PHASES = ("launch", "close")


def held_back(
    steps: Sequence[Step], orders: Sequence[Order], solved: CriticalPath, goals: Iterable[str]
) -> dict[str, date]:
    """Return by id the first day on which packages that could start far earlier should start, to end BUFFER days early.

    Those are hiring and training, announcements of the last phases, and tests that nothing but acceptance waits for.
    What depends on nothing but the mandate (terms with neighbours, first appointments) stays early.
    """
    followers = {step.id: {order.task for order in orders if order.after == step.id} for step in steps}
    wanted = frozenset(goals)
    return {
        step.id: _back(solved.tasks[step.id], BUFFER)
        for step in steps
        if step.id in wanted
        and solved.tasks[step.id].total_slack > BUFFER + 10
        and _waits(step, steps, orders, followers)
    }


def set_up(steps: Iterable[Step], solved: CriticalPath, goals: Iterable[str]) -> dict[str, date]:
    """Return by id the first day of what is set up, rehearsed and released just before a fixed day."""
    wanted = frozenset(goals)
    return {
        step.id: _back(solved.tasks[step.id], DAYS_BEFORE)
        for step in steps
        if step.id in wanted and solved.tasks[step.id].total_slack > DAYS_BEFORE and is_set_up(step)
    }


def toward_their_day(steps: Iterable[Step], solved: CriticalPath, found: Iterable[Target]) -> dict[str, date]:
    """Return by id the first day of what the prompt alone wants by a day of its own: it leads up to that day.

    It waits for nothing but the mandate, and would otherwise be done years before anybody asks for it.
    """
    own = {step.id for step in steps if is_of_prompt(step.key) and step.kind == "operate"}
    begins: dict[str, date] = {}
    for target in found:
        for name in own & set(target.tasks if not target.final else ()):
            placed = solved.tasks[name]
            first = target.day - (placed.end - placed.start) - SPARE
            if first > placed.start:
                begins[name] = min(first, begins.get(name, first))
    return begins


def is_set_up(step: Step) -> bool:
    """Return whether *step* can only be done on the spot in the days before: set-up, rehearsal, release."""
    if step.phase == "launch":
        return not takes_place(step) and not is_of_prompt(step.key)
    return step.kind == "build" and bool(_ON_THE_SPOT.search(f"{step.key} {step.title}"))


def _waits(step: Step, steps: Sequence[Step], orders: Sequence[Order], followers: Mapping[str, set[str]]) -> bool:
    accepted = {s.id for s in steps if s.key == ACCEPTANCE}
    if step.kind == "test" and followers[step.id] == accepted:
        return True
    waiting = {order.task for order in orders}
    later = any(order.task == step.id and order.after in waiting for order in orders)
    announces = step.kind == "communication" and step.phase in _LATE_PHASES
    return later and (step.kind == "people" or announces)


def _back(placed: Placed, buffer: int) -> date:
    share = 1 - buffer / placed.total_slack
    return placed.start + timedelta(days=round(share * (placed.late_start - placed.start).days))
