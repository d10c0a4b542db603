"""Where runs are handed over, and where it is told what came of them."""

from typing import Protocol

from planloom.domain.events import PlanEvent


class Pipeline(Protocol):
    """The state machine."""

    def start(self, plan_id: str, run: int, target: str) -> None:
        """Start run *run*; starting it twice is starting it once."""
        ...

    def stop(self, plan_id: str, run: int) -> None:
        """Stop run *run* where it is still going; no error where it is not."""
        ...

    def status(self, plan_id: str, run: int) -> str | None:
        """Return RUNNING, SUCCEEDED, FAILED, TIMED_OUT or ABORTED; None where that run was never started."""
        ...


class Turns(Protocol):
    """Which runs are under way, where only so many may be at once; a run is named as its execution is."""

    def take(self, run: str, most: int) -> bool:
        """Let *run* be one of at most *most* that are under way; True also where it is already, else False."""
        ...

    def leave(self, run: str) -> None:
        """Let another be in the place of *run*; no error where it has none."""
        ...

    def taken(self) -> frozenset[str]:
        """Return the runs that are under way."""
        ...


class Bus(Protocol):
    """Where events are told."""

    def put(self, event: PlanEvent) -> None:
        """Tell *event*; raise where the bus did not take it."""
        ...
