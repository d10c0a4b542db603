"""An OpenAI-compatible server on the loopback interface that answers at once or after a fixed latency, and counts.

    python -m bench.stub_models [--latency 1.0] [--fault rate_limit=0.1 ...]

Answers fit the schema that is sent and mean nothing (bench.stub_answers). Faults are chosen by the prompt and the
number of the attempt, so that the same plan meets the same faults. A token is counted for four characters.
"""

import argparse
import asyncio
import hashlib
import json
import socket
import struct
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, get_args

from bench.stub_answers import Answerer
from bench.stub_faults import Fault, broken, without_enumerations

HOST = "127.0.0.1"
CHARACTERS_PER_TOKEN = 4


@dataclass(frozen=True)
class Call:
    """One request as the server saw it: times in seconds of a monotonic clock, sizes in characters."""

    begun: float
    ended: float
    system: str
    user: str
    attempt: int
    mode: str
    limit: int | None
    schema_characters: int
    fault: Fault | None
    status: int
    input_tokens: int
    cached_tokens: int
    output_tokens: int
    messages: tuple[Mapping[str, Any], ...] = field(repr=False)

    @property
    def characters(self) -> int:
        """Prompt characters, without the schema."""
        return sum(len(str(message.get("content") or "")) for message in self.messages)


