"""Two independent MCP clients through the gateway: the Python SDK's, in both versions of the protocol, and another."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client

from planloom.planes.strategic.stages.pipeline import PIPELINE
from planloom_cli.save_files import save_file
from planloom_cli.service import Address, KeyRefused, connect
from tests.e2e.conftest import Running, example
from tests.e2e.observing import Observed
from tests.e2e.typescript import TypeScriptClient, install

#: Those that section 6 of the specification requires, of which each client must see at least these.
REQUIRED = {
    "example_prompts",
    "model_profiles",
    "plan_create",
    "plan_status",
    "plan_stop",
    "plan_retry",
    "plan_resume",
    "plan_file_info",
    "plan_list",
}
PROTOCOLS = {"legacy": "2025-11-25", "auto": "2026-07-28"}


@pytest.fixture(scope="module")
def typescript() -> TypeScriptClient:
    """The TypeScript SDK's client."""
    return install()


def test_appendix_a_the_typescript_client_creates_polls_and_downloads_a_plan(
    observed: Observed,
) -> None:
    seen = observed.seen

    assert set(seen["tools"]) >= REQUIRED
    assert (seen["error"], seen["isError"]) == ("INVALID_ARGUMENT", True)
    assert (seen["state"], seen["steps"][-1]) == ("completed", len(PIPELINE))
    assert seen["steps"] == sorted(seen["steps"]), "progress never falls"
    assert len(set(seen["steps"])) > 3, "progress was seen on the way"
    for file in seen["files"].values():
        assert file["whole"]
        assert file["bytes"] > 100_000


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_appendix_a_the_python_client_creates_polls_stops_and_downloads_in_both_eras_of_the_protocol(
    service: Running, drafted: str, folder: Path, protocol: str
) -> None:
    async def work() -> dict[str, Any]:
        async with connect(service.address, protocol) as open_:
            created = await open_.call("plan_create", prompt=example("flood-wall-aalborg"))
            status = await open_.call("plan_status", plan_id=created["plan_id"])
            stopped = await open_.call("plan_stop", plan_id=created["plan_id"])
            listed = await open_.call("plan_list", limit=50)
            saved = [await save_file(open_, drafted, artifact, folder) for artifact in ("report", "zip")]
            return {
                "protocol": open_.client.protocol_version,
                "tools": {tool.name for tool in (await open_.client.list_tools()).tools} >= REQUIRED,
                "states": (created["state"], status["state"] in {"pending", "processing"}, stopped["state"]),
                "listed": {created["plan_id"], drafted} <= {plan["plan_id"] for plan in listed["plans"]},
                "saved": [path.stat().st_size > 100_000 for path in saved],
            }

    assert asyncio.run(work()) == {
        "protocol": PROTOCOLS[protocol],
        "tools": True,
        "states": ("pending", True, "stopped"),
        "listed": True,
        "saved": [True, True],
    }


@pytest.mark.parametrize(("key", "status"), [("", 401), ("pex_wrong", 403)])
def test_the_typescript_client_is_told_of_its_key(
    service: Running, typescript: TypeScriptClient, key: str, status: int
) -> None:
    seen = typescript.run(service.address.mcp_url, key)

    assert seen["refused"] == status
    assert "API key" in seen["message"]


@pytest.mark.parametrize(("key", "status"), [("", 401), ("pex_wrong", 403)])
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_the_python_client_is_refused_without_a_valid_key(
    service: Running, key: str, status: int, protocol: str
) -> None:
    answers: list[httpx2.Response] = []

    async def note(answer: httpx2.Response) -> None:
        await answer.aread()
        answers.append(answer)

    async def work() -> None:
        hooks = {"response": [note]}
        async with httpx2.AsyncClient(headers={"X-API-Key": key} if key else {}, event_hooks=hooks) as http:
            transport = streamable_http_client(service.address.mcp_url, http_client=http)
            async with Client(transport, mode=protocol) as client:
                await client.list_tools()

    with pytest.raises(ExceptionGroup):
        asyncio.run(work())
    assert {answer.status_code for answer in answers} == {status}
    assert "API key" in answers[0].json()["error"]["message"]


@pytest.mark.parametrize(("key", "status"), [("", 401), ("pex_wrong", 403)])
def test_the_command_is_told_of_its_key(service: Running, key: str, status: int) -> None:
    async def work(address: Address) -> None:
        async with connect(address):
            raise AssertionError("it was let in")

    with pytest.raises(KeyRefused, match=rf"rejected the API key \(HTTP {status}\)"):
        asyncio.run(work(replace(service.address, key=key)))
