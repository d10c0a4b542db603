"""A graph for a goal on the embedded AWS: a model behind a stub drafts it, a check repairs it, and it runs."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from bench.stub_answers import Answerer
from bench.stub_models import StubModels
from planloom_cli.local_service import local_service
from planloom_cli.service import Address
from tests.e2e.conftest import until
from tests.e2e.tool_server import Tools


class Drafts(Answerer):
    """Writes a graph with a tool that does not exist, and one that is right after a check found that."""

    def __init__(self, schema: dict[str, Any], shown: str) -> None:
        super().__init__(schema, shown)
        self._repaired = "No server has the tool" in shown

    def answer(self) -> Any:
        """Return the graph."""
        step = {"title": "", "server": "", "result_variable": "", "depends_on": []}
        add = {
            "index": "1",
            "tool": "add" if self._repaired else "sum",
            "args": '{"a": "${first}", "b": 2}',
            "result_variable": "sum",
        }
        note = {"index": "2", "tool": "note", "args": '{"text": "drafted ${sum}"}', "depends_on": ["1"]}
        return {
            "title": "Add and note",
            "steps": [step | add, step | note],
        }


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Address, StubModels]]:
    with StubModels(answerer=Drafts) as stub, pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENAI_BASE_URL", stub.url)
        patch.setenv("OPENAI_API_KEY", "sk-of-the-endpoint")
        patch.setenv("PLANLOOM_MODEL", "stub-large")
        with local_service(tmp_path_factory.mktemp("drafting-state"), None, lambda _: None) as made:
            yield made, stub


def test_a_goal_becomes_a_graph_that_is_repaired_once_and_runs(
    address: tuple[Address, StubModels], tmp_path: Path
) -> None:
    service, stub = address

    def call(method: str, path: str, body: Any = None) -> dict[str, Any]:
        url, headers = f"{service.http_url}{path}", {"X-API-Key": service.key}
        answer = httpx2.request(method, url, json=body, headers=headers, timeout=30)
        assert answer.status_code < 300, answer.text
        return dict(answer.json())

    tools = Tools(tmp_path)
    try:
        call("POST", "/v1/tool-servers", {"name": "test", "url": tools.url})
        created = call("POST", "/v1/graphs", {"goal": "Add two and note it", "variables": {"first": 40}})

        def drafted() -> dict[str, Any] | None:
            found = call("GET", f"/v1/graphs/{created['plan_id']}")
            assert not (found["draft"] and found["draft"]["error"]), found["draft"]
            return found if found["draft"] is None else None

        found = until(drafted, "the draft")
        assert [step["tool"] for step in found["graph"]["steps"]] == ["add", "note"]
        assert len(stub.calls) == 2

        run = call("POST", "/v1/runs", {"goal": "Add two and note it", "variables": {"first": 40}, "wait_sec": 0})

        def ended() -> dict[str, Any] | None:
            status = call("GET", f"/v1/runs/{run['run_id']}/wait")
            return status if status["state"] != "running" else None

        assert until(ended, "the run")["state"] == "completed"
        assert tools.calls()["drafted 42"] == 1
    finally:
        tools.kill()
