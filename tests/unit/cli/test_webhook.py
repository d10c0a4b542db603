"""`planloom webhook` against the API in memory."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from planloom import wiring
from planloom.wiring import notifications as wiring_notifications
from planloom_cli import exits, reach
from planloom_cli.main import app
from planloom_cli.service import Address, ServiceError
from tests.fake_ports import make_fakes
from tests.unit.api.calling import http
from tests.unit.notifications.fakes import URL, Setting, an_event
from tests.unit.notifications.test_service import FAILED


class InProcess:
    """Sends requests to the API Lambda in this process."""

    async def send(
        self, method: str, path: str, body: Any = None, query: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        given = {name: str(value) for name, value in (query or {}).items()}
        # in a thread: the Lambda has an event loop of its own
        answer = await asyncio.to_thread(http, method, f"/v1/{path}", body, query=given)
        if "error" in answer.body and isinstance(answer.body["error"], dict):
            raise ServiceError(answer.body["error"]["code"], answer.body["error"]["message"])
        return dict(answer.body)


@pytest.fixture
def setting(monkeypatch: pytest.MonkeyPatch) -> Setting:
    made, fakes = Setting(), make_fakes()
    monkeypatch.setattr(wiring, "ports", lambda: fakes.ports)
    monkeypatch.setattr(wiring_notifications, "webhooks", lambda: made.webhooks)

    @asynccontextmanager
    async def connect(address: Address) -> AsyncIterator[InProcess]:
        yield InProcess()

    monkeypatch.setattr(reach, "connect", connect)
    return made


def run(*words: str) -> Result:
    return CliRunner().invoke(app, ["webhook", *words, "--url", "https://planloom.example", "--key", "pex_x"])


def test_a_webhook_is_added_tested_listed_and_removed(setting: Setting) -> None:
    added = json.loads(run("add", "ops", URL, "--event", "run.ended", "--json").stdout)
    assert added["secret"].startswith("whsec_")
    assert run("list").stdout == f"ops  {URL}  run.ended\n"
    assert run("test", "ops").stdout == "delivered (HTTP 200)\n"
    assert run("remove", "ops").stdout == "removed ops\n"
    assert run("list").stdout == "No webhooks.\n"


def test_a_receiver_that_fails_is_an_exit_code(setting: Setting) -> None:
    setting.add()
    setting.poster.attempts = [FAILED]
    found = run("test", "ops")
    assert (found.exit_code, found.stdout) == (exits.FAILED, f"{FAILED.error}\n")


def test_dead_deliveries_are_shown_and_sent_again(setting: Setting) -> None:
    setting.add()
    setting.poster.attempts = [FAILED.model_copy(update={"refused": True})]
    setting.publish(an_event())
    delivery_id = setting.only().delivery_id
    shown = run("deliveries", "ops", "--only", "dead").stdout
    assert shown == f"{delivery_id}  run.ended  dead, 1 attempts: {FAILED.error}\n"
    assert run("replay", "ops").stdout == f"{delivery_id}\n"
    assert run("replay", "ops").stdout == "Nothing to send again.\n"
    assert run("replay", "ops", delivery_id).stdout == f"{delivery_id}\n"


def test_a_webhook_that_is_not_known_is_refused(setting: Setting) -> None:
    found = run("remove", "nothing")
    assert (found.exit_code, "WEBHOOK_NOT_FOUND" in found.stderr) == (exits.REFUSED, True)


def test_the_types_of_events_are_listed(setting: Setting) -> None:
    assert "approval.requested  " in run("events").stdout
