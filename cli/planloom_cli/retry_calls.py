"""Repeats calls while a service is unreachable for a short time, such as during a restart."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

import typer

from planloom_cli.service import Unreachable

T = TypeVar("T")

#: How long calls are repeated, and the delays between them, in seconds.
RETRY_SECONDS = 60.0
FIRST_DELAY, LONGEST_DELAY = 1.0, 8.0


def say(text: str) -> None:
    """Print *text* on standard error."""
    typer.echo(f"planloom: {text}", err=True)


async def with_retries(call: Callable[[], Awaitable[T]], say: Callable[[str], object] = say) -> T:
    """Return the result of *call*; if the service is unreachable, repeat it for a minute, then raise Unreachable.

    *say* is called when the service becomes unreachable and when it answers again.
    """
    delay, lost_at = FIRST_DELAY, 0.0
    while True:
        try:
            answer = await call()
        except Unreachable as lost:
            if not lost_at:
                lost_at = time.monotonic()
                say(f"{lost} Trying again for {RETRY_SECONDS:.0f} seconds ...")
            if time.monotonic() - lost_at + delay > RETRY_SECONDS:
                raise
            await asyncio.sleep(delay)
            delay = min(2 * delay, LONGEST_DELAY)
        else:
            if lost_at:
                say("The service answers again.")
            return answer
