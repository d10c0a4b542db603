"""A tool server that opens sessions as it should and then answers calls badly, as the called tool's name says."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

#: Names of tools that say how they answer: with what no MCP server answers.
GARBAGE = (
    "not_json",
    "html",
    "empty",
    "error_500",
    "no_result",
    "wrong_types",
    "cut",
    "closed",
    "cut_stream",
    "deep",
)
TOOLS = (
    *GARBAGE,
    "never",
    "redirect",
    "throttled",
    "forgotten",
    "fifty_megabytes",
    "too_large",
    "too_large_stream",
    "slow",
)
MEGABYTES = 50


class Handler(BaseHTTPRequestHandler):
    """Answers one request."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.seen.append((self.path, request["method"]))
        if request["method"] == "notifications/cancelled":
            self.close_connection = True
            return
        if "id" not in request:
            self._send(202, b"")
            return
        method, params = request["method"], request.get("params", {})
        if method == "initialize":
            self.server.sessions += 1  # type: ignore[attr-defined]
            self._result(
                request,
                {
                    "protocolVersion": params["protocolVersion"],
                    "capabilities": {"tools": {}},
                    "serverInfo": {"name": "bad", "version": "1"},
                },
            )
        elif method == "tools/list":
            tools = [{"name": name, "inputSchema": {"type": "object"}} for name in TOOLS]
            self._result(request, {"tools": tools})
        elif method == "tools/call":
            getattr(self, params["name"])(request)
        else:
            self._json({"jsonrpc": "2.0", "id": request["id"], "error": {"code": -32601, "message": "unknown method"}})

    def do_GET(self) -> None:
        self._send(405, b"")

    def do_DELETE(self) -> None:
        self.seen.append((self.path, f"end of session {self.headers['mcp-session-id']}"))
        self._send(200, b"")

    def never(self, _: Any) -> None:
        self.server.stopped.wait(30)  # type: ignore[attr-defined]
        self.seen.append((self.path, "gave up"))
        self.close_connection = True

    def slow(self, request: Any) -> None:
        self.server.released.wait(30)  # type: ignore[attr-defined]
        self._result(request, {"content": [{"type": "text", "text": f"of session {self.headers['mcp-session-id']}"}]})

    def not_json(self, _: Any) -> None:
        self._send(200, b"{never closed", "application/json")

    def html(self, _: Any) -> None:
        self._send(200, b"<html>Bad gateway</html>", "text/html")

    def empty(self, _: Any) -> None:
        self._send(200, b"", "application/json")

    def error_500(self, _: Any) -> None:
        self._send(500, b"out of order", "text/plain")

    def no_result(self, request: Any) -> None:
        self._json({"jsonrpc": "2.0", "id": request["id"]})

    def wrong_types(self, request: Any) -> None:
        self._result(request, {"content": "text", "isError": 7})

    def cut(self, _: Any) -> None:
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", "1000")
        self.end_headers()
        self.wfile.write(b'{"jsonrpc"')
        self.close_connection = True

    def closed(self, _: Any) -> None:
        self.close_connection = True

    def cut_stream(self, _: Any) -> None:
        self._send(200, b"event: message\ndata: {\n\n", "text/event-stream")

    def deep(self, request: Any) -> None:
        nested = "[" * 100_000 + "]" * 100_000
        text = json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": {"structuredContent": "X", "content": []}})
        self._send(200, text.replace('"X"', nested).encode(), "application/json")

    def redirect(self, _: Any) -> None:
        self.send_response(307)
        self.send_header("location", f"http://localhost:{self.server.server_port}/elsewhere")  # type: ignore[attr-defined]
        self.send_header("content-length", "0")
        self.end_headers()

    def throttled(self, _: Any) -> None:
        self._send(429, b"slow down", "text/plain")

    def forgotten(self, request: Any) -> None:
        if self.headers["mcp-session-id"] == "1":
            self._send(404, b"", "text/plain")
        else:
            self._result(request, {"content": [{"type": "text", "text": "known again"}]})

    def fifty_megabytes(self, request: Any) -> None:
        self._result(request, {"content": [{"type": "text", "text": "x" * (MEGABYTES * 1_000_000)}]})

    def too_large(self, _: Any) -> None:
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(70 * 1024 * 1024))
        self.end_headers()
        self.close_connection = True

    def too_large_stream(self, _: Any) -> None:
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        part = b"x" * (1024 * 1024)
        with suppress(ConnectionError):
            for _ in range(70):
                self.wfile.write(b"%x\r\n%s\r\n" % (len(part), part))
        self.close_connection = True

    @property
    def seen(self) -> list[tuple[str, str]]:
        """Paths and methods of all requests."""
        return self.server.seen  # type: ignore[attr-defined, no-any-return]

    def _result(self, request: Any, result: Any) -> None:
        self._json({"jsonrpc": "2.0", "id": request["id"], "result": result})

    def _json(self, message: Any) -> None:
        self._send(200, json.dumps(message).encode(), "application/json")

    def _send(self, status: int, body: bytes, kind: str = "application/json") -> None:
        self.send_response(status)
        self.send_header("mcp-session-id", str(self.server.sessions))  # type: ignore[attr-defined]
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@contextmanager
def bad_server(released: threading.Event | None = None) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Start it and yield its URL, with the paths and methods of all requests; "slow" waits for *released*."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.stopped = threading.Event()  # type: ignore[attr-defined]
    server.released = released or threading.Event()  # type: ignore[attr-defined]
    server.seen, server.sessions = [], 0  # type: ignore[attr-defined]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/mcp", server.seen  # type: ignore[attr-defined]
    finally:
        server.stopped.set()  # type: ignore[attr-defined]
        server.shutdown()
        server.server_close()
