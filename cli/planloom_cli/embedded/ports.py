"""Ports on the loopback interface: free ones, taken ones, and by whom."""

import os
import socket
from contextlib import suppress
from pathlib import Path

HOST = "127.0.0.1"
_LISTEN = "0A"


def is_free(port: int) -> bool:
    """Return whether *port* can be listened on now."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        # A port whose last connections still linger is free; without this it would look taken for a minute
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def listener(port: int) -> int | None:
    """Return the process that listens on *port*, or None where the system does not tell."""
    sockets = _listening_sockets(port)
    for process in Path("/proc").glob("[0-9]*"):
        # Processes end while we look, and those of other users are closed to us
        with suppress(OSError):
            if any(os.readlink(handle) in sockets for handle in (process / "fd").iterdir()):
                return int(process.name)
    return None


def _listening_sockets(port: int) -> set[str]:
    found = set()
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        with suppress(OSError):
            for line in Path(table).read_text().splitlines()[1:]:
                _, local, _, state, *rest = line.split()
                if state == _LISTEN and int(local.rpartition(":")[2], 16) == port:
                    found.add(f"socket:[{rest[5]}]")
    return found
