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
    except* ServiceError as group:
        error = _first(group, ServiceError)
        exits.leave(exits.REFUSED, f"{error.code}: {error.message}")
    except* KeyRefused as group:
        exits.leave(exits.KEY_REFUSED, f"{_first(group, KeyRefused)} Check your API key (--key or PLANLOOM_KEY).")
    except* Unreachable as group:
        exits.leave(exits.UNREACHABLE, f"{_first(group, Unreachable)} Is 'planloom up' still running?")
    except* OSError as group:
        exits.leave(exits.REFUSED, str(_first(group, OSError)))


E = TypeVar("E", bound=BaseException)


def _first(group: BaseExceptionGroup[BaseException], kind: type[E]) -> E:
    """Return the first error of *kind* in *group*: the MCP library's task groups wrap errors, sometimes twice."""
    for error in group.exceptions:
        if isinstance(error, kind):
            return error
        if isinstance(error, BaseExceptionGroup):
            return _first(error, kind)
    raise group
