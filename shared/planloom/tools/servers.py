"""The tool servers of an account: added, listed, tested, removed; and the catalog of what they offer."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta

from planloom.tools.address_guard import AddressRefused
from planloom.tools.errors import InvalidToolServer, ToolServerNotFound, ToolServerUnreachable
from planloom.tools.own import OWN
from planloom.tools.ports import HeaderSecrets, ToolClient, ToolServer, ToolServerStore
from planloom.tools.tool import Catalog, Tool

#: Servers of one account, headers of one server, and the bytes that these have together.
MOST_SERVERS, MOST_HEADERS, HEADER_BYTES = 20, 20, 3_500
#: A catalog that is older is listed again before a run; servers have so many seconds to answer.
FRESH = timedelta(minutes=10)
LISTING = 6.0
NAME = re.compile(r"^[a-z0-9][a-z0-9_-]{0,63}$")
_HEADER = re.compile(r"^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$")


@dataclass(frozen=True)
class AccountServers:
    """The tool servers of all accounts; every method names the account."""

    store: ToolServerStore
    secrets: HeaderSecrets
    client: ToolClient
    now: Callable[[], datetime]
    #: Returns the tools of the server OWN, which every account has.
    own: Callable[[], Sequence[Tool]] = tuple

    def add(
        self, account: str, name: str, url: str, headers: Mapping[str, str] | None = None, trusted: bool = False
    ) -> tuple[ToolServer, str]:
        """Store a server, in place of one of that name, and list its tools.

        Return it, and why its tools could not be listed where that is so. Raises InvalidToolServer.
        """
        headers = headers or {}
        self._check(account, name, url, headers)
        if headers:
            self.secrets.put(account, name, headers)
        else:
            self.secrets.delete(account, name)
        server = ToolServer(
            account=account,
            name=name,
            url=url,
            trusted=trusted,
            headers=tuple(sorted(headers)),
            created_at=self.now(),
        )
        self.store.put(server)
        try:
            return self.test(account, name), ""
        except ToolServerUnreachable as error:
            return server, error.message

    def get(self, account: str, name: str) -> ToolServer:
        """Return a server. Raises ToolServerNotFound."""
        server = self.store.get(account, name)
        if server is None:
            known = ", ".join(each.name for each in self.store.of_account(account)) or "none"
            raise ToolServerNotFound(f"There is no tool server “{name[:64]}”. There are: {known}.")
        return server

    def all(self, account: str) -> list[ToolServer]:
        """Return the account's servers, by name."""
        return self.store.of_account(account)

    def remove(self, account: str, name: str) -> None:
        """Remove a server and its headers. Raises ToolServerNotFound."""
        self.get(account, name)
        self.store.delete(account, name)
        self.secrets.delete(account, name)

    def test(self, account: str, name: str) -> ToolServer:
        """List the server's tools now. Raises ToolServerUnreachable."""
        server = self.get(account, name)
        headers = self.secrets.get(account, name) if server.headers else {}
        try:
            tools = self.client.list_tools(name, server.url, headers, LISTING)
        except (AddressRefused, OSError, TimeoutError) as error:
            why = str(error) or "no answer in time"
            raise ToolServerUnreachable(
                f"The tool server “{name}” did not list its tools: {why} "
                "(a server that is no tool server, but an HTTP API, has none, and programs can read it)"
            ) from error
        key = self.store.put_catalog(account, tools)
        listed = server.model_copy(update={"catalog": key, "listed_at": self.now(), "tools": len(tools)})
        self.store.put(listed)
        return listed

    def tools(self, server: ToolServer) -> list[Tool]:
        """Return the tools of a server as they were listed last; hints count where it is trusted."""
        tools = self.store.catalog(server.account, server.catalog)
        if server.trusted:
            return tools
        return [tool.model_copy(update={"read_only": None, "destructive": None, "idempotent": None}) for tool in tools]

    def catalog(self, account: str) -> Catalog:
        """Return the tools of all servers as they were listed last."""
        added = [tool for server in self.all(account) for tool in self.tools(server)]
        return Catalog([*added, *self.own()])

    def refresh(self, account: str, names: Collection[str] | None = None) -> list[str]:
        """List the tools again of servers whose catalog is old; return what could not be listed, and why."""
        old = [
            server
            for server in self.all(account)
            if (names is None or server.name in names)
            and (server.listed_at is None or server.listed_at + FRESH < self.now())
        ]

        def refreshed(server: ToolServer) -> str:
            try:
                self.test(account, server.name)
            except ToolServerUnreachable as error:
                return error.message
            return ""

        if not old:
            return []
        with ThreadPoolExecutor(len(old)) as pool:
            return [why for why in pool.map(refreshed, old) if why]

    def _check(self, account: str, name: str, url: str, headers: Mapping[str, str]) -> None:
        if not NAME.match(name):
            raise InvalidToolServer("The name has small letters, digits, hyphens and underscores, at most 64.")
        if name == OWN:
            raise InvalidToolServer(f"“{OWN}” is the server of planloom's own tools. Choose another name.")
        others = [server for server in self.all(account) if server.name != name]
        if len(others) >= MOST_SERVERS:
            raise InvalidToolServer(f"The account has {MOST_SERVERS} tool servers. Remove one first.")
        wrong = [header for header in headers if not _HEADER.match(header)]
        wrong += [header for header, value in headers.items() if not value.isprintable() or not value.isascii()]
        if wrong:
            raise InvalidToolServer(f"These headers are not valid: {', '.join(wrong)[:200]}.")
        size = sum(len(header) + len(value) + 8 for header, value in headers.items())
        if len(headers) > MOST_HEADERS or size > HEADER_BYTES:
            raise InvalidToolServer(f"At most {MOST_HEADERS} headers with {HEADER_BYTES:,} bytes are kept.")
        try:
            self.client.check(url)
        except AddressRefused as error:
            raise InvalidToolServer(str(error)) from error
