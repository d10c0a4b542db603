"""The toolset that the conformance suite asks for, behind the endpoint code that serves planloom's own tools.

Names and texts are the suite's; nothing of it is in the product. ``python -m tests.e2e.conformance.fixture_server``
serves it on a free port and prints the port.
"""

import asyncio
import base64
import json
import socket
import struct
import zlib
from collections.abc import Callable
from typing import Annotated, Any

import uvicorn
from mcp.server.mcpserver import Context, MCPServer, RequestStateSecurity
from mcp.server.mcpserver.prompts.base import UserMessage
from mcp.server.transport_security import TransportSecuritySettings
from mcp.shared.exceptions import MCPError
from mcp.types import (
    MISSING_REQUIRED_CLIENT_CAPABILITY,
    AudioContent,
    CallToolResult,
    Completion,
    CreateMessageRequest,
    CreateMessageRequestParams,
    ElicitRequest,
    ElicitRequestFormParams,
    EmbeddedResource,
    EmptyResult,
    ImageContent,
    InputRequiredResult,
    ListRootsRequest,
    SamplingMessage,
    SetLevelRequestParams,
    SubscribeRequestParams,
    TextContent,
    TextResourceContents,
    UnsubscribeRequestParams,
)
from pydantic import Field
from starlette.applications import Starlette
from starlette.routing import Route

from planloom.transports.mcp import CACHE_HINTS
from planloom.transports.mcp_endpoint import McpEndpoint

Ctx = Context[Any, Any]

JSON_SCHEMA_TOOL = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}


def _png() -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    pixel = zlib.compress(b"\0\xff\0\0")
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixel) + chunk(b"IEND", b"")


def _wav() -> bytes:
    sound = bytes(8)
    form = struct.pack("<4sIHHIIHH", b"fmt ", 16, 1, 1, 8000, 8000, 1, 8)
    body = b"WAVE" + form + struct.pack("<4sI", b"data", len(sound)) + sound
    return struct.pack("<4sI", b"RIFF", len(body)) + body


PNG = _png()
IMAGE = ImageContent(type="image", data=base64.b64encode(PNG).decode(), mime_type="image/png")


def _text(text: str) -> TextContent:
    return TextContent(type="text", text=text)


def _said(text: str) -> CallToolResult:
    return CallToolResult(content=[_text(text)])


def _embedded(uri: str, mime_type: str, text: str) -> EmbeddedResource:
    contents = TextResourceContents(uri=uri, mime_type=mime_type, text=text)
    return EmbeddedResource(type="resource", resource=contents)


def _form(message: str, **properties: str) -> ElicitRequest:
    schema = {
        "type": "object",
        "properties": {name: {"type": kind} for name, kind in properties.items()},
        "required": list(properties),
    }
    return ElicitRequest(params=ElicitRequestFormParams(message=message, requested_schema=schema))


def _sample(text: str, most: int) -> CreateMessageRequest:
    asked = SamplingMessage(role="user", content=_text(text))
    return CreateMessageRequest(params=CreateMessageRequestParams(messages=[asked], max_tokens=most))


def _given(ctx: Ctx, *names: str) -> dict[str, Any] | None:
    """Return the client's responses where all of *names* are among them, else None."""
    responses = {name: _plain(found) for name, found in (ctx.input_responses or {}).items()}
    return responses if all(isinstance(responses.get(name), dict) for name in names) else None


def _plain(response: Any) -> Any:
    return response.model_dump(by_alias=True, mode="json") if hasattr(response, "model_dump") else response


async def test_simple_text() -> CallToolResult:
    """Answer with text."""
    return _said("This is a simple text response for testing.")


async def test_image_content() -> CallToolResult:
    """Answer with an image."""
    return CallToolResult(content=[IMAGE])


async def test_audio_content() -> CallToolResult:
    """Answer with a sound."""
    sound = AudioContent(type="audio", data=base64.b64encode(_wav()).decode(), mime_type="audio/wav")
    return CallToolResult(content=[sound])


async def test_embedded_resource() -> CallToolResult:
    """Answer with a resource."""
    text = "This is an embedded resource content."
    return CallToolResult(content=[_embedded("test://embedded-resource", "text/plain", text)])


async def test_multiple_content_types() -> CallToolResult:
    """Answer with several kinds of content."""
    mixed = _embedded("test://mixed-content-resource", "application/json", json.dumps({"test": "data", "value": 123}))
    return CallToolResult(content=[_text("Multiple content types test:"), IMAGE, mixed])


async def test_error_handling() -> CallToolResult:
    """Fail."""
    said = _text("This tool intentionally returns an error for testing")
    return CallToolResult(content=[said], is_error=True)


async def test_tool_with_progress(ctx: Ctx) -> CallToolResult:
    """Report progress where it was asked for."""
    for progress in (0, 50, 100):
        await ctx.report_progress(progress, 100)
        await asyncio.sleep(0.05)
    return _said("Done.")


