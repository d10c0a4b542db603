"""What executes runs, and where their events are published."""

from datetime import datetime
from typing import Protocol

from planloom.planes.strategic.events import PlanEvent


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


class RunQueue(Protocol):
    """Slots of active runs, where their number is limited, and the queue of waiting runs. A run is named as its
    execution.
    """

    def take_slot(self, run: str, most: int, since: datetime) -> bool:
        """Take one of *most* slots for *run* and return True, also where it has one; else queue it by *since*, when it
        was asked for, and return False.
        """
        ...

    def release(self, run: str) -> None:
        """Release the slot of *run*, or take it from the queue; no error where it has neither."""
        ...

    def read(self) -> tuple[frozenset[str], tuple[str, ...]]:
        """Return the active runs, and the waiting ones in the order of the queue."""
        ...


class Bus(Protocol):
    """The event bus."""

    def put(self, event: PlanEvent) -> None:
        """Publish *event*; raise where the bus did not accept it."""
        ...


class GoalReader(Protocol):
    """What reads a goal with a model while the caller does not wait."""

    def start(self, facts_id: str) -> None:
        """Start the reading *facts_id*, whose record is stored; raise where it could not be started."""
        ...
