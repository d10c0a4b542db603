"""Bear with a service that is lost for a while: a laptop that slept, a service that is started again."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

import typer

from planloom_cli.service import Unreachable

T = TypeVar("T")

#: How long a service may be lost, and the pauses between the calls meanwhile.
LOST_SECONDS = 60.0
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 8.0


def say(text: str) -> None:
    """Tell the person who waits."""
    typer.echo(f"planloom: {text}", err=True)


async def patiently(call: Callable[[], Awaitable[T]], say: Callable[[str], object] = say) -> T:
    """Return what *call* returns; where the service is lost, try again for a minute. Raises Unreachable after it.

    *say* is told once that it is lost, and once that it is back.
    """
    pause, lost_at = FIRST_PAUSE, 0.0
    while True:
        try:
            answer = await call()
        except Unreachable as lost:
            if not lost_at:
                lost_at = time.monotonic()
                say(f"{lost} Trying again for {LOST_SECONDS:.0f} seconds ...")
            if time.monotonic() - lost_at + pause > LOST_SECONDS:
                raise
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)
        else:
            if lost_at:
                say("The service is back.")
            return answer
