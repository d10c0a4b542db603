"""An HTTP API of many rows, in pages: rate limited, and failing one call in ten."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from planloom.core.endpoint import Effect
from planloom.core.entities import Capability, Entity, EntityField, ListCall, Paging, fields


class PagedApi(ThreadingHTTPServer):
    """``GET /rows?offset=&limit=&kind=``, ``GET /cursor?after=``, ``POST /rows/{id}/close``.

    *calls* has the path and the status of every call.
    """

    daemon_threads = True
    #: connections that wait while others are accepted
    request_queue_size = 64

    def __init__(self, rows: int) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.rows = [{"id": n, "kind": "odd" if n % 2 else "even", "name": f"row {n}"} for n in range(rows)]
        self.calls: list[tuple[str, int]] = []
        self.closed: list[int] = []
        self._reached: dict[int, Callable[[], None]] = {}
        self.lock = threading.Lock()
        #: cleared: calls wait for their answers
        self.answering = threading.Event()
        self.answering.set()

    def when(self, calls: int, reached: Callable[[], None]) -> None:
        """Call *reached* when so many calls were made."""
        self._reached[calls] = reached

    @property
    def url(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self.server_port}"

    def reached(self, calls: int) -> None:
        """Take note that so many calls were made."""
        if reached := self._reached.pop(calls, None):
            reached()

    def fault(self) -> int:
        """Return the status that this call gets: one in ten fails, one in ten comes too soon after the others."""
        with self.lock:
            return {3: 500, 7: 429}.get(len(self.calls) % 10, 200)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # else each answer, which is two packets, takes 40 ms
    disable_nagle_algorithm = True
    server: PagedApi

    def do_GET(self) -> None:
        url = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(url.query).items()}
        kind = query.get("kind")
        rows = [row for row in self.server.rows if kind in (None, row["kind"])]
        start, most = int(query.get("offset") or query.get("after") or 0), min(int(query["limit"]), 100)
        page: dict[str, Any] = {"rows": rows[start : start + most]}
        if url.path == "/cursor":
            page["next"] = str(start + most) if start + most < len(rows) else None
        self.answer(page)

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if not self.path.startswith("/rows/"):
            # a client of MCP asks whether this is a tool server
            self.send_error(404)
            return
        row = int(self.path.split("/")[2])
        if self.answer({"closed": row}) == 200:
            self.server.closed.append(row)

    def answer(self, body: Any) -> int:
        """Answer with *body*, or with a fault."""
        status = self.server.fault()
        content = json.dumps(body if status == 200 else {"error": {"message": "busy"}}).encode()
        with self.server.lock:
            self.server.calls.append((self.path, status))
            self.server.reached(len(self.server.calls))
        self.server.answering.wait(30)
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        if status == 429:
            self.send_header("Retry-After", "1")
        self.end_headers()
        self.wfile.write(content)
        return status

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@contextmanager
def paged_api(rows: int) -> Iterator[PagedApi]:
    """Serve so many rows."""
    api = PagedApi(rows)
    thread = threading.Thread(target=api.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield api
    finally:
        api.shutdown()
        thread.join()
        api.server_close()


_FIELDS = (*fields(id="number", name="text"), EntityField(name="kind", values=("odd", "even")))
ROW = Entity(
    name="Row",
    backend="http:paged",
    fields=_FIELDS,
    list=ListCall(
        operation="GET /rows",
        rows="rows",
        paging=Paging(style="offset", parameter="offset", size="limit"),
        filters={"kind": "kind"},
    ),
    capabilities=(
        Capability(name="close", operation="POST /rows/{row_id}/close", effect=Effect.CHANGES, key="row_id"),
    ),
)
CURSOR_ROW = Entity(
    name="CursorRow",
    backend="http:paged",
    fields=_FIELDS,
    list=ListCall(
        operation="GET /cursor",
        rows="rows",
        paging=Paging(style="cursor", parameter="after", next="next", size="limit"),
    ),
)
