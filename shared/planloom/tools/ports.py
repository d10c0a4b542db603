"""Where the tool servers of an account are kept, and how they are asked for their tools."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol

from pydantic import Field

from planloom.core.frozen import Frozen
from planloom.tools.tool import Tool


class ToolServer(Frozen):
    """A tool server of an account. Only the names of its headers are known here: their values are secrets.

    ``trusted``: the hints of its tools count (read-only, idempotent, destructive). ``catalog`` is the key of its tools
    as they were listed last.
    """

    account: str
    name: str
    url: str
    trusted: bool = False
    headers: tuple[str, ...] = ()
    created_at: datetime
    catalog: str = ""
    listed_at: datetime | None = None
    tools: int = Field(default=0, description="How many there were when they were listed")


class ToolServerStore(Protocol):
    """The tool servers of all accounts."""

    def put(self, server: ToolServer) -> None:
        """Store or replace a server."""

    def get(self, account: str, name: str) -> ToolServer | None:
        """Return a server."""

    def of_account(self, account: str) -> list[ToolServer]:
        """Return all servers of *account*, by name."""

    def delete(self, account: str, name: str) -> None:
        """Delete a server; no error where there is none."""

    def put_catalog(self, account: str, tools: Sequence[Tool]) -> str:
        """Store the tools of a server and return their key: a hash, equal for equal tools."""

    def catalog(self, account: str, key: str) -> list[Tool]:
        """Return the tools that were stored under *key*; none where there are none."""


class HeaderSecrets(Protocol):
    """The values of headers, which may be keys."""

    def put(self, account: str, name: str, headers: Mapping[str, str]) -> None:
        """Store or replace the headers of a server."""

    def get(self, account: str, name: str) -> dict[str, str]:
        """Return the headers of a server; none where there are none."""

    def delete(self, account: str, name: str) -> None:
        """Delete the headers of a server; no error where there are none."""


class ToolClient(Protocol):
    """What speaks to tool servers."""

    def check(self, url: str) -> None:
        """Raise AddressRefused where the URL leads to a place that a tool server must not have."""

    def list_tools(self, name: str, url: str, headers: Mapping[str, str], seconds: float) -> list[Tool]:
        """Return the tools of a server. Raises AddressRefused, ConnectionError, TimeoutError."""
