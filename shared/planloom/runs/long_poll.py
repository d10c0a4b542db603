"""Long polls: hold a call open until there is a result, without blocking all other calls.

A deployment may have few processes (on a laptop five). Then a long poll takes a slot, of which there are fewer than
processes; without a free slot it looks once, and its caller says when to come back.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol, TypeVar

from planloom.core.clock import Clock, Monotonic

T = TypeVar("T")

#: The gateway gives up after 29 seconds, and clients sooner.
LONGEST_SECONDS = 20.0
#: A slot that was not released (its process was killed) is free again this long after the poll must have ended.
GRACE = timedelta(seconds=5)


class PollSlots(Protocol):
    """Slots for long polls, shared by all processes of the service."""

    def take(self, slots: int, now: datetime, until: datetime) -> int | None:
        """Take one of *slots* until then; None where all are taken and none has expired."""
        ...

    def release(self, slot: int, until: datetime) -> None:
        """Release *slot*, unless it expired and another caller has it."""
        ...


@dataclass(frozen=True)
class LongPoll:
    """``most``: how many calls may be held open at once, 0 for any number. ``sleep`` takes seconds."""

    slots: PollSlots
    most: int
    now: Clock
    monotonic: Monotonic
    sleep: Callable[[float], None]

    def wait(self, seconds: float, every: float, look: Callable[[], T | None]) -> tuple[T | None, bool]:
        """Call *look* *every* so many seconds until it returns something, for at most *seconds* (20 at most).

        Returns what it returned last, and whether the call was held open: False without a free slot.
        """
        found = look()
        until = self.monotonic() + min(seconds, LONGEST_SECONDS)
        if found is not None or self.monotonic() >= until:
            return found, True
        with self._slot(until - self.monotonic()) as held:
            while found is None and held and self.monotonic() < until:
                self.sleep(min(every, until - self.monotonic()))
                found = look()
        return found, held

    @contextmanager
    def _slot(self, seconds: float) -> Iterator[bool]:
        if not self.most:
            yield True
            return
        now = self.now()
        until = now + timedelta(seconds=seconds) + GRACE
        slot = self.slots.take(self.most, now, until)
        try:
            yield slot is not None
        finally:
            if slot is not None:
                self.slots.release(slot, until)
