"""A receiver of webhooks, and a workflow that asks for an approval."""

import http.server
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

#: A workflow of one approval.
APPROVE: dict[str, Any] = {
    "title": "Publish",
    "nodes": [
        {
            "id": "approve",
            "type": "human-approval",
            "label": "Publish it?",
            "owner": {"executorType": "user", "ref": "founder"},
        }
    ],
    "entryNodeIds": ["approve"],
}
Received = list[tuple[dict[str, str], bytes]]


@contextmanager
def receiving() -> Iterator[tuple[str, Received]]:
    """Yield the URL of a receiver on this machine, and what is posted to it: headers and bodies."""
    received: Received = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            received.append(({name.lower(): value for name, value in self.headers.items()}, body))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=lambda: server.serve_forever(0.05))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/hook", received
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
