"""Starts workers of Lambdas as forks of a process that has already imported what handlers import.

Run as a script by child.py; it ends when its standard input is closed. The emulator starts each worker as a process
that imports everything by itself, two seconds of processor time and 60 MB each. Here a worker is a fork: a process of
its own with the environment, working directory and standard streams of its function, whose memory is shared until it is
written. ``start_worker.py`` is what the emulator starts and ends instead; it lives as long as its worker.
"""

import ast
import gc
import json
import os
import runpy
import selectors
import shlex
import signal
import socket
import struct
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

# As in start_worker.py: imported from there, the package planloom would not be the deployed one
SOCKET = "fork.sock"
ACCEPTED, REFUSED = b"1", b"0"
LENGTH = struct.Struct("!I")
STREAMS = 3
#: Its attribute PIPELINE imports every stage: workers import theirs on demand.
PIPELINE = "planloom.planes.strategic.stages.pipeline"


def write_starter(folder: Path) -> Path:
    """Write an executable into *folder* that the emulator can start in place of Python; return it."""
    script = Path(__file__).with_name("start_worker.py")
    # isolated, and without packages: it starts in a hundredth of a second
    command = shlex.join([sys.executable, "-ISE", str(script), str(folder)])
    starter = folder / "start-worker"
    starter.write_text(f'#!/bin/sh\nexec {command} "$@"\n', encoding="utf-8")
    starter.chmod(0o700)
    return starter


class ForkServer:
    """Accepts requests for workers on *listener*, and ends each worker whose starter ended."""

    def __init__(self, listener: socket.socket, modules: Sequence[str]) -> None:
        self._listener = listener
        self._modules = modules
        #: The file that says where the code is: the same for all functions of one deployment.
        self._pointer: bytes | None = None
        self._workers: dict[int, socket.socket] = {}
        self._ready = selectors.DefaultSelector()
        self._ended, self._wake = socket.socketpair()

    def serve(self) -> None:
        """Serve until standard input is closed."""
        self._wake.setblocking(False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(self._wake.fileno())
        for watched in (0, self._listener, self._ended):
            self._ready.register(watched, selectors.EVENT_READ)
        while True:
            for key, _ in self._ready.select():
                if key.fileobj == 0:
                    return
                if key.fileobj is self._listener:
                    self._accept()
                elif key.fileobj is self._ended:
                    self._ended.recv(1024)
                    self._collect()
                elif self._workers.get(key.data) is key.fileobj:
                    # else its worker ended as well, and was collected a moment before
                    self._end(key.data)

    def _accept(self) -> None:
        connection, _ = self._listener.accept()
        streams: list[int] = []
        try:
            head, streams, _, _ = socket.recv_fds(connection, LENGTH.size, STREAMS)
            request = json.loads(_received(connection, LENGTH.unpack(head)[0]))
            accepted = self._loaded(Path(request["folder"])) and len(streams) == STREAMS
            connection.sendall(ACCEPTED if accepted else REFUSED)
        except (OSError, ValueError, struct.error):
            # a starter that was killed
            accepted = False
        if accepted:
            pid = os.fork()
            if pid == 0:
                self._become(request, streams, connection)
            self._workers[pid] = connection
            self._ready.register(connection, selectors.EVENT_READ, pid)
        else:
            connection.close()
        for stream in streams:
            os.close(stream)

    def _loaded(self, folder: Path) -> bool:
        """Import what the handlers of the code in *folder* import; return False if other code was imported before."""
        pointer = (folder / "functions" / "__init__.py").read_bytes()
        if self._pointer is None:
            self._pointer = pointer
            sys.path.insert(0, str(folder))
            try:
                _import_all(self._modules)
            finally:
                sys.path.remove(str(folder))
            gc.collect()
            # its objects are never garbage: a collection in a worker would write to, and so copy, all their pages
            gc.freeze()
        return pointer == self._pointer

    def _collect(self) -> None:
        with suppress(ChildProcessError):
            while (pid := os.waitpid(-1, os.WNOHANG)[0]) != 0:
                connection = self._workers.pop(pid)
                with suppress(KeyError):
                    self._ready.unregister(connection)
                connection.close()

    def _end(self, pid: int) -> None:
        self._ready.unregister(self._workers[pid])
        os.kill(pid, signal.SIGKILL)

    def _become(self, request: dict[str, Any], streams: list[int], connection: socket.socket) -> NoReturn:
        """Turn this fork into the worker of *request*."""
        status = 1
        try:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            for number, stream in enumerate(streams):
                os.dup2(stream, number)
                os.close(stream)
            self._ready.close()
            for held in (self._listener, self._ended, self._wake, connection, *self._workers.values()):
                held.close()
            os.environ.clear()
            os.environ.update(request["environment"])
            os.chdir(request["folder"])
            script = request["script"]
            sys.argv = [script]
            sys.path.insert(0, str(Path(script).parent))
            runpy.run_path(script, run_name="__main__")
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            for output in (sys.stdout, sys.stderr):
                with suppress(OSError, ValueError):
                    output.flush()
            os._exit(status)


def _received(connection: socket.socket, length: int) -> bytes:
    parts = b""
    while len(parts) < length:
        part = connection.recv(length - len(parts))
        if not part:
            raise ConnectionResetError
        parts += part
    return parts


def _import_all(modules: Sequence[str]) -> None:
    """Import what handlers import, but not the handlers: they read their environment when they are imported."""
    # its __init__.py puts the code on the path
    handlers = Path(__import__("functions").__path__[0])
    for source in [path.read_bytes() for path in sorted(handlers.glob("*/handler.py"))]:
        for statement in ast.parse(source).body:
            if isinstance(statement, ast.Import | ast.ImportFrom):
                _run(ast.Module([statement], []))
    for module in modules:
        _run(ast.parse(f"import {module}"))
    if PIPELINE in sys.modules:
        _run(ast.parse(f"from {PIPELINE} import PIPELINE"))


def _run(statement: ast.Module) -> None:
    # what cannot be imported fails again in a worker, where the emulator reports it
    with suppress(ImportError):
        exec(compile(statement, "<import>", "exec"), {})  # noqa: S102 - an import of our own code


def main() -> None:
    """Listen in the folder that is the first argument, and serve; the others are modules to import as well."""
    # a relative path: the whole one may be longer than the name of a socket can be
    os.chdir(sys.argv[1])
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        listener.bind(f"{SOCKET}.new")
        listener.listen(64)
        os.rename(f"{SOCKET}.new", SOCKET)
        ForkServer(listener, sys.argv[2:]).serve()


if __name__ == "__main__":
    main()
