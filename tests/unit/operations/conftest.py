"""The API Lambda over programs in memory, called over MCP and over HTTP."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from functions.api import handler
from planloom.wiring import programs as wiring_programs
from tests.unit.api.calling import Answer, http, rpc
from tests.unit.operations.fakes import Bench

MCP = "/mcp/operations"


@pytest.fixture(scope="session", autouse=True)
def lambda_process() -> Iterator[None]:
    """End what lives as long as the Lambda's process does."""
    yield
    handler._loop.close()


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Bench:
    """Programs in memory behind the API Lambda."""
    made = Bench()
    monkeypatch.setattr(wiring_programs, "programs", lambda: made.programs)
    return made


class OverMcp:
    """Programs as an MCP client runs them, in the account's session s0."""

    name = "mcp"

    def run(self, program: str, account: str = "ann", **asked: Any) -> dict[str, Any]:
        """Return the result of a program: its Markdown, ``_meta``, and everything else by name; or its error."""
        tool = "plasm" if asked.pop("mode", "") == "plan" else "plasm_run"
        result = rpc("tools/call", {"name": tool, "arguments": {"program": program, **asked}}, account, MCP)
        body = dict(result["structuredContent"])
        if result.get("isError"):
            error = body["error"]
            return {"code": error["code"], "detail": error["message"], "_meta": result.get("_meta", {}), "status": 0}
        assert result["content"][0]["text"] == body["run_markdown"]
        assert result["_meta"]["plasm"] == body["_meta"]["plasm"]
        return body

    def whole(self, uri: str, account: str = "ann") -> Any:
        """Return a resource."""
        return json.loads(rpc("resources/read", {"uri": uri}, account, MCP)["contents"][0]["text"])


class OverHttp:
    """Programs over HTTP; *as_json* sends options in the body, else in the query."""

    name = "http"

    def __init__(self, as_json: bool) -> None:
        self._as_json = as_json
        self._paths: dict[str, str] = {}

    def path(self, account: str = "ann") -> str:
        """Return the path of the session of an account, opening one where there is none."""
        if account not in self._paths:
            opened = http("POST", "/execute", account=account)
            assert opened.status == 303
            self._paths[account] = f"/{opened.headers['location']}"
        return self._paths[account]

    def run(self, program: str, account: str = "ann", **asked: Any) -> dict[str, Any]:
        """Return the response, or the problem document."""
        answer = self.answer(program, account, **asked)
        kind = "application/json" if answer.status == 200 else "application/problem+json"
        assert answer.headers["content-type"] == kind
        assert answer.status == answer.body.get("status", 200)
        found: dict[str, Any] = answer.body
        return found

    def answer(self, program: str, account: str = "ann", **asked: Any) -> Answer:
        """Return the HTTP answer."""
        if self._as_json:
            return http("POST", self.path(account), {"program": program, **asked}, account)
        query = {name: str(value).lower() if isinstance(value, bool) else value for name, value in asked.items()}
        return http("POST", self.path(account), program.encode(), account, query)

    def whole(self, uri: str, account: str = "ann") -> Any:
        """Return what a resource names, over HTTP."""
        tail = uri.removeprefix("plasm://").partition("/")[2]
        answer = http("GET", f"{self.path(account)}/{tail}", account=account)
        assert answer.status == 200, answer
        return answer.body


@pytest.fixture(params=["mcp", "http", "http, json"])
def surface(request: pytest.FixtureRequest, bench: Bench) -> OverMcp | OverHttp:
    """Each way to run programs."""
    return OverMcp() if request.param == "mcp" else OverHttp("json" in request.param)