async def test_tool_with_logging() -> CallToolResult:
    """Answer; a server without sessions has nowhere to send log lines."""
    return _said("Done.")


async def test_logging_tool() -> CallToolResult:
    """Answer without a log line."""
    return _said("Done.")


async def test_streaming_elicitation(ctx: Ctx) -> CallToolResult | InputRequiredResult:
    """Ask the client for something within the result."""
    return (
        _said("Done.")
        if _given(ctx, "name")
        else InputRequiredResult(input_requests={"name": _form("Who?", name="string")})
    )


async def test_missing_capability(ctx: Ctx) -> CallToolResult:
    """Serve only clients that can sample."""
    if ctx.client_capabilities is None or ctx.client_capabilities.sampling is None:
        raise MCPError(
            code=MISSING_REQUIRED_CLIENT_CAPABILITY,
            message="This tool needs a client that can sample.",
            data={"requiredCapabilities": {"sampling": {}}},
        )
    return _said("Done.")


async def test_custom_header(
    region: Annotated[str, Field(json_schema_extra={"x-mcp-header": "Region"})],
) -> CallToolResult:
    """Take an argument that a header repeats."""
    return _said(f"Region {region}")


async def test_input_required_result_elicitation(ctx: Ctx) -> CallToolResult | InputRequiredResult:
    """Ask for a name, then greet."""
    given = _given(ctx, "user_name")
    name = (given or {}).get("user_name", {}).get("content", {})
    if not isinstance(name, dict) or not isinstance(name.get("name"), str):
        return InputRequiredResult(input_requests={"user_name": _form("What is your name?", name="string")})
    return _said(f"Hello, {name['name']}!")


async def test_input_required_result_sampling(ctx: Ctx) -> CallToolResult | InputRequiredResult:
    """Ask the client's model."""
    given = _given(ctx, "capital_question")
    if given is None:
        question = _sample("What is the capital of France?", 100)
        return InputRequiredResult(input_requests={"capital_question": question})
    return _said(json.dumps(given["capital_question"]["content"]))


async def test_input_required_result_list_roots(ctx: Ctx) -> CallToolResult | InputRequiredResult:
    """Ask for the client's roots."""
    given = _given(ctx, "client_roots")
    if given is None:
        return InputRequiredResult(input_requests={"client_roots": ListRootsRequest()})
    return _said(json.dumps(given["client_roots"]["roots"]))


async def test_input_required_result_request_state(ctx: Ctx) -> CallToolResult | InputRequiredResult:
    """Carry state through the client."""
    if _given(ctx, "confirm") is None or ctx.request_state != "asked":
        return InputRequiredResult(
            input_requests={"confirm": _form("Please confirm", ok="boolean")}, request_state="asked"
        )
    return _said("state-ok")


async def test_input_required_result_multiple_inputs(ctx: Ctx) -> CallToolResult | InputRequiredResult:
    """Ask for three things at once."""
    if _given(ctx, "user_name", "greeting", "client_roots") is None:
        requests = {
            "user_name": _form("What is your name?", name="string"),
            "greeting": _sample("Generate a greeting", 50),
            "client_roots": ListRootsRequest(),
        }
        return InputRequiredResult(input_requests=requests, request_state="asked")
    return _said("Thank you for all three.")


async def test_input_required_result_multi_round(ctx: Ctx) -> CallToolResult | InputRequiredResult:
    """Ask twice, one after the other."""
    if ctx.request_state == "two" and _given(ctx, "step2"):
        return _said("Done.")
    if ctx.request_state == "one" and _given(ctx, "step1"):
        second = _form("Step 2: What is your favorite color?", color="string")
        return InputRequiredResult(input_requests={"step2": second}, request_state="two")
    first = _form("Step 1: What is your name?", name="string")
    return InputRequiredResult(input_requests={"step1": first}, request_state="one")


async def test_input_required_result_tampered_state(ctx: Ctx) -> CallToolResult | InputRequiredResult:
    """Carry state that the server seals."""
    return await test_input_required_result_request_state(ctx)


async def test_input_required_result_capabilities(ctx: Ctx) -> CallToolResult | InputRequiredResult:
    """Ask only what the client can answer."""
    able = ctx.client_capabilities
    requests: dict[str, Any] = {}
    if able and able.elicitation is not None:
        requests["name"] = _form("What is your name?", name="string")
    if able and able.sampling is not None:
        requests["greeting"] = _sample("Generate a greeting", 50)
    if able and able.roots is not None:
        requests["roots"] = ListRootsRequest()
    if not requests or ctx.input_responses:
        return _said("Done.")
    return InputRequiredResult(input_requests=requests)


async def json_schema_2020_12_tool() -> CallToolResult:
    """Tool with JSON Schema 2020-12 features"""
    return _said("Done.")


