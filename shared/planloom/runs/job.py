"""What a plane gives to a worker: the order of its steps, and how one is executed."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, Protocol, runtime_checkable

from planloom.core.step_graph import StepGraph
from planloom.runs.records import Run, RunWork, StepRecord, Unit


@dataclass(frozen=True)
class StepEnd:
    """How a plane's step ended, or that it is ``waiting``, at most until ``until``. ``calls`` were made for it."""

    state: Literal["completed", "failed", "skipped", "unknown", "waiting"]
    value: Any = None
    error: str = ""
    code: str = ""
    detail: Mapping[str, Any] = field(default_factory=dict)
    calls: int = 0
    until: datetime | None = None


class StepCalls(Protocol):
    """What a step uses so that a crash does not repeat what it did."""

    async def intend(self, part: str = "") -> None:
        """Keep that a call that is not repeatable is about to be made; call it before each such call."""

    def kept(self, part: str) -> StepRecord | None:
        """Return what *part* of this step came to before; None where it has not ended, or that is unknown."""

    async def keep(self, part: str, end: StepEnd) -> StepRecord:
        """Keep what *part* came to, and return the record that counts: another worker may have been first."""

    def log(self, name: str, **data: Any) -> None:
        """Put an event of this step into the log of the run."""


class Job(Protocol):
    """A run of a plane as its worker sees it: the order of its steps, and how one is executed."""

    graph: StepGraph
    max_concurrency: int
    #: What happens to a step whose outcome is unknown: block, retry, skip.
    on_unknown: str

    def title(self, step: str) -> str:
        """Return what the log calls the step."""

    def ended(self, record: StepRecord, value: Any) -> None:
        """Take note of how a step ended in this turn."""

    async def execute(self, step: str, calls: StepCalls) -> StepEnd:
        """Execute one step; errors of the step are in its end."""

    def to_undo(self) -> list[str]:
        """Return the steps that are to be compensated after the run failed, in order."""

    async def undo(self, step: str, calls: StepCalls) -> StepEnd:
        """Make the compensating call of *step*."""

    async def close(self) -> None:
        """End connections."""


@dataclass(frozen=True)
class Revision:
    """What a run works from next, under the next number: another graph. ``kept`` of *work* names what is not run again.

    ``steps`` is how many steps it has, ``revision`` that of the run's subject. ``replanned``: it follows a failure.
    """

    work: RunWork
    steps: int
    revision: int
    replanned: bool = False
    detail: Mapping[str, Any] = field(default_factory=dict)


class RevisionFailed(Exception):
    """There is no revision; the run ends as failed with *code*, unless a step of it failed before."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


@runtime_checkable
class Revises(Protocol):
    """A job that may replace what its run works from: after a failure, or when its steps made the graph."""

    async def revise(self, failed: StepRecord | None, calls: StepCalls | None) -> Revision | None:
        """Return what the run works from next, None where it ends here. Raises RevisionFailed.

        *failed* is the first failed step, None where every step completed; *calls* are those of that step. It may be
        asked again after a crash.
        """


#: Reads the value of a record.
ReadValue = Callable[[StepRecord], Awaitable[Any]]
#: Opens the job of a run, with the records that count, by unit.
OpenJob = Callable[[Run, RunWork, Mapping[Unit, StepRecord], ReadValue], Awaitable[Job]]
