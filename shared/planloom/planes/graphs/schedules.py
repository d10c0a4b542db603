"""Schedules of graphs: when each runs, what it ran, and which runs were missed."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Protocol
from uuid import NAMESPACE_URL, uuid5

from pydantic import Field

from planloom.core.cron import ExpressionInvalid, Recurrence, parse
from planloom.core.errors import InvalidArgument, PlanloomError
from planloom.core.frozen import Frozen
from planloom.planes.graphs.errors import ScheduleNotFound
from planloom.planes.graphs.options import RunOptions
from planloom.planes.graphs.service import Graphs
from planloom.runs.errors import RunActive

#: Schedules of one account, and runs that one keeps as missed.
MOST_SCHEDULES, MOST_MISSED = 50, 20
#: A run that is due may start so much later before it counts as missed.
GRACE = timedelta(minutes=5)
NAME = re.compile(r"^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$")


class Missed(Frozen):
    """A run that did not start when it was due."""

    due: datetime
    reason: str


class Schedule(Frozen):
    """When a graph runs. ``when`` is cron(...) or at(...) in ``timezone``; ``last_due`` is the last time it was due."""

    account: str
    name: str
    graph_id: str
    when: str
    timezone: str = "UTC"
    variables: dict[str, Any] = Field(default_factory=dict)
    options: RunOptions = RunOptions()
    created_at: datetime
    last_due: datetime | None = None
    last_run: str | None = None
    missed: tuple[Missed, ...] = ()

    @property
    def times(self) -> Recurrence:
        """The times at which it is due."""
        return parse(self.when, self.timezone)


class ScheduleStore(Protocol):
    """The schedules of all accounts."""

    def put(self, schedule: Schedule) -> None:
        """Store or replace a schedule."""

    def replace(self, before: Schedule, after: Schedule) -> bool:
        """Store *after* where *before* is still what is stored; False where it was replaced or deleted."""

    def get(self, account: str, name: str) -> Schedule | None:
        """Return a schedule."""

    def of_account(self, account: str) -> list[Schedule]:
        """Return all schedules of *account*, by name."""

    def delete(self, account: str, name: str) -> None:
        """Delete a schedule; no error where there is none."""


class Timer(Protocol):
    """What calls at the times of a schedule: EventBridge Scheduler."""

    def set(self, account: str, name: str, when: str, timezone: str) -> None:
        """Call at these times, in place of those that were set before."""

    def clear(self, account: str, name: str) -> None:
        """Call no more; no error where nothing was set."""


@dataclass(frozen=True)
class Schedules:
    """The schedules of all accounts; every method names the account."""

    store: ScheduleStore
    timer: Timer
    graphs: Graphs
    now: Callable[[], datetime]

    def set(
        self,
        account: str,
        name: str,
        graph_id: str,
        when: str,
        timezone: str,
        variables: dict[str, Any],
        options: RunOptions,
    ) -> Schedule:
        """Store or replace a schedule. Raises InvalidArgument, GraphNotFound."""
        if not NAME.match(name):
            raise InvalidArgument("The name has letters, digits, dots, hyphens and underscores, at most 40.")
        self.graphs.view(account, graph_id)
        others = [each for each in self.store.of_account(account) if each.name != name]
        if len(others) >= MOST_SCHEDULES:
            raise InvalidArgument(f"The account has {MOST_SCHEDULES} schedules. Delete one first.")
        now = self.now()
        try:
            first = parse(when, timezone).after(now)
        except ExpressionInvalid as error:
            raise InvalidArgument(str(error)) from error
        if first is None:
            raise InvalidArgument(f"{when} is never again. Write a time that is to come.")
        schedule = Schedule(
            account=account,
            name=name,
            graph_id=graph_id,
            when=when.strip(),
            timezone=timezone,
            variables=variables,
            options=options,
            created_at=now,
        )
        # the timer last: what it calls for is there
        self.store.put(schedule)
        self.timer.set(account, name, schedule.when, timezone)
        return schedule

    def get(self, account: str, name: str) -> Schedule:
        """Return a schedule, with runs that were missed until now. Raises ScheduleNotFound."""
        found = self.store.get(account, name)
        if found is None:
            known = ", ".join(each.name for each in self.store.of_account(account)) or "none"
            raise ScheduleNotFound(f"There is no schedule “{name[:40]}”. There are: {known}.")
        return self._with_missed(found, self.now() - GRACE)

    def all(self, account: str) -> list[Schedule]:
        """Return the account's schedules, by name, with runs that were missed until now."""
        until = self.now() - GRACE
        return [self._with_missed(each, until) for each in self.store.of_account(account)]

    def delete(self, account: str, name: str) -> None:
        """Delete a schedule; its runs stay. Raises ScheduleNotFound."""
        self.get(account, name)
        self.timer.clear(account, name)
        self.store.delete(account, name)

    def run_due(self, account: str, name: str) -> str | None:
        """Start the run that is due, and return its id; None where none is, or it could not start.

        Called twice for one time it starts one run.
        """
        stored, now = self.store.get(account, name), self.now()
        if stored is None:
            return None
        due = _last_due(stored, now)
        if due is None:
            return None
        schedule = self._with_missed(stored, due - timedelta(seconds=1))
        run_id = str(uuid5(NAMESPACE_URL, f"planloom/{account}/{name}/{due.isoformat()}"))
        changed: dict[str, Any] = {"last_due": due, "last_run": run_id}
        try:
            # it is there where the call that started it ended before it stored that
            if self.graphs.runs.store.get(run_id) is None:
                self.graphs.run(account, schedule.graph_id, schedule.variables, schedule.options, run_id=run_id)
        except RunActive:
            return run_id
        except PlanloomError as error:
            missed = (*schedule.missed, Missed(due=due, reason=f"{error.code}: {error.message}"[:500]))
            changed = {"last_due": due, "missed": missed[-MOST_MISSED:]}
        # the caller may have replaced or deleted it in the meantime
        self.store.replace(stored, schedule.model_copy(update=changed))
        return changed.get("last_run")

    def _with_missed(self, schedule: Schedule, until: datetime) -> Schedule:
        """Return *schedule* with the times up to *until* at which nothing happened."""
        found, after = list(schedule.missed), schedule.last_due or schedule.created_at
        times = schedule.times
        for _ in range(MOST_MISSED * 10):
            due = times.after(after)
            if due is None or due > until:
                break
            found.append(Missed(due=due, reason="The service did not run at that time."))
            after = due
        last = found[-1].due if len(found) > len(schedule.missed) else schedule.last_due
        return schedule.model_copy(update={"missed": tuple(found[-MOST_MISSED:]), "last_due": last})


def _last_due(schedule: Schedule, now: datetime) -> datetime | None:
    """Return the last time up to *now* at which the schedule was due and nothing happened yet."""
    # timers may call some seconds early
    until, times = now + timedelta(seconds=30), schedule.times
    due, after = None, max(schedule.last_due or schedule.created_at, now - timedelta(days=1))
    while (found := times.after(after)) is not None and found <= until:
        due = after = found
    return due
