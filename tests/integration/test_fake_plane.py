"""A plane that no transport knows: registered, its operations are there over HTTP, over MCP and in the reference."""

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest
from mangum import Mangum
from pydantic import Field

from infra.reference import reference
from planloom import wiring
from planloom.adapters.dynamodb_requests import requests_of
from planloom.api.app import make_app
from planloom.core.endpoint import DELETE, GET, POST, ApiModel, CamelModel, Effect, Endpoint
from planloom.core.errors import PlanloomError
from planloom.core.plane import Plane, Prompt
from tests.fake_ports import Fakes, make_fakes
from tests.integration.conftest import TABLE
from tests.unit.api.calling import Context, gateway_event


class LampNotFound(PlanloomError):
    """No lamp has that id."""

    code = "LAMP_NOT_FOUND"


class LampBroken(PlanloomError):
    """The lamp does not light."""

    code = "LAMP_BROKEN"


class LampRequest(CamelModel):
    """Which lamp."""

    lamp_id: str = Field(max_length=20, description="Id of the lamp.")


class AddLamp(CamelModel):
    """A lamp."""

    watts: int = Field(ge=1, le=100, description="Power in watts.")
    colours: list[str] = Field(default=[], description="Colours it can have.")
    client_request_id: str | None = Field(default=None, description="A repeat with it is the same lamp.")


class Lamp(CamelModel):
    """A lamp that is there."""

    lamp_id: str
    watts: int
    owner: str
    added_at: str


class Nothing(ApiModel):
    """An empty response."""


def _no_prompt(place: str) -> str:
    """Choose a lamp for a place."""
    return f"Which lamp fits {place}?"


class Lamps:
    """The plane, and the lamps that it holds."""

    def __init__(self) -> None:
        self.lamps: dict[str, Lamp] = {}
        self.plane = Plane(
            name="lamps",
            title="lamps",
            mcp_path="/mcp/lamps",
            server_name="lamps",
            instructions="Add a lamp, then look at it.",
            error_statuses={LampNotFound: 404, LampBroken: 409},
            prompts=(Prompt("Choose", _no_prompt, {"place": "The place"}),),
            endpoints=(
                Endpoint(
                    name="lamp_add",
                    title="Add a lamp",
                    description="Adds a lamp.",
                    group="lamps",
                    http=POST("/v1/lamps", status=201, location="lamps/{lamp_id}"),
                    request=AddLamp,
                    response=Lamp,
                    effect=Effect.CHANGES,
                    idempotent_by="client_request_id",
                    handler=self.add,
                ),
                Endpoint(
                    name="lamp_get",
                    title="Read a lamp",
                    description="Reads a lamp.",
                    group="lamps",
                    http=GET("/v1/lamps/{lampId}"),
                    request=LampRequest,
                    response=Lamp,
                    errors=(LampNotFound, LampBroken),
                    reported=(LampBroken,),
                    handler=self.get,
                ),
                Endpoint(
                    name="lamp_remove",
                    title="Remove a lamp",
                    description="Removes a lamp.",
                    group="lamps",
                    http=DELETE("/v1/lamps/{lampId}"),
                    request=LampRequest,
                    response=Nothing,
                    effect=Effect.DESTROYS,
                    repeatable=True,
                    may_be_empty=True,
                    handler=self.remove,
                ),
            ),
        )

    def add(self, request: AddLamp, account: str, clock: Any) -> Lamp:
        """Add a lamp; ``clock`` is a port."""
        lamp_id = f"l{len(self.lamps) + 1}"
        self.lamps[lamp_id] = Lamp(lamp_id=lamp_id, watts=request.watts, owner=account, added_at=clock().isoformat())
        return self.lamps[lamp_id]

    def get(self, request: LampRequest) -> Lamp:
        """Return a lamp."""
        if request.lamp_id == "broken":
            raise LampBroken("It does not light.")
        if request.lamp_id == "bug":
            raise RuntimeError("secret")
        if request.lamp_id not in self.lamps:
            raise LampNotFound("There is no such lamp.")
        return self.lamps[request.lamp_id]

    def remove(self, request: LampRequest) -> None:
        """Remove a lamp."""
        self.lamps.pop(request.lamp_id, None)


class Service:
    """The app with that plane alone, called as the gateway does."""

    def __init__(self, lamps: Lamps) -> None:
        self.lamps = lamps
        self._serve = Mangum(make_app([lamps.plane]), lifespan="off")

    def http(self, method: str, path: str, body: Any = None, account: str | None = "acme") -> tuple[int, Any]:
        """Return status and body."""
        answer = self._serve(gateway_event(method, path, body, account, None), Context())  # type: ignore[arg-type]
        return answer["statusCode"], json.loads(answer["body"]) if answer["body"] else None

    def rpc(self, method: str, **params: Any) -> Any:
        """Return the result of an MCP request."""
        return self.http("POST", "/mcp/lamps", {"jsonrpc": "2.0", "id": 1, "method": method, "params": params})[1][
            "result"
        ]

    def tool(self, name: str, **arguments: Any) -> tuple[bool, Any]:
        """Return whether a tool call is an error, and its structured content."""
        result = self.rpc("tools/call", name=name, arguments=arguments)
        assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
        return result["isError"], result["structuredContent"]


