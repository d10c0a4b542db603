"""Finds free ports on the loopback interface, and the process that uses a port."""

import os
import socket
from contextlib import suppress
from pathlib import Path

HOST = "127.0.0.1"
_LISTEN = "0A"


def is_free(port: int) -> bool:
    """Return whether *port* is free."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        # Without it, a port with connections in TIME_WAIT would look taken for a minute
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True


def free_port() -> int:
    """Return a free port."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def listener(port: int) -> int | None:
    """Return the id of the process that listens on *port*, or None if it cannot be found."""
    sockets = _listening_sockets(port)
    for process in Path("/proc").glob("[0-9]*"):
        # Processes may end meanwhile, and those of other users are not readable
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
