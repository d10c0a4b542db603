"""Where runs are handed over, and where it is told what came of them."""

from datetime import datetime
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
    """Which runs are under way, where only so many may be at once, and which wait; a run is named as its execution."""

    def take(self, run: str, most: int, since: datetime) -> bool:
        """Let *run* be one of at most *most* that are under way, True also where it is already; else let it wait,
        in the order of *since*, when it was asked for.
        """
        ...

    def leave(self, run: str) -> None:
        """Let *run* be neither under way nor waiting; no error where it is not."""
        ...

    def look(self) -> tuple[frozenset[str], tuple[str, ...]]:
        """Return the runs that are under way, and those that wait, first come first."""
        ...


class Bus(Protocol):
    """Where events are told."""

    def put(self, event: PlanEvent) -> None:
        """Tell *event*; raise where the bus did not take it."""
        ...


class GoalReader(Protocol):
    """What reads a goal with a model while the caller does not wait."""

    def start(self, facts_id: str) -> None:
        """Start the reading *facts_id*, whose record is stored; raise where it could not be started."""
        ...