TOOLS: tuple[Callable[..., Any], ...] = (
    test_simple_text,
    test_image_content,
    test_audio_content,
    test_embedded_resource,
    test_multiple_content_types,
    test_error_handling,
    test_tool_with_progress,
    test_tool_with_logging,
    test_logging_tool,
    test_streaming_elicitation,
    test_missing_capability,
    test_custom_header,
    test_input_required_result_elicitation,
    test_input_required_result_sampling,
    test_input_required_result_list_roots,
    test_input_required_result_request_state,
    test_input_required_result_multiple_inputs,
    test_input_required_result_multi_round,
    test_input_required_result_tampered_state,
    test_input_required_result_capabilities,
    json_schema_2020_12_tool,
)
for tool in TOOLS:
    # pytest would take them for tests
    tool.__test__ = False  # type: ignore[attr-defined]


def make_server() -> MCPServer[Any]:
    """Build the server with all that the suite asks for."""
    server = MCPServer[Any](
        "conformance",
        version="1.0",
        log_level="WARNING",
        subscriptions=False,
        request_state_security=RequestStateSecurity(keys=[bytes(32)]),
        cache_hints=CACHE_HINTS,
    )
    for tool in TOOLS:
        server.add_tool(tool, structured_output=False)
    shown = server._tool_manager.get_tool("json_schema_2020_12_tool")
    assert shown
    shown.parameters = JSON_SCHEMA_TOOL
    _add_resources(server)
    _add_prompts(server)
    _accept_what_needs_a_session(server)
    return server


def _accept_what_needs_a_session(server: MCPServer[Any]) -> None:
    async def accept(_: Any, __: Any) -> EmptyResult:
        return EmptyResult()

    for method, params in (
        ("logging/setLevel", SetLevelRequestParams),
        ("resources/subscribe", SubscribeRequestParams),
        ("resources/unsubscribe", UnsubscribeRequestParams),
    ):
        server._lowlevel_server.add_request_handler(method, params, accept)


def _add_resources(server: MCPServer[Any]) -> None:
    @server.resource("test://static-text", mime_type="text/plain")
    def static_text() -> str:
        """A text."""
        return "This is the content of the static text resource."

    @server.resource("test://static-binary", mime_type="image/png")
    def static_binary() -> bytes:
        """An image."""
        return PNG

    @server.resource("test://template/{id}/data", mime_type="application/json")
    def template(id: str) -> str:
        """Data by id."""
        return json.dumps({"id": id, "templateTest": True, "data": f"Data for ID: {id}"})


def _add_prompts(server: MCPServer[Any]) -> None:
    @server.prompt()
    def test_simple_prompt() -> str:
        """A prompt without arguments."""
        return "This is a simple prompt for testing."

    @server.prompt()
    def test_prompt_with_arguments(
        arg1: Annotated[str, Field(description="First test argument")],
        arg2: Annotated[str, Field(description="Second test argument")],
    ) -> str:
        """A prompt with arguments."""
        return f"Prompt with arguments: arg1='{arg1}', arg2='{arg2}'"

    @server.prompt()
    def test_prompt_with_embedded_resource(resourceUri: str) -> list[UserMessage]:  # noqa: N803
        """A prompt with a resource in it."""
        embedded = _embedded(resourceUri, "text/plain", "Embedded resource content for testing.")
        return [UserMessage(embedded), UserMessage("Please process the embedded resource above.")]

    @server.prompt()
    def test_prompt_with_image() -> list[UserMessage]:
        """A prompt with an image in it."""
        return [UserMessage(IMAGE), UserMessage("Please analyze the image above.")]

    @server.prompt()
    async def test_input_required_result_prompt(ctx: Ctx) -> Any:
        """A prompt that asks first."""
        given = _given(ctx, "user_context")
        if given is None:
            question = _form("What context should the prompt use?", context="string")
            return InputRequiredResult(input_requests={"user_context": question})
        return f"Context: {given['user_context']}"

    @server.completion()
    async def complete(ref: Any, argument: Any, context: Any) -> Completion:
        values = [word for word in ("paris", "park", "party") if word.startswith(argument.value)]
        return Completion(values=values, total=len(values), has_more=False)


def main() -> None:
    """Serve on a free port of the loopback interface until killed; print the port first."""
    server = make_server()
    # the suite knocks with a foreign Host: no gateway stands before the fixture to turn that away
    hosts = ["127.0.0.1:*", "localhost:*"]
    own = TransportSecuritySettings(allowed_hosts=hosts, allowed_origins=[f"http://{host}" for host in hosts])
    endpoint = McpEndpoint(lambda: server, own)
    app = Starlette(routes=[Route("/mcp", endpoint)])
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        print(listening.getsockname()[1], flush=True)  # noqa: T201
        uvicorn.Server(uvicorn.Config(app, log_level="warning", lifespan="off")).run(sockets=[listening])


if __name__ == "__main__":
    main()