@pytest.fixture
def service(aws: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    """The service over ports in memory, with a table for repeated requests."""
    fakes: Fakes = make_fakes()
    monkeypatch.setattr(wiring, "ports", lambda: fakes.ports)
    monkeypatch.setattr(wiring, "requests", lambda account: requests_of(account, TABLE))
    # Mangum opens an event loop if there is none, and leaves it open
    with asyncio.Runner() as runner:
        asyncio.set_event_loop(runner.get_loop())
        yield Service(Lamps())


LAMP = {"lampId": "l1", "watts": 40, "owner": "acme", "addedAt": "2026-11-02T09:00:00+00:00"}


def test_its_operations_are_routes_and_tools(service: Service) -> None:
    assert service.http("POST", "/v1/lamps", {"watts": 40}) == (201, LAMP)
    assert service.http("GET", "/v1/lamps/l1") == (200, LAMP)
    assert service.tool("lamp_get", lampId="l1") == (False, LAMP)
    assert service.http("DELETE", "/v1/lamps/l1") == (204, None)
    assert service.tool("lamp_remove", lampId="l1") == (False, {})
    assert service.http("GET", "/v1/plans/latest")[0] == 404, "no other plane is served"


def test_its_errors_have_their_status_and_code(service: Service) -> None:
    missing = {"error": {"code": "LAMP_NOT_FOUND", "message": "There is no such lamp."}}
    assert service.http("GET", "/v1/lamps/l9") == (404, missing)
    assert service.tool("lamp_get", lampId="l9") == (True, missing)
    assert service.http("GET", "/v1/lamps/broken")[0] == 409
    assert service.tool("lamp_get", lampId="broken")[0] is False, "reported without isError"
    assert service.tool("lamp_get", lampId="bug")[1]["error"]["code"] == "INTERNAL_ERROR"
    for status, body in (
        service.http("POST", "/v1/lamps", {"watts": 500}),
        (422, service.tool("lamp_add", watts=500)[1]),
    ):
        assert (status, body["error"]["code"], body["error"]["details"]["fields"]) == (
            422,
            "INVALID_ARGUMENT",
            ["watts"],
        )
    assert service.http("GET", "/v1/lamps/l1", account=None)[0] == 403
    assert service.tool("lamp_dim")[1]["error"]["code"] == "INVALID_TOOL"


def test_a_repeated_request_returns_the_first_response_over_both_transports(service: Service) -> None:
    sent = {"watts": 40, "clientRequestId": "r1"}
    assert service.http("POST", "/v1/lamps", sent) == (201, LAMP)
    assert service.tool("lamp_add", **sent) == (False, LAMP)
    assert service.tool("lamp_add", **sent, colours=[]) == (False, LAMP), "a default is the same as nothing"
    assert service.tool("lamp_add", **sent, colours=["red"])[1]["error"]["code"] == "REQUEST_CONFLICT"
    assert service.http("POST", "/v1/lamps", sent | {"watts": 60})[0] == 409
    assert len(service.lamps.lamps) == 1


def test_a_list_that_came_as_text_is_read(service: Service) -> None:
    assert service.tool("lamp_add", watts=40, colours='["red"]') == (False, LAMP)


def test_it_describes_itself(service: Service) -> None:
    described = service.http("GET", "/v1/openapi.json")[1]
    operation = described["paths"]["/v1/lamps/{lampId}"]["get"]
    assert (operation["operationId"], operation["summary"]) == ("lamps_lamp_get", "Read a lamp")
    assert set(operation["responses"]) == {"200", "401", "403", "404", "409", "422", "500"}
    tools = {tool["name"]: tool for tool in service.rpc("tools/list")["tools"]}
    assert tools["lamp_get"]["annotations"] == {"readOnlyHint": True, "openWorldHint": False}
    assert tools["lamp_remove"]["annotations"] == {
        "readOnlyHint": False,
        "destructiveHint": True,
        "idempotentHint": True,
        "openWorldHint": False,
    }
    assert tools["lamp_add"]["inputSchema"]["required"] == ["watts"]


def test_its_prompts_need_their_arguments(service: Service) -> None:
    for params in ({"name": "_no_prompt"}, {"name": "no such prompt"}):
        message = {"jsonrpc": "2.0", "id": 1, "method": "prompts/get", "params": params}
        assert service.http("POST", "/mcp/lamps", message)[1]["error"]["code"] == -32602
    assert service.rpc("prompts/get", name="_no_prompt", arguments={"place": "the hall"})["messages"][0]["content"] == {
        "type": "text",
        "text": "Which lamp fits the hall?",
    }


def test_it_is_in_the_reference(service: Service) -> None:
    text = reference([service.lamps.plane])
    assert "`POST /v1/lamps` (201), tool `lamp_add`. Changes data." in text
    assert "A repeat with the same `clientRequestId` returns the first response." in text
    assert "| `watts` | integer, at least 1, at most 100 | required | Power in watts. |" in text
    assert "Errors: `LAMP_BROKEN` (409), `LAMP_NOT_FOUND` (404)" in text
