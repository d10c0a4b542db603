"""Which service a command speaks to: the one it is pointed at, else the one that `planloom up` runs here."""

import json
import os
from pathlib import Path

from planloom_cli.embedded.state_folder import StateFolder
from planloom_cli.service import Address

#: Written by `planloom up` into its state folder while it runs; readable by its owner alone, since it holds the key.
NAME = "service.json"


def announce(state: Path, address: Address) -> None:
    """Tell other commands on this machine where the service is."""
    path = state / NAME
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump({"mcp_url": address.mcp_url, "http_url": address.http_url, "key": address.key}, file)


def withdraw(state: Path) -> None:
    """Take the announcement back."""
    (state / NAME).unlink(missing_ok=True)


def announced(state: Path) -> Address | None:
    """Return the service that `planloom up` announced with this state folder and that still runs, or None."""
    try:
        found = json.loads((state / NAME).read_text(encoding="utf-8"))
        address = Address(found["mcp_url"], found["http_url"], found["key"])
    except (OSError, ValueError, KeyError):
        return None
    # one that was killed could not take its announcement back
    return address if StateFolder(state).is_locked() else None


def address_of(url: str, key: str) -> Address:
    """Return the address of a deployed service; *url* with or without ``/mcp`` at its end."""
    base = url.rstrip("/").removesuffix("/mcp").rstrip("/")
    return Address(f"{base}/mcp", base, key)
