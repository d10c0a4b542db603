"""A server on the loopback interface that answers at once or after a fixed latency, and counts.

It speaks OpenAI's chat completions and Bedrock's Converse.

    python -m bench.stub_models [--latency 1.0] [--fault rate_limit=0.1 ...] [--random SEED]

Answers fit the schema that is sent and mean nothing (bench.stub_answers); with --random they fit nothing else
(bench.stub_random). What goes wrong with them, and what they cost, is in bench.stub_answering.
"""

import argparse
import asyncio
import json
import socket
import struct
import threading
import time
from dataclasses import dataclass, field
from typing import get_args

from bench.stub_answering import Answering
from bench.stub_faults import Fault
from bench.stub_replies import Tokens
from bench.stub_requests import Asked, asked

HOST = "127.0.0.1"


@dataclass(frozen=True)
class Call:
    """One request as the server saw it: times in seconds of a monotonic clock, the attempt counted from 1."""

    asked: Asked
    begun: float
    ended: float
    attempt: int
    fault: Fault | None
    status: int
    tokens: Tokens


@dataclass
class StubModels(Answering):
    """The server; use it as a context manager. *latency* and *silence* are seconds."""

    latency: float = 0.0
    listed: tuple[str, ...] = ("stub",)
    silence: float = 30.0
    calls: list[Call] = field(default_factory=list)
    keys: set[str] = field(default_factory=set)
    most_at_once: int = 0
    busy: int = 0
    port: int = 0

    def __enter__(self) -> "StubModels":
        self._attempts: dict[str, int] = {}
        self._waiting: set[asyncio.StreamReader] = set()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._open(), self._loop).result(10)
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._shut(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    @property
    def url(self) -> str:
        """What to set OPENAI_BASE_URL to."""
        return f"http://{HOST}:{self.port}/v1"

    @property
    def bedrock_url(self) -> str:
        """What to set PLANLOOM_BEDROCK_URL to."""
        return f"http://{HOST}:{self.port}"

    @property
    def hung_up(self) -> int:
        """How many requests that are not answered yet have lost their caller."""
        return sum(reader.at_eof() for reader in list(self._waiting))

    async def _open(self) -> None:
        self._server = await asyncio.start_server(self._serve, HOST, self.port, limit=2**24)
        self.port = self._server.sockets[0].getsockname()[1]

    async def _shut(self) -> None:
        self._server.close()
        rest = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in rest:
            task.cancel()
        await asyncio.gather(*rest, return_exceptions=True)
        # a transport that was closed says so to its protocol in the loop's next rounds
        for _ in range(3):
            await asyncio.sleep(0)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                first, *rest = head.decode().split("\r\n")
                headers = dict(line.lower().split(": ", 1) for line in rest if ": " in line)
                content = await reader.readexactly(int(headers.get("content-length", "0")))
                self.keys.add(headers.get("authorization", ""))
                method, path, _ = first.split(" ")
                if method == "GET":
                    await _list(self.listed, writer)
                else:
                    self._waiting.add(reader)
                    await self._answer(asked(path, json.loads(content)), writer)
                    self._waiting.discard(reader)
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            pass  # the client has what it wanted, or no longer wants it; or the stub is shut
        finally:
            writer.close()

    async def _answer(self, question: Asked, writer: asyncio.StreamWriter) -> None:
        begun = time.monotonic()
        self.busy += 1
        self.most_at_once = max(self.most_at_once, self.busy)
        try:
            attempt = self._attempts[question.key] = self._attempts.get(question.key, 0) + 1
            fault = self.fault(question, attempt)
            await asyncio.sleep(self.silence if fault == "silence" else self.latency)
            status, headers, content, tokens = self.content(question, fault)
        finally:
            self.busy -= 1
        self.calls.append(Call(question, begun, time.monotonic(), attempt, fault, status, tokens))
        if fault == "reset":
            _reset(writer)
            raise ConnectionResetError
        lines = [f"HTTP/1.1 {status} -", "content-type: application/json", f"content-length: {len(content)}", *headers]
        writer.write("\r\n".join([*lines, "", ""]).encode() + content)
        await writer.drain()


async def _list(models: tuple[str, ...], writer: asyncio.StreamWriter) -> None:
    content = json.dumps({"object": "list", "data": [{"id": name, "object": "model"} for name in models]}).encode()
    writer.write(f"HTTP/1.1 200 -\r\ncontent-length: {len(content)}\r\n\r\n".encode() + content)
    await writer.drain()


def _reset(writer: asyncio.StreamWriter) -> None:
    connection = writer.get_extra_info("socket")
    # lingering for no time at all turns the close into a reset
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


def main() -> None:
    """Serve until Ctrl-C."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--latency", type=float, default=1.0, help="seconds")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--fault", action="append", default=[], metavar="KIND=SHARE", help=", ".join(get_args(Fault)))
    parser.add_argument("--random", type=int, default=None, metavar="SEED", help="random values that schemas allow")
    arguments = parser.parse_args()
    faults = {kind: float(share) for kind, _, share in (each.partition("=") for each in arguments.fault)}
    with StubModels(latency=arguments.latency, faults=faults, port=arguments.port, seed=arguments.random) as stub:
        print(f"OPENAI_BASE_URL={stub.url} PLANLOOM_MODEL=stub")
        print(f"PLANLOOM_BEDROCK_URL={stub.bedrock_url}")
        threading.Event().wait()


if __name__ == "__main__":
    main()
