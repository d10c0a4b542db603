"""Hold a call open until there is something to answer, without keeping all others from being answered.

A deployment may have few processes (on a laptop five). Then a call that is held takes a seat, of which there are fewer;
who finds none free looks once, answers, and says when to come back.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import TypeVar

from planloom.services.world import World

T = TypeVar("T")

#: The gateway gives up after 29 seconds, and clients sooner.
LONGEST_SECONDS = 20.0
#: A seat that nobody gave back (its process was killed) is free again this long after the hold must have ended.
GRACE = timedelta(seconds=5)


def hold(world: World, seconds: float, every: float, look: Callable[[], T | None]) -> tuple[T | None, bool]:
    """Call *look* every so many seconds until it returns something, for at most *seconds* (20 at most).

    Returns what it returned last, and whether the call was held: False where no seat was free.
    """
    found = look()
    until = world.monotonic() + min(seconds, LONGEST_SECONDS)
    if found is not None or world.monotonic() >= until:
        return found, True
    with _seat(world, until - world.monotonic()) as seated:
        while found is None and seated and world.monotonic() < until:
            world.sleep(min(every, until - world.monotonic()))
            found = look()
    return found, seated


@contextmanager
def _seat(world: World, seconds: float) -> Iterator[bool]:
    if not world.watching.holds:
        yield True
        return
    now = world.now()
    until = now + timedelta(seconds=seconds) + GRACE
    seat = world.seats.take(world.watching.holds, now, until)
    try:
        yield seat is not None
    finally:
        if seat is not None:
            world.seats.leave(seat, until)
