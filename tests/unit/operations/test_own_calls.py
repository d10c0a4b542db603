"""Workers call the operations of planes through the API's Lambda, for the account of the run alone."""

import asyncio
import io
import json
from types import SimpleNamespace
from typing import Any

import pytest

from functions.api.handler import handler
from planloom.adapters.program_backends import LambdaOwnBackend, open_backends
from planloom.planes.programs.ports import OWN_CALL, ProgramCaller
from planloom.planes.programs.sources import Backend, SourceFailed
from planloom.wiring import graphs as wiring_graphs
from tests.unit.api.calling import Context, gateway_event
from tests.unit.graphs.services import Services


class Api:
    """A Lambda client whose only function is the API, in this process; or that answers or raises *answer*."""

    exceptions = SimpleNamespace(TooManyRequestsException=KeyError)

    def __init__(self, answer: Any = None) -> None:
        self._answer = answer

    def invoke(self, FunctionName: str, Payload: bytes) -> dict[str, Any]:  # noqa: N803 - boto3's
        assert FunctionName == "api"
        if isinstance(self._answer, Exception):
            raise self._answer
        answer = handler(json.loads(Payload), Context()) if self._answer is None else self._answer  # type: ignore[arg-type]
        return {"Payload": io.BytesIO(json.dumps(answer).encode())}


@pytest.fixture
def services(monkeypatch: pytest.MonkeyPatch) -> Services:
    made = Services()
    made.servers.add("ann", "web", made.URL)
    for name, port in (("graphs", made.graphs), ("runs", made.runs), ("tool_servers", made.servers)):
        monkeypatch.setattr(wiring_graphs, name, lambda port=port: port)
    return made


def call(operation: str, account: str = "ann", answer: Any = None, **arguments: Any) -> Any:
    api = Api(answer)
    backend = LambdaOwnBackend(lambda: api, "api", ProgramCaller(account=account), "graphs")  # type: ignore[arg-type, return-value]
    return asyncio.run(backend.call(operation, arguments))


def test_an_operation_is_called_for_the_account_of_the_run(services: Services) -> None:
    assert [each["name"] for each in call("tool_server_list")["servers"]] == ["web"]
    assert call("tool_server_list", "bob")["servers"] == []


def test_refusals_keep_their_codes(services: Services) -> None:
    for operation, arguments, code in (
        ("tool_server_get", {"name": "none"}, "TOOL_SERVER_NOT_FOUND"),
        ("tool_server_get", {}, "invalid_argument"),
        ("nothing", {}, "unknown_operation"),
    ):
        with pytest.raises(SourceFailed) as error:
            call(operation, **arguments)
        assert (error.value.code, error.value.uncertain) == (code, False)


@pytest.mark.parametrize(
    ("answer", "uncertain"), [(KeyError("throttled"), False), (OSError("broken"), True), ({"body": ""}, True)]
)
def test_a_lost_call_may_have_been_made_and_a_throttled_one_was_not(answer: Any, uncertain: bool) -> None:
    with pytest.raises(SourceFailed) as error:
        call("tool_server_list", answer=answer)
    assert (error.value.passing, error.value.uncertain) == (True, uncertain)


def test_no_request_over_http_is_such_a_call(services: Services) -> None:
    message = {"caller": {"account": "ann"}, "plane": "graphs", "operation": "tool_server_list", "arguments": {}}
    event = gateway_event("POST", "/mcp/operations", {OWN_CALL: message}, None, {OWN_CALL: json.dumps(message)})
    assert "result" not in handler(event, Context())  # type: ignore[arg-type]


def test_backends_are_opened_by_the_names_of_entities_and_a_removed_server_has_none(services: Services) -> None:
    own: list[tuple[str, str]] = []

    def plane(caller: ProgramCaller, name: str) -> Backend:
        own.append((caller.account, name))
        return Api()  # type: ignore[return-value]

    def no_tools() -> Any:
        raise AssertionError("no tool is called")

    opens = open_backends(plane, lambda: services.servers, no_tools, loopback=False)

    async def opened() -> set[str]:
        async with opens(ProgramCaller(account="ann"), ["own:graphs", "http:web", "http:removed"]) as found:
            return set(found)

    assert asyncio.run(opened()) == {"own:graphs", "http:web"}
    assert own == [("ann", "graphs")]
