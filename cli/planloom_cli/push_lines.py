"""Lines about operations as notifications: `planloom mcp` pushes what a client over HTTP would have to poll."""

import asyncio
import hashlib
import re
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, Literal

import httpx2
from mcp.types import CallToolResult, Notification, NotificationParams

from planloom_cli.service import Address

#: Seconds that the service takes at most to answer: it waits 15 for a line.
ANSWER_SECONDS = 30.0
FENCE = re.compile(r"```text\n(.*?)\n```", re.DOTALL)


class LineParams(NotificationParams):
    """A line about an operation; ``n`` rises from line to line, ``c`` is the plan_commit_ref of an accepted one."""

    line: str
    n: int
    c: str | None = None


class LineNotification(Notification[LineParams, Literal["notifications/plasm/op"]]):
    """One line about an operation."""

    method: Literal["notifications/plasm/op"] = "notifications/plasm/op"
    params: LineParams


Send = Callable[[LineNotification], Awaitable[Any]]


class LinePusher:
    """Follows the operations that calls start until they end or the process does."""

    def __init__(self, address: Address, card: Callable[[], Awaitable[str]]) -> None:
        """*card* returns the reference card of the account, whose hash is part of the path of each operation."""
        self._address = address
        self._card = card
        self._tasks: set[asyncio.Task[None]] = set()

    def follow(self, arguments: dict[str, Any], result: CallToolResult, send: Send) -> asyncio.Task[None] | None:
        """Push the lines of the operation that a call accepted, if it did, in the task that is returned."""
        plasm = (result.meta or {}).get("plasm", {})
        op, handle = plasm.get("op", {}), plasm.get("continuity", {}).get("h")
        if "+" not in op or not handle:
            return None
        text = "".join(getattr(each, "text", "") for each in result.content)
        found = FENCE.search(text)
        accepted = LineParams(line=found[1] if found else "", n=op["n"], c=op.get("c"))
        task = asyncio.create_task(self._push(arguments.get("session") or "s0", handle, accepted, send))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _push(self, session: str, handle: str, accepted: LineParams, send: Send) -> None:
        await send(LineNotification(params=accepted))
        known = accepted.n
        digest = hashlib.sha256((await self._card()).encode()).hexdigest()
        url = f"{self._address.http_url}/execute/{digest}/{session}/operations/{handle}/stream"
        seen = ""
        async with httpx2.AsyncClient(timeout=ANSWER_SECONDS) as http:
            while seen != "end":
                headers = {"X-API-Key": self._address.key, "Accept": "text/event-stream"}
                answer = await http.get(url, headers=headers | ({"Last-Event-ID": seen} if seen else {}))
                if answer.status_code != 200:
                    # lines are a convenience: polls say what is wrong
                    return
                for event in events_of(answer.text):
                    seen = event["id"]
                    if event["event"] != "snapshot":
                        known = max(int(event.get("n", "0")), known + 1)
                        await send(LineNotification(params=LineParams(line=event["data"], n=known)))


def events_of(stream: str) -> Iterator[dict[str, str]]:
    """Return the fields of each event in a stream of server-sent events."""
    for block in stream.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line)
        if "data" in fields and "event" in fields:
            yield {"id": "", **fields}
