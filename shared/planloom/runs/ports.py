"""What runs need from outside: a table of runs, files, an event log, and the engine that starts workers."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Protocol

from planloom.runs.records import (
    Control,
    Intent,
    Lease,
    LoggedEvent,
    Progress,
    Run,
    RunEvent,
    RunFailure,
    RunState,
    RunWork,
    StepRecord,
    Unit,
)


class RunStore(Protocol):
    """The runs and their fences. Every write is conditional; one that comes too late changes nothing."""

    def add(self, run: Run, most: int | None = None) -> bool:
        """Store a new run; return False where its id is taken.

        Raises TooManyRuns where the account has *most* active runs: exactly so many, however many start at once.
        """

    def get(self, run_id: str) -> Run | None:
        """Return a run as it is now."""

    def newest_of(self, account: str, limit: int, before: str | None = None) -> list[tuple[str, Run]]:
        """Return runs of *account*, newest first, each with the position that *before* takes for those after it."""

    def active(self, account: str | None = None) -> list[str]:
        """Return the ids of all runs that are running or waiting, of *account* where it is named."""

    def control(self, run_id: str) -> Control | None:
        """Return the fences and signals of a run."""

    def move(
        self,
        run_id: str,
        number: int,
        to: RunState,
        now: datetime,
        failure: RunFailure | None = None,
        epoch: int | None = None,
    ) -> bool:
        """Move run *number* to a state that TRANSITIONS allows; return whether that was done.

        With *epoch* only while that is the run's: nobody has taken the lease since. A run that was asked to stop does
        not complete.
        """

    def renumber(self, run_id: str, number: int, work: str, deadline: datetime | None, most: int | None = None) -> bool:
        """Raise the number of a run that ended from *number* by one, with new work and without stop and intents.

        The run is running afterwards. Return False where it has another number or is not resumable. Raises TooManyRuns
        where the account has *most* active runs.
        """

    def revise(self, lease: Lease, work: str, *, steps: int, revision: int, replanned: bool) -> bool:
        """Raise the number of the run that the lease is for by one, with new work, which has *steps*.

        Return False, changing nothing, where the lease is somebody else's or the run was asked to stop.
        """

    def take_lease(self, run_id: str, number: int, now: datetime, until: datetime) -> Control | None:
        """Take the lease where it is free or expired; the epoch rises. Return None where it is not to be had."""

    def renew_lease(self, lease: Lease, until: datetime) -> Control | None:
        """Keep the lease; return None where it is somebody else's."""

    def release_lease(self, lease: Lease) -> None:
        """Give the lease back; no error where it is somebody else's."""

    def note_intents(self, lease: Lease, begun: Sequence[Intent], ended: Sequence[str]) -> Control | None:
        """Keep that calls of *begun* are about to be made, and forget those of the units *ended*.

        Return None, having kept nothing, where the lease is somebody else's.
        """

    def report(self, lease: Lease, progress: Progress) -> bool:
        """Replace the progress; return False where the lease is somebody else's."""

    def signal(self, run_id: str, *, stop: bool = False) -> Control | None:
        """Count a signal and keep what it asks for. None without such a run."""

    def park(self, run_id: str, number: int, token: str, seen: int) -> bool:
        """Keep *token*, with which the run is woken, unless there are more signals than *seen*: then return False."""

    def next_part(self, run_id: str, number: int, part: int) -> bool:
        """Raise the part of run *number* from *part* by one; return False where it is another, or the run ended."""

    def delete(self, run_id: str) -> None:
        """Delete the run and its log; no error where there is none."""


class RunFiles(Protocol):
    """The truth of runs: written once, never replaced, but for ``run.json``."""

    def put_run(self, run: Run) -> None:
        """Store the run as it is now."""

    def put_work(self, run_id: str, key: str, work: RunWork) -> None:
        """Store *work* under *key*."""

    def work(self, run_id: str, key: str) -> RunWork:
        """Return it. Raises FileNotFoundError."""

    def commit(self, run_id: str, record: StepRecord) -> bool:
        """Store *record*; return False, changing nothing, where its unit, number and attempt have one."""

    def record(self, run_id: str, unit: Unit, number: int, attempt: int) -> StepRecord | None:
        """Return one record."""

    def records(self, run_id: str, step: str | None = None, *, parts: bool = True) -> list[StepRecord]:
        """Return all records of the run, of *step* where one is named; those of parts of steps only with *parts*."""

    def put_value(self, run_id: str, text: str) -> str:
        """Store a large value and return its key; equal values have equal keys."""

    def value(self, run_id: str, key: str) -> str:
        """Return a large value. Raises FileNotFoundError."""

    def value_link(self, run_id: str, key: str) -> str:
        """Return a URL from which a large value is read for 15 minutes."""

    def delete(self, run_id: str) -> None:
        """Delete everything of the run."""


class RunEvents(Protocol):
    """The event log of each run."""

    def append(self, run_id: str, events: Iterable[RunEvent]) -> None:
        """Add *events* in order; each gets a cursor above all that any reader has seen."""

    def after(self, run_id: str, cursor: int, limit: int) -> list[LoggedEvent]:
        """Return the first events after *cursor*, at most *limit*."""

    def last(self, run_id: str) -> LoggedEvent | None:
        """Return the newest event."""


class Engine(Protocol):
    """What starts workers and lets runs wait without one: Step Functions."""

    def start(self, run_id: str, number: int, part: int) -> None:
        """Start work on a part of run *number*; starting the same part twice is starting it once."""

    def wake(self, token: str) -> None:
        """Let the run that was parked with *token* work again; no error where the token is of no use any more."""

    def stop(self, run_id: str, number: int, part: int) -> None:
        """Stop what was started for this part; no error where it has ended."""

    def running(self, run_id: str, number: int, part: int) -> bool:
        """Return whether what was started for this part is still active."""
