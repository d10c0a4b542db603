"""Reach a service and do something with it; turn what goes wrong into an exit code and a line that helps."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

from planloom_cli import exits
from planloom_cli.running import address_of, announced
from planloom_cli.service import Address, KeyRefused, Service, ServiceError, Unreachable, connect

T = TypeVar("T")
Work = Callable[[Service], Awaitable[T]]


def pointed_at(url: str | None, key: str | None, state: Path) -> Address | None:
    """Return the service at *url*, else the one that runs with *state*, else None."""
    if url:
        if not key:
            exits.leave(exits.REFUSED, "--url needs the API key too: --key pex_... or PLANLOOM_KEY.")
        return address_of(url, key)
    return announced(state)


def running(url: str | None, key: str | None, state: Path) -> Address:
    """Return the service to speak to; end the command where there is none."""
    found = pointed_at(url, key, state)
    if found is None:
        exits.leave(
            exits.UNREACHABLE, "no service runs here. Start one with 'planloom up', or name one with --url and --key."
        )
    return found


def reach(address: Address, work: Work[T]) -> T:
    """Connect, do *work*, return what it returns; end the command with the right code where that fails."""

    async def connected() -> T:
        async with connect(address) as service:
            return await work(service)

    try:
        return asyncio.run(connected())
    except ServiceError as error:
        exits.leave(exits.REFUSED, f"{error.code}: {error.message}")
    except KeyRefused as error:
        exits.leave(exits.KEY_REFUSED, f"{error} Check your API key (--key or PLANLOOM_KEY).")
    except Unreachable as error:
        exits.leave(exits.UNREACHABLE, f"{error} Is 'planloom up' still running?")
    except OSError as error:
        where = f" ({error.filename})" if error.filename else ""
        exits.leave(exits.REFUSED, f"{error.strerror or error}{where}. Name a folder that can be written: --output.")
