"""Lines about operations that `planloom mcp` pushes."""

import asyncio
import hashlib
from types import SimpleNamespace
from typing import Any

import pytest
from mcp.types import CallToolResult, TextContent

from planloom_cli import push_lines
from planloom_cli.push_lines import LineNotification, LinePusher
from planloom_cli.service import Address

ADDRESS = Address("https://planloom.test/mcp/operations", "https://planloom.test", "pex_secret")
CARD = "the card"
PATH = f"/execute/{hashlib.sha256(CARD.encode()).hexdigest()}/s2/operations/s2_o1/stream"
ACCEPTED = {"continuity": {"p": "running", "h": "s2_o1"}, "op": {"n": 1, "+": 1, "c": "pc0"}}


def accepted(plasm: dict[str, Any]) -> CallToolResult:
    text = "```text\n`s2_o1` + pc0 review\n```\n\nIt runs."
    return CallToolResult(content=[TextContent(type="text", text=text)], _meta={"plasm": plasm})


class Http:
    """Answers each request with the next of *answers*, streams or statuses."""

    def __init__(self, answers: list[Any]) -> None:
        self.answers = answers
        self.asked: list[Any] = []

    async def __aenter__(self) -> "Http":
        return self

    async def __aexit__(self, *_: object) -> None: ...

    async def get(self, url: str, headers: dict[str, str]) -> Any:
        self.asked.append((url.removeprefix(ADDRESS.http_url), headers.get("Last-Event-ID", "")))
        found = self.answers.pop(0)
        return SimpleNamespace(status_code=200 if isinstance(found, str) else found, text=found)


def pushed(monkeypatch: pytest.MonkeyPatch, answers: list[Any], result: CallToolResult) -> tuple[list[Any], list[Any]]:
    """Return the notifications about *result*, and what the service was asked for; *answers* are its streams."""
    http = Http(answers)
    monkeypatch.setattr(push_lines.httpx2, "AsyncClient", lambda **_: http)
    sent: list[LineNotification] = []

    async def card() -> str:
        return CARD

    async def send(each: LineNotification) -> None:
        sent.append(each)

    async def work() -> None:
        if task := LinePusher(ADDRESS, card).follow({"program": "Run", "session": "s2"}, result, send):
            await task

    asyncio.run(work())
    return [each.model_dump(by_alias=True, exclude_none=True) for each in sent], http.asked


def test_lines_of_an_accepted_operation_are_pushed_to_its_end_with_rising_numbers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answers = [
        "retry: 250\n\nevent: snapshot\nid: 0\nn: 1\ndata: `s2_o1` ~ 1/4 read Run\n\n",
        ": keep-alive\n\n",
        "event: progress\nid: 3\nn: 4\ndata: `s2_o1` ~ 2/4 filter 7r\n\n",
        "event: terminal\nid: end\nn: 4\ndata: `s2_o1` ! 7r\n\n",
    ]
    sent, asked = pushed(monkeypatch, answers, accepted(ACCEPTED))
    assert sent == [
        {"method": "notifications/plasm/op", "params": params}
        for params in (
            {"line": "`s2_o1` + pc0 review", "n": 1, "c": "pc0"},
            {"line": "`s2_o1` ~ 2/4 filter 7r", "n": 4},
            {"line": "`s2_o1` ! 7r", "n": 5},
        )
    ]
    assert asked == [(PATH, ""), (PATH, "0"), (PATH, "0"), (PATH, "3")]


def test_what_cannot_be_followed_is_left_to_polls(monkeypatch: pytest.MonkeyPatch) -> None:
    sent, _ = pushed(monkeypatch, [410], accepted(ACCEPTED))
    assert len(sent) == 1


@pytest.mark.parametrize("plasm", [{}, {"continuity": {"p": "running", "h": "s2_o1"}, "op": {"n": 2, "~": 1}}])
def test_results_and_polls_push_nothing(monkeypatch: pytest.MonkeyPatch, plasm: dict[str, Any]) -> None:
    assert pushed(monkeypatch, [], accepted(plasm)) == ([], [])
