"""What the emulator starts for each worker: requests it from the fork server, and lives as long as it does.

Its arguments are the folder of the server's socket and the worker's script. Without a server, or if the server has
imported other code, it becomes the worker itself. Each worker pays for its imports: they are few.
"""

import json
import os
import socket
import struct
import sys
from collections.abc import Mapping, Sequence

SOCKET = "fork.sock"
ACCEPTED = b"1"
#: The length in bytes that precedes a request.
LENGTH = struct.Struct("!I")


def request_worker(path: str, request: Mapping[str, object], streams: Sequence[int] = ()) -> socket.socket | None:
    """Send *request* and *streams* to the server at *path*; return the connection, or None if there is no server.

    The server imports the code in the ``folder`` of the request. With three streams it then starts a worker with the
    ``script`` and the ``environment`` of the request, and sends ACCEPTED; it kills the worker when the connection ends.
    """
    data = json.dumps(request).encode()
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        connection.connect(path)
        socket.send_fds(connection, [LENGTH.pack(len(data))], list(streams))
        connection.sendall(data)
    except OSError:
        connection.close()
        return None
    return connection


def main(server: str, script: str) -> None:
    """Start the worker that runs *script* in this process's folder, with its environment and streams."""
    folder = os.getcwd()
    # a relative path: the whole one may be longer than the name of a socket can be
    os.chdir(server)
    request = {"folder": folder, "script": script, "environment": dict(os.environ)}
    connection = request_worker(SOCKET, request, (0, 1, 2))
    if connection is None or connection.recv(1) != ACCEPTED:
        os.chdir(folder)
        os.execv(sys.executable, [sys.executable, script])  # noqa: S606 - the script of the emulator
    # the emulator waits for the end of these streams
    for stream in (0, 1, 2):
        os.close(stream)
    while connection.recv(1):
        pass


if __name__ == "__main__":
    main(*sys.argv[1:])
