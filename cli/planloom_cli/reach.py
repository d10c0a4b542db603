"""Connects a command to a service, and converts errors into exit codes and messages."""

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
    """The service of a command: that at ``url``, else the local one with the folder ``state``."""

    state: State
    url: Url = None
    key: Key = None

    def address(self) -> Address | None:
        """Return the address, None if there is no service; end the command if the key is missing."""
        if self.url:
            if not self.key:
                exits.leave(exits.REFUSED, "--url needs an API key. Add --key pex_... or set PLANLOOM_KEY.")
            return address_of(self.url, self.key)
        return announced(self.state)

    def running(self) -> Address:
        """Return the address; end the command if there is no service."""
        found = self.address()
        if found is None:
            exits.leave(
                exits.UNREACHABLE,
                "No service runs on this machine. Start one with 'planloom up', or name one with --url and --key.",
            )
        return found


@dataclass(frozen=True)
class AtService(Says, Pointer):
    """The service of a command that prints the responses of the service."""

    as_json: AsJson = False

    def reach(self, work: Work[T]) -> T:
        """Return the result of *work*; end the command with the right exit code if it fails."""
        return reach(self.running(), work)

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Return the response of *tool*; end the command with the right exit code if it fails."""
        return self.reach(lambda service: service.call(tool, **arguments))


def reach(address: Address, work: Work[T]) -> T:
    """Connect and return the result of *work*; end the command with the right exit code if it fails."""

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
        exits.leave(exits.UNREACHABLE, f"{error} Check the URL, or that 'planloom up' is still running.")
    except OSError as error:
        where = f" ({error.filename})" if error.filename else ""
        advice = " Name a writable folder with --output." if isinstance(error, NotWritten) else ""
        exits.leave(exits.REFUSED, f"{error.strerror or error}{where}.{advice}")
