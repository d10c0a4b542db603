"""Publishes the address of the local service to other commands, in a file of the state folder."""

import json
import os
from pathlib import Path

from planloom_cli.embedded.state_folder import StateFolder
from planloom_cli.service import Address

#: Written by `planloom up` while it runs; readable only by its owner, since it contains the key.
NAME = "service.json"


def announce(state: Path, address: Address) -> None:
    """Write the address of the service for other commands on this machine."""
    path = state / NAME
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump({"mcp_url": address.mcp_url, "http_url": address.http_url, "key": address.key}, file)


def withdraw(state: Path) -> None:
    """Delete the published address."""
    (state / NAME).unlink(missing_ok=True)


def announced(state: Path) -> Address | None:
    """Return the address of the service that runs with this state folder, or None."""
    try:
        found = json.loads((state / NAME).read_text(encoding="utf-8"))
        address = Address(found["mcp_url"], found["http_url"], found["key"])
    except (OSError, ValueError, KeyError):
        return None
    # a killed service leaves the file, but not the lock
    return address if StateFolder(state).is_locked() else None


def address_of(url: str, key: str) -> Address:
    """Return the address of a deployed service; *url* may end in ``/mcp``."""
    base = url.rstrip("/").removesuffix("/mcp").rstrip("/")
    return Address(f"{base}/mcp", base, key)