@dataclass
class StubModels:
    """The server; use it as a context manager. ``faults`` gives each fault's share of the attempts, 0 to 1.

    With *once* only first attempts are struck. *rejects* names output modes that it answers with 400.
    """

    latency: float = 0.0
    faults: Mapping[Fault, float] = field(default_factory=dict)
    once: bool = False
    rejects: frozenset[str] = frozenset()
    retry_after: str = "0.1"
    silence: float = 30.0
    calls: list[Call] = field(default_factory=list)
    keys: set[str] = field(default_factory=set)
    most_at_once: int = 0
    port: int = 0

    def __enter__(self) -> "StubModels":
        self._attempts: dict[str, int] = {}
        self._busy = 0
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

    async def _open(self) -> None:
        self._server = await asyncio.start_server(self._serve, HOST, self.port, limit=2**24)
        self.port = self._server.sockets[0].getsockname()[1]

    async def _shut(self) -> None:
        self._server.close()
        rest = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in rest:
            task.cancel()
        await asyncio.gather(*rest, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                headers = dict(line.lower().split(": ", 1) for line in head.decode().split("\r\n")[1:] if ": " in line)
                body = json.loads(await reader.readexactly(int(headers["content-length"])))
                self.keys.add(headers.get("authorization", ""))
                await self._answer(body, writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass  # the client has what it wanted, or no longer wants it
        finally:
            writer.close()

    async def _answer(self, body: dict[str, Any], writer: asyncio.StreamWriter) -> None:
        begun = time.monotonic()
        self._busy += 1
        self.most_at_once = max(self.most_at_once, self._busy)
        try:
            asked = _Asked.of(body)
            attempt = self._attempts[asked.key] = self._attempts.get(asked.key, 0) + 1
            fault = self._fault(asked.key, attempt)
            await asyncio.sleep(self.silence if fault == "silence" else self.latency)
            status, headers, content, tokens = self._content(asked, fault)
        finally:
            self._busy -= 1
        self.calls.append(asked.call(begun, attempt, fault, status, tokens))
        if fault == "reset":
            _reset(writer)
            raise ConnectionResetError
        lines = [f"HTTP/1.1 {status} -", "content-type: application/json", f"content-length: {len(content)}", *headers]
        writer.write("\r\n".join([*lines, "", ""]).encode() + content)
        await writer.drain()

    def _fault(self, key: str, attempt: int) -> Fault | None:
        if self.once and attempt > 1:
            return None
        # one draw a fault, so that each alone and all together strike the same calls
        for kind, share in self.faults.items():
            if int(hashlib.sha256(f"{key}{attempt}{kind}".encode()).hexdigest()[:8], 16) / 2**32 < share:
                return kind
        return None

    def _content(self, asked: "_Asked", fault: Fault | None) -> tuple[int, list[str], bytes, tuple[int, int, int]]:
        if asked.mode in self.rejects:
            return 400, [], _error("response_format is not supported"), (0, 0, 0)
        if fault == "rate_limit":
            return 429, [f"retry-after: {self.retry_after}"], _error("slow down, sk-secret"), (0, 0, 0)
        if fault in ("server_error", "reset", "silence"):
            return 500, [], _error("broken, sk-secret"), (0, 0, 0)
        schema = without_enumerations(asked.schema) if fault == "wrong_enum" else asked.schema
        text = json.dumps(Answerer(schema, asked.shown).answer())
        message, finish = broken(text, fault)
        said = str(message.get("content") or "")
        if asked.mode == "tool" and said:
            function = {"name": asked.tool, "arguments": said}
            message = {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"id": "1", "type": "function", "function": function}],
            }
        cached = len(asked.system) // CHARACTERS_PER_TOKEN if len(self._attempts) > 1 else 0
        tokens = (asked.characters // CHARACTERS_PER_TOKEN, cached, len(said) // CHARACTERS_PER_TOKEN)
        return 200, [], _completion(message, finish, tokens), tokens


@dataclass(frozen=True)
class _Asked:
    messages: tuple[dict[str, Any], ...]
    schema: dict[str, Any]
    mode: str
    tool: str
    limit: int | None

    @classmethod
    def of(cls, body: dict[str, Any]) -> "_Asked":
        messages = tuple(body["messages"])
        limit = body.get("max_tokens") or body.get("max_completion_tokens")
        shape = body.get("response_format", {})
        if body.get("tools"):
            function = body["tools"][0]["function"]
            return cls(messages, function["parameters"], "tool", function["name"], limit)
        if shape.get("type") == "json_schema":
            return cls(messages, shape["json_schema"]["schema"], "native", "", limit)
        told = next(m["content"] for m in messages if m["role"] == "system" and '"properties"' in m["content"])
        return cls(messages, json.loads(told[told.index("{") : told.rindex("}") + 1]), "prompted", "", limit)

    @property
    def system(self) -> str:
        return str(self.messages[0]["content"])

    @property
    def shown(self) -> str:
        return next(str(message["content"]) for message in self.messages if message["role"] == "user")

    @property
    def key(self) -> str:
        return hashlib.sha256((self.system + self.shown + json.dumps(self.schema)).encode()).hexdigest()

    @property
    def characters(self) -> int:
        return sum(len(str(message.get("content") or "")) for message in self.messages)

    def call(self, begun: float, attempt: int, fault: Fault | None, status: int, tokens: tuple[int, int, int]) -> Call:
        return Call(
            begun=begun,
            ended=time.monotonic(),
            system=self.system,
            user=self.shown,
            attempt=attempt,
            mode=self.mode,
            limit=self.limit,
            schema_characters=len(json.dumps(self.schema)),
            fault=fault,
            status=status,
            input_tokens=tokens[0],
            cached_tokens=tokens[1],
            output_tokens=tokens[2],
            messages=self.messages,
        )


def _completion(message: Mapping[str, Any], finish: str, tokens: tuple[int, int, int]) -> bytes:
    usage = {
        "prompt_tokens": tokens[0],
        "completion_tokens": tokens[2],
        "total_tokens": tokens[0] + tokens[2],
        "prompt_tokens_details": {"cached_tokens": tokens[1]},
    }
    choice = {"index": 0, "message": message, "finish_reason": finish}
    whole = {"id": "stub", "object": "chat.completion", "created": 0, "model": "stub", "choices": [choice]}
    return json.dumps(whole | {"usage": usage}).encode()


def _error(message: str) -> bytes:
    return json.dumps({"error": {"message": message, "type": "stub"}}).encode()


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
    arguments = parser.parse_args()
    faults = {kind: float(share) for kind, _, share in (each.partition("=") for each in arguments.fault)}
    with StubModels(latency=arguments.latency, faults=faults, port=arguments.port) as stub:
        print(f"OPENAI_BASE_URL={stub.url} PLANLOOM_MODEL=stub")
        threading.Event().wait()


if __name__ == "__main__":
    main()
