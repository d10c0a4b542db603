"""The MCP project's own test server, server-everything of npm, behind a proxy that counts calls of tools."""

import http.client
import json
import os
import socket
import subprocess
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.e2e.conftest import until
from tests.e2e.npm import NODE, install

SOURCES = Path(__file__).parent / "everything"
MAIN = Path("node_modules", "@modelcontextprotocol", "server-everything", "dist", "index.js")
#: Headers that are about one connection.
_OF_CONNECTION = frozenset({"connection", "transfer-encoding", "content-length", "keep-alive", "host"})


class _Proxy(ThreadingHTTPServer):
    daemon_threads = True
    # three workers open a dozen connections at once: of those that wait, the default admits five and drops the others
    request_queue_size = 128

    def handle_error(self, *_: Any) -> None:
        """Print nothing: workers are killed in the middle of requests."""


class Everything:
    """The server, which can be killed and started again, and how often each call was passed on to it."""

    def __init__(self) -> None:
        self._folder = install(SOURCES)
        self._port = free_port()
        self._log = Path(tempfile.mkstemp(prefix="everything-", suffix=".log")[1])
        self.calls: Counter[str] = Counter()
        self._proxy = _Proxy(("127.0.0.1", 0), _handler(self))
        self.url = f"http://127.0.0.1:{self._proxy.server_port}/mcp"
        threading.Thread(target=self._proxy.serve_forever, daemon=True).start()
        self.start()

    def start(self) -> None:
        """Start the server and wait until it accepts connections. Raises AssertionError where it ends instead."""
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [NODE, self._folder / MAIN, "streamableHttp"],
                env={**os.environ, "PORT": str(self._port)},
                stdout=subprocess.DEVNULL,
                stderr=log,
            )
        until(lambda: self.check() or self._accepts(), "server-everything to accept connections")

    def check(self) -> None:
        """Raise AssertionError where the server has ended by itself."""
        status = self._process.poll()
        assert status is None, f"server-everything ended with status {status}: {self._log.read_text()[-2000:]}"

    def kill(self) -> None:
        """Kill the server; the proxy answers nothing meanwhile."""
        self._process.kill()
        self._process.wait()

    def close(self) -> None:
        """End server and proxy."""
        self.kill()
        self._proxy.shutdown()
        self._proxy.server_close()
        self._log.unlink()

    def forward(
        self, method: str, path: str, body: bytes, headers: dict[str, str]
    ) -> tuple[int, dict[str, str], bytes]:
        """Count a call of a tool, pass the request on and return the response. Raises OSError."""
        with suppress(ValueError):
            message = json.loads(body or b"null")
            if isinstance(message, dict) and message.get("method") == "tools/call":
                params = message["params"]
                self.calls[call(params["name"], params.get("arguments", {}))] += 1
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=60)
        try:
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            return response.status, dict(response.getheaders()), response.read()
        finally:
            connection.close()

    def _accepts(self) -> bool:
        try:
            socket.create_connection(("127.0.0.1", self._port), 1).close()
        except OSError:
            return False
        return True


def call(tool: str, args: dict[str, Any]) -> str:
    """Return what counts as one call."""
    return f"{tool} {json.dumps(args, sort_keys=True)}"


def free_port() -> int:
    """Return a port on which nothing listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _handler(everything: Everything) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            sent = {name: value for name, value in self.headers.items() if name.lower() not in _OF_CONNECTION}
            try:
                status, headers, answer = everything.forward(self.command, self.path, body, sent)
            except (OSError, http.client.HTTPException):
                # as a server that is gone: the connection ends without a response
                self.close_connection = True
                return
            self.send_response(status)
            for name, value in headers.items():
                if name.lower() not in _OF_CONNECTION:
                    self.send_header(name, value)
            self.send_header("content-length", str(len(answer)))
            self.end_headers()
            with suppress(OSError):
                self.wfile.write(answer)

        do_DELETE = do_POST  # noqa: N815 - the name of http.server

        def do_GET(self) -> None:
            self.send_response(405)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            """Print nothing."""

    return Handler


@contextmanager
def everything_server() -> Iterator[Everything]:
    """Start the server and its proxy."""
    made = Everything()
    try:
        yield made
    finally:
        made.close()
