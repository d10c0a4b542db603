"""Reach a service and do something with it; turn what goes wrong into an exit code and a line that helps."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from planloom_cli import exits
from planloom_cli.options import AsJson, Key, Says, State, Url
from planloom_cli.running import address_of, announced
from planloom_cli.save_files import NotWritten
from planloom_cli.service import Address, KeyRefused, Service, ServiceError, Unreachable, connect

T = TypeVar("T")
Work = Callable[[Service], Awaitable[T]]


@dataclass(frozen=True)
class Pointer:
    """Which service a command was pointed at: that at ``url``, else the one that runs with ``state``."""

    state: State
    url: Url = None
    key: Key = None

    def address(self) -> Address | None:
        """Return where it is, None where there is none; end the command where its key is missing."""
        if self.url:
            if not self.key:
                exits.leave(exits.REFUSED, "--url needs the API key too: --key pex_... or PLANLOOM_KEY.")
            return address_of(self.url, self.key)
        return announced(self.state)

    def running(self) -> Address:
        """Return where it is; end the command where there is none."""
        found = self.address()
        if found is None:
            exits.leave(
                exits.UNREACHABLE,
                "no service runs here. Start one with 'planloom up', or name one with --url and --key.",
            )
        return found


@dataclass(frozen=True)
class AtService(Says, Pointer):
    """The same for commands that answer with what the service says."""

    as_json: AsJson = False

    def reach(self, work: Work[T]) -> T:
        """Return what *work* does with the service; end the command with the right code where that fails."""
        return reach(self.running(), work)

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Return the answer of *tool*; end the command with the right code where there is none."""
        return self.reach(lambda service: service.call(tool, **arguments))


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
        advice = " Name a folder that can be written: --output." if isinstance(error, NotWritten) else ""
        exits.leave(exits.REFUSED, f"{error.strerror or error}{where}.{advice}")
