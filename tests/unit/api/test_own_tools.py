"""planloom's own tools as steps of graphs: which there are, for which account they are called, and what they return."""

import asyncio
import io
import json
from types import SimpleNamespace
from typing import Any

import pytest

from functions.api.handler import handler
from planloom.adapters.own_tools import LambdaOwnTools
from planloom.core.endpoint import Effect
from planloom.planes import PLANES
from planloom.tools.errors import InvalidToolServer
from planloom.tools.own import OWN, own_tools
from planloom.tools.tool import NotReached
from planloom.tools.unwrap import ToolFailed, unwrap
from planloom.wiring.graphs import MCP_PATHS
from tests.fake_ports import Fakes
from tests.unit.api.calling import Context
from tests.unit.graphs.services import Services
from tests.unit.graphs.tools import graph, step


class Api:
    """A Lambda client whose only function is the API, in this process; it keeps the events."""

    exceptions = SimpleNamespace(TooManyRequestsException=KeyError, ResourceNotFoundException=LookupError)

    def __init__(self, answer: Any = None) -> None:
        self.events: list[dict[str, Any]] = []
        self._answer = answer

    def invoke(self, FunctionName: str, Payload: bytes) -> dict[str, Any]:  # noqa: N803 - boto3's
        self.events.append(json.loads(Payload))
        if isinstance(self._answer, Exception):
            raise self._answer
        answer = self._answer or handler(self.events[-1], Context())  # type: ignore[arg-type]
        return {"Payload": io.BytesIO(json.dumps(answer).encode())} | ({"FunctionError": "x"} if self._answer else {})


def call(api: Api, name: str, **args: Any) -> Any:
    tools = LambdaOwnTools(lambda: api, "api", MCP_PATHS)  # type: ignore[arg-type, return-value]
    return unwrap(asyncio.run(tools.call("acme", name, args)))


def test_the_paths_of_the_planes_are_theirs() -> None:
    assert {plane.name: plane.mcp_path for plane in PLANES}.items() <= MCP_PATHS.items()


def test_a_run_starts_no_run_and_answers_no_approval() -> None:
    tools = {tool.name: tool for tool in own_tools(PLANES)}
    assert {"strategic_plan_create", "implementation_create_plan", "graphs_run_status"} <= tools.keys()
    for plane in PLANES:
        for endpoint in plane.endpoints:
            if plane.name not in ("strategic", "implementation") and endpoint.effect is not Effect.READS:
                assert f"{plane.name}_{endpoint.name}" not in tools
    assert {tool.server for tool in tools.values()} == {OWN}
    assert tools["graphs_run_status"].repeatable
    assert not tools["strategic_plan_create"].repeatable


def test_a_call_is_made_for_the_account_of_the_run(fakes: Fakes) -> None:
    api = Api()

    found = call(api, "implementation_list_plans")

    assert found["plans"] == []
    assert api.events[0]["requestContext"]["authorizer"]["account"] == "acme"
    with pytest.raises(ToolFailed, match="No "):
        call(api, "strategic_plan_status", plan_id="00000000-0000-0000-0000-000000000000")


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (LookupError("no function"), NotReached),
        (KeyError("throttled"), NotReached),
        (OSError("reset"), ConnectionError),
        ({"errorMessage": "timed out"}, ConnectionError),
    ],
)
def test_a_lambda_that_does_not_answer_is_a_broken_connection(answer: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        call(Api(answer), "strategic_plan_list")
    with pytest.raises(NotReached):
        call(Api(), "nothing_at_all")


def test_a_graph_may_name_them_and_no_server_may_have_their_name() -> None:
    services = Services()
    services.use_own(own_tools(PLANES))
    view, problems = services.graphs.create("ann", graph(step("1", tool="graphs_run_list", server=OWN)))
    assert problems == []
    run, _ = services.graphs.run("ann", view.graph_id)
    assert services.graphs.work("ann", run.run_id).tools[0].server == OWN
    with pytest.raises(InvalidToolServer, match="own tools"):
        services.servers.add("ann", OWN, services.URL)
