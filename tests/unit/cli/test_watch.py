"""`planloom logs` and `planloom graph`, and following a plan past a service that is lost for a while."""

import asyncio
import json
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx2
import pytest

from planloom_cli import exits, retry_calls, service, watch
from planloom_cli.service import Address, KeyRefused, Service, ServiceError, Unreachable
from tests.unit.cli.conftest import PLAN, Command, ended, status


def page(state: str, *texts: str, cursor: int = 7) -> dict[str, Any]:
    """Return a page of the log, whose last line has *cursor*."""
    lines = [
        {"cursor": cursor - len(texts) + n + 1, "ts": "2026-11-02T09:00:01.123Z", "level": "info", "text": text}
        for n, text in enumerate(texts)
    ]
    return {"plan_id": PLAN, "state": state, "lines": lines, "next_cursor": cursor}


def test_logs_print_a_line_for_each_event(command: Command) -> None:
    command.service.pages = [page("processing", "new -> pending", "pending -> processing")]
    result = command.at_url("logs", PLAN, "--lines", "9")
    assert ended(result)[0] == 0
    assert result.stdout == (
        "2026-11-02 09:00:01  info    new -> pending\n2026-11-02 09:00:01  info    pending -> processing\n"
    )
    assert command.service.asked == [(f"plans/{PLAN}/logs", {"max_lines": 9})]


def test_followed_logs_end_after_the_last_line_of_an_ended_plan(command: Command) -> None:
    command.service.pages = [
        page("processing", "one", cursor=5),
        page("processing", cursor=5),
        page("completed", "two", cursor=6),
        page("completed", "three", cursor=7),
        page("completed", cursor=7),
    ]
    result = command.at_url("logs", PLAN, "--follow", "--json")
    assert ended(result)[0] == 0
    assert [json.loads(line)["text"] for line in result.stdout.splitlines()] == ["one", "two", "three"]
    assert [query.get("since_cursor") for _, query in command.service.asked] == [None, 5, 5, 6, 7]


def test_followed_logs_wait_for_late_events_after_the_end(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "SETTLED", timedelta(seconds=10))
    clock = iter([100.0, 100.0, 105.0, 105.0, 109.0, 109.0, 109.0, 110.0])
    monkeypatch.setattr(watch, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    command.service.pages = [
        page("completed", cursor=5),
        page("completed", cursor=5),
        page("completed", "late", cursor=6),
        page("completed", cursor=6),
        page("completed", cursor=6),
    ]
    result = command.at_url("logs", PLAN, "--follow")
    assert ended(result)[0] == 0
    assert "late" in result.stdout
    assert len(command.service.asked) == 5


def test_logs_continue_after_a_restart_of_the_service(command: Command) -> None:
    command.service.pages = [page("completed", "one")]
    command.service.lost = 3
    result = command.at_url("logs", PLAN)
    code, said = ended(result)
    assert (code, result.stdout.count("one")) == (0, 1)
    assert said.count("Trying again for 60 seconds") == 1
    assert said.count("The service answers again.") == 1


def test_the_graph_is_printed_as_text_json_and_mermaid(command: Command) -> None:
    shown = command.at_url("graph", PLAN)
    assert shown.stdout.splitlines() == [
        "✓ 001 Start                             finished    1 files  -",
        "▶ 002 Screening                         running     0 files  start",
    ]
    assert json.loads(command.at_url("graph", PLAN, "--json").stdout)["edges"] == [{"from": "start", "to": "screening"}]
    assert command.at_url("graph", PLAN, "--mermaid").stdout == "flowchart LR\n"


def test_a_draft_continues_after_a_short_outage_of_the_service(command: Command, tmp_path: Path) -> None:
    command.service.statuses = [status("processing", 3, "Levers"), status()]
    command.service.lost = 4
    result = command.at_url("draft", "Open a bakery.", "--output", str(tmp_path))
    code, said = ended(result)
    assert code == 0
    assert "Trying again for 60 seconds" in said
    assert said.splitlines()[-1] == "15/15 completed"


def test_a_long_outage_of_the_service_ends_the_draft(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retry_calls, "RETRY_SECONDS", -1.0)
    command.service.lost = 1000
    assert ended(command.at_url("draft", "Open a bakery."))[0] == exits.UNREACHABLE
    assert command.service.lost == 999


ADDRESS = Address("https://planloom.test/mcp", "https://planloom.test", "pex_secret")


async def look(monkeypatch: pytest.MonkeyPatch, answer: httpx2.Response | Exception) -> dict[str, Any]:
    """Look at a plan of a service that answers so."""

    def handle(request: httpx2.Request) -> httpx2.Response:
        assert (str(request.url), request.headers["x-api-key"]) == (
            "https://planloom.test/v1/plans/p?a=1",
            "pex_secret",
        )
        if isinstance(answer, Exception):
            raise answer
        return answer

    client = httpx2.AsyncClient(transport=httpx2.MockTransport(handle))
    monkeypatch.setattr(service, "httpx2", SimpleNamespace(AsyncClient=lambda **_: client, HTTPError=httpx2.HTTPError))
    return await Service(None, ADDRESS).look("plans/p", a=1)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "answer",
    [
        httpx2.ConnectError("no"),
        httpx2.ReadTimeout("no"),
        httpx2.Response(429),
        httpx2.Response(502, text="<html>"),
        httpx2.Response(404, text="<html>"),
        httpx2.Response(404, json={"message": "Not Found"}),
        httpx2.Response(200, text="<html>sign in"),
    ],
)
def test_a_poll_is_repeated_if_the_service_is_down_or_busy(
    monkeypatch: pytest.MonkeyPatch, answer: httpx2.Response | Exception
) -> None:
    with pytest.raises(Unreachable):
        asyncio.run(look(monkeypatch, answer))


def test_a_rejected_poll_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    refused = httpx2.Response(404, json={"error": {"code": "PLAN_NOT_FOUND", "message": "No plan."}})
    with pytest.raises(ServiceError, match=r"No plan\."):
        asyncio.run(look(monkeypatch, refused))
    assert asyncio.run(look(monkeypatch, httpx2.Response(200, json={"state": "pending"}))) == {"state": "pending"}
    other = httpx2.Response(403, json={"error": {"code": "PERMISSION_DENIED", "message": "Not yours."}})
    with pytest.raises(ServiceError, match=r"Not yours\."):
        asyncio.run(look(monkeypatch, other))


@pytest.mark.parametrize(
    "answer",
    [
        httpx2.Response(403, json={"message": "Forbidden"}),
        httpx2.Response(401, text="<html>"),
        httpx2.Response(403, json={"error": {"code": "API_KEY_INVALID", "message": "It is wrong or was revoked."}}),
    ],
)
def test_a_revoked_key_ends_polling(monkeypatch: pytest.MonkeyPatch, answer: httpx2.Response) -> None:
    with pytest.raises(KeyRefused):
        asyncio.run(look(monkeypatch, answer))
