"""Calls of an HTTP API over real connections."""

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from planloom.tools import http_api
from planloom.tools.http_api import MOST_BYTES, HttpAnswer, HttpApi
from planloom.tools.tool import NotReached

STOP = threading.Event()


class Echo(BaseHTTPRequestHandler):
    """Answers with what it was asked, in other ways where the path says so."""

    def do_GET(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        text = self.rfile.read(length).decode()
        body: Any = {"path": self.path, "key": self.headers.get("X-Key"), "host": self.headers["Host"], "body": text}
        status, more = 200, {}
        if self.path.startswith("/v1/away"):
            status, more = 302, {"Location": "http://169.254.169.254/"}
        elif self.path.startswith("/v1/large"):
            body = "x" * MOST_BYTES
        elif self.path.startswith("/v1/nested"):
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"[" * 200_000)
            return
        elif self.path.startswith("/v1/drip"):
            self.send_response(200)
            self.end_headers()
            with suppress(OSError):
                while True:
                    self.wfile.write(b" ")
                    self.wfile.flush()
                    STOP.wait(0.02)
        elif self.path.startswith("/v1/broken"):
            self.close_connection = True
            return
        content = body.encode() if self.path.startswith("/v1/plain") else json.dumps(body).encode()
        self.send_response(status)
        for name, value in {"Content-Length": str(len(content)), **more}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    do_POST = do_GET  # noqa: N815 - http.server looks for this name

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Echo)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/v1/"
    server.shutdown()
    thread.join()
    server.server_close()


def asked(url: str, work: Callable[[HttpApi], Any], loopback: bool = True) -> HttpAnswer:
    async def run() -> HttpAnswer:
        api = HttpApi(url, {"X-Key": "secret"}, loopback=loopback)
        try:
            answer: HttpAnswer = await work(api)
            return answer
        finally:
            await api.close()

    return asyncio.run(run())


def test_a_call_carries_headers_query_and_body_and_returns_json(url: str) -> None:
    answer = asked(url, lambda api: api.request("POST", "/items", [("a", "1"), ("a", "2 3")], {"b": [1]}))
    host = url.split("/")[2]
    shown = {"path": "/v1/items?a=1&a=2+3", "key": "secret", "host": host, "body": '{"b":[1]}'}
    assert (answer.status, answer.body) == (200, shown)


def test_a_redirect_is_an_answer_and_is_not_followed(url: str) -> None:
    assert asked(url, lambda api: api.request("GET", "/away")).status == 302


@pytest.mark.parametrize(
    ("path", "error"), [("/large", ConnectionError), ("/broken", ConnectionError), ("/nested", ConnectionError)]
)
def test_answers_that_are_too_large_too_deep_or_break_off_are_errors(
    url: str, path: str, error: type[Exception]
) -> None:
    with pytest.raises(error) as caught:
        asked(url, lambda api: api.request("GET", path))
    assert not isinstance(caught.value, NotReached)


def test_addresses_within_the_network_are_refused_and_nothing_is_sent(url: str) -> None:
    for inside in (url, "https://169.254.169.254/", "https://localhost/"):
        with pytest.raises(NotReached):
            asked(inside, lambda api: api.request("GET", "/"), loopback=False)


def test_a_server_that_is_not_there_was_not_reached() -> None:
    with pytest.raises(NotReached):
        asked("http://127.0.0.1:9/", lambda api: api.request("GET", "/"))


def test_headers_are_not_shown() -> None:
    assert "secret" not in repr(HttpApi("https://a.example", {"X-Key": "secret"}))


def test_an_answer_that_never_ends_is_given_up(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_api, "CONNECTING", 0.1)

    async def run() -> None:
        api = HttpApi(url, loopback=True, seconds=0.2)
        try:
            await api.request("GET", "/drip")
        finally:
            await api.close()

    with pytest.raises(TimeoutError):
        asyncio.run(asyncio.wait_for(run(), 5))
