"""A graph for a goal on the embedded AWS: a model behind a stub drafts it, a check repairs it, and it runs."""

from pathlib import Path
from typing import Any

import pytest

from bench.stub_answers import Answerer
from bench.stub_models import StubModels
from tests.e2e.conftest import call_http, until
from tests.e2e.modelled import ModelledService
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


@pytest.fixture
def stub(modelled: ModelledService, monkeypatch: pytest.MonkeyPatch) -> StubModels:
    """The stub, which drafts graphs and makes no mistakes."""
    monkeypatch.setattr(modelled.stub, "answerer", Drafts)
    monkeypatch.setattr(modelled.stub, "faults", {})
    modelled.stub.calls.clear()
    return modelled.stub


def test_a_goal_becomes_a_graph_that_is_repaired_once_and_runs(
    modelled: ModelledService, stub: StubModels, tmp_path: Path
) -> None:
    def call(method: str, path: str, body: Any = None) -> dict[str, Any]:
        return dict(call_http(modelled.address, method, path, body))

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
