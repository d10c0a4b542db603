"""The toolset that the conformance suite asks for, on the server and the endpoint of planloom's own tools.

Names and texts are the suite's; nothing of it is in the product. ``python -m tests.e2e.conformance.fixture_server``
serves it on a free port and prints the port.
"""

import asyncio
import base64
import json
import socket
import struct
import zlib
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

import uvicorn
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity
from mcp.server.transport_security import TransportSecuritySettings
from mcp.shared.exceptions import MCPError
from mcp.types import (
    INVALID_PARAMS,
    MISSING_REQUIRED_CLIENT_CAPABILITY,
    AudioContent,
    BlobResourceContents,
    CallToolRequestParams,
    CallToolResult,
    CompleteRequestParams,
    CompleteResult,
    Completion,
    CreateMessageRequest,
    CreateMessageRequestParams,
    ElicitRequest,
    ElicitRequestFormParams,
    EmbeddedResource,
    EmptyResult,
    GetPromptRequestParams,
    GetPromptResult,
    ImageContent,
    InputRequiredResult,
    ListPromptsResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListRootsRequest,
    ListToolsResult,
    PaginatedRequestParams,
    Prompt,
    PromptArgument,
    PromptMessage,
    ReadResourceRequestParams,
    ReadResourceResult,
    Resource,
    ResourceTemplate,
    SamplingMessage,
    SetLevelRequestParams,
    SubscribeRequestParams,
    TextContent,
    TextResourceContents,
    Tool,
    UnsubscribeRequestParams,
)
from starlette.applications import Starlette
from starlette.routing import Route

from planloom.api import handler_ports
from planloom.api.mcp_endpoint import McpEndpoint
from planloom.core.plane import Plane
from planloom.transports import mcp

Found = CallToolResult | InputRequiredResult


@dataclass(frozen=True)
class Ctx:
    """One request of the suite: what the library says of it, and its parameters."""

    request: ServerRequestContext[Any, Any]
    params: Any

    @property
    def able(self) -> Any:
        """What the client can do, or None."""
        return self.request.session.client_capabilities


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
    responses = {name: _plain(found) for name, found in (ctx.params.input_responses or {}).items()}
    return responses if all(isinstance(responses.get(name), dict) for name in names) else None


def _plain(response: Any) -> Any:
    return response.model_dump(by_alias=True, mode="json") if hasattr(response, "model_dump") else response


async def test_simple_text(ctx: Ctx) -> CallToolResult:
    """Answer with text."""
    return _said("This is a simple text response for testing.")


async def test_image_content(ctx: Ctx) -> CallToolResult:
    """Answer with an image."""
    return CallToolResult(content=[IMAGE])


async def test_audio_content(ctx: Ctx) -> CallToolResult:
    """Answer with a sound."""
    sound = AudioContent(type="audio", data=base64.b64encode(_wav()).decode(), mime_type="audio/wav")
    return CallToolResult(content=[sound])


async def test_embedded_resource(ctx: Ctx) -> CallToolResult:
    """Answer with a resource."""
    text = "This is an embedded resource content."
    return CallToolResult(content=[_embedded("test://embedded-resource", "text/plain", text)])


async def test_multiple_content_types(ctx: Ctx) -> CallToolResult:
    """Answer with several kinds of content."""
    mixed = _embedded("test://mixed-content-resource", "application/json", json.dumps({"test": "data", "value": 123}))
    return CallToolResult(content=[_text("Multiple content types test:"), IMAGE, mixed])


async def test_error_handling(ctx: Ctx) -> CallToolResult:
    """Fail."""
    said = _text("This tool intentionally returns an error for testing")
    return CallToolResult(content=[said], is_error=True)


async def test_tool_with_progress(ctx: Ctx) -> CallToolResult:
    """Report progress where it was asked for."""
    for progress in (0, 50, 100):
        await ctx.request.session.report_progress(progress, 100)
        await asyncio.sleep(0.05)
    return _said("Done.")


async def test_tool_with_logging(ctx: Ctx) -> CallToolResult:
    """Answer; a server without sessions has nowhere to send log lines."""
    return _said("Done.")


async def test_logging_tool(ctx: Ctx) -> CallToolResult:
    """Answer without a log line."""
    return _said("Done.")


async def test_streaming_elicitation(ctx: Ctx) -> Found:
    """Ask the client for something within the result."""
    return (
        _said("Done.")
        if _given(ctx, "name")
        else InputRequiredResult(input_requests={"name": _form("Who?", name="string")})
    )


async def test_missing_capability(ctx: Ctx) -> CallToolResult:
    """Serve only clients that can sample."""
    if ctx.able is None or ctx.able.sampling is None:
        raise MCPError(
            code=MISSING_REQUIRED_CLIENT_CAPABILITY,
            message="This tool needs a client that can sample.",
            data={"requiredCapabilities": {"sampling": {}}},
        )
    return _said("Done.")


async def test_custom_header(ctx: Ctx) -> CallToolResult:
    """Take an argument that a header repeats."""
    return _said(f"Region {ctx.params.arguments['region']}")


async def test_input_required_result_elicitation(ctx: Ctx) -> Found:
    """Ask for a name, then greet."""
    given = _given(ctx, "user_name")
    name = (given or {}).get("user_name", {}).get("content", {})
    if not isinstance(name, dict) or not isinstance(name.get("name"), str):
        return InputRequiredResult(input_requests={"user_name": _form("What is your name?", name="string")})
    return _said(f"Hello, {name['name']}!")


async def test_input_required_result_sampling(ctx: Ctx) -> Found:
    """Ask the client's model."""
    given = _given(ctx, "capital_question")
    if given is None:
        question = _sample("What is the capital of France?", 100)
        return InputRequiredResult(input_requests={"capital_question": question})
    return _said(json.dumps(given["capital_question"]["content"]))


async def test_input_required_result_list_roots(ctx: Ctx) -> Found:
    """Ask for the client's roots."""
    given = _given(ctx, "client_roots")
    if given is None:
        return InputRequiredResult(input_requests={"client_roots": ListRootsRequest()})
    return _said(json.dumps(given["client_roots"]["roots"]))


async def test_input_required_result_request_state(ctx: Ctx) -> Found:
    """Carry state through the client."""
    if _given(ctx, "confirm") is None or ctx.params.request_state != "asked":
        return InputRequiredResult(
            input_requests={"confirm": _form("Please confirm", ok="boolean")}, request_state="asked"
        )
    return _said("state-ok")


async def test_input_required_result_multiple_inputs(ctx: Ctx) -> Found:
    """Ask for three things at once."""
    if _given(ctx, "user_name", "greeting", "client_roots") is None:
        requests = {
            "user_name": _form("What is your name?", name="string"),
            "greeting": _sample("Generate a greeting", 50),
            "client_roots": ListRootsRequest(),
        }
        return InputRequiredResult(input_requests=requests, request_state="asked")
    return _said("Thank you for all three.")


async def test_input_required_result_multi_round(ctx: Ctx) -> Found:
    """Ask twice, one after the other."""
    if ctx.params.request_state == "two" and _given(ctx, "step2"):
        return _said("Done.")
    if ctx.params.request_state == "one" and _given(ctx, "step1"):
        second = _form("Step 2: What is your favorite color?", color="string")
        return InputRequiredResult(input_requests={"step2": second}, request_state="two")
    first = _form("Step 1: What is your name?", name="string")
    return InputRequiredResult(input_requests={"step1": first}, request_state="one")


async def test_input_required_result_tampered_state(ctx: Ctx) -> Found:
    """Carry state that the server seals."""
    return await test_input_required_result_request_state(ctx)


async def test_input_required_result_capabilities(ctx: Ctx) -> Found:
    """Ask only what the client can answer."""
    able = ctx.able
    requests: dict[str, Any] = {}
    if able and able.elicitation is not None:
        requests["name"] = _form("What is your name?", name="string")
    if able and able.sampling is not None:
        requests["greeting"] = _sample("Generate a greeting", 50)
    if able and able.roots is not None:
        requests["roots"] = ListRootsRequest()
    if not requests or ctx.params.input_responses:
        return _said("Done.")
    return InputRequiredResult(input_requests=requests)


async def json_schema_2020_12_tool(ctx: Ctx) -> CallToolResult:
    """Tool with JSON Schema 2020-12 features"""
    return _said("Done.")


TOOLS: tuple[Callable[[Ctx], Awaitable[Found]], ...] = (
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
HEADER_TOOL = {
    "type": "object",
    "properties": {"region": {"type": "string", "x-mcp-header": "Region"}},
    "required": ["region"],
}
SCHEMAS: dict[str, dict[str, Any]] = {
    "json_schema_2020_12_tool": JSON_SCHEMA_TOOL,
    "test_custom_header": HEADER_TOOL,
}


def _tool(function: Callable[..., Any]) -> Tool:
    schema = SCHEMAS.get(function.__name__, {"type": "object", "properties": {}})
    return Tool(name=function.__name__, description=function.__doc__, input_schema=schema)


async def _list_tools(_: Any, __: Any) -> ListToolsResult:
    return ListToolsResult(tools=[_tool(function) for function in TOOLS])


async def _call_tool(ctx: ServerRequestContext[Any, Any], params: CallToolRequestParams) -> Found:
    (function,) = [each for each in TOOLS if each.__name__ == params.name]
    return await function(Ctx(ctx, params))


TEXT, BINARY, TEMPLATE = "test://static-text", "test://static-binary", "test://template/{id}/data"


async def _list_resources(_: Any, __: Any) -> ListResourcesResult:
    return ListResourcesResult(
        resources=[
            Resource(uri=TEXT, name="static_text", description="A text.", mime_type="text/plain"),
            Resource(uri=BINARY, name="static_binary", description="An image.", mime_type="image/png"),
        ]
    )


async def _list_templates(_: Any, __: Any) -> ListResourceTemplatesResult:
    template = ResourceTemplate(
        uri_template=TEMPLATE, name="template", description="Data by id.", mime_type="application/json"
    )
    return ListResourceTemplatesResult(resource_templates=[template])


async def _read_resource(_: Any, params: ReadResourceRequestParams) -> ReadResourceResult:
    uri = str(params.uri)
    before, after = TEMPLATE.split("{id}")
    if uri == TEXT:
        text = "This is the content of the static text resource."
        return ReadResourceResult(contents=[TextResourceContents(uri=uri, mime_type="text/plain", text=text)])
    if uri == BINARY:
        blob = base64.b64encode(PNG).decode()
        return ReadResourceResult(contents=[BlobResourceContents(uri=uri, mime_type="image/png", blob=blob)])
    if not (uri.startswith(before) and uri.endswith(after)):
        raise MCPError(code=INVALID_PARAMS, message=f"Unknown resource: {uri}", data={"uri": uri})
    id = uri.removeprefix(before).removesuffix(after)
    data = json.dumps({"id": id, "templateTest": True, "data": f"Data for ID: {id}"})
    return ReadResourceResult(contents=[TextResourceContents(uri=uri, mime_type="application/json", text=data)])


def _messages(*contents: Any) -> GetPromptResult:
    return GetPromptResult(messages=[PromptMessage(role="user", content=content) for content in contents])


def _simple(_: Mapping[str, str]) -> GetPromptResult:
    """A prompt without arguments."""
    return _messages(_text("This is a simple prompt for testing."))


def _with_arguments(given: Mapping[str, str]) -> GetPromptResult:
    """A prompt with arguments."""
    return _messages(_text(f"Prompt with arguments: arg1='{given['arg1']}', arg2='{given['arg2']}'"))


def _with_resource(given: Mapping[str, str]) -> GetPromptResult:
    """A prompt with a resource in it."""
    embedded = _embedded(given["resourceUri"], "text/plain", "Embedded resource content for testing.")
    return _messages(embedded, _text("Please process the embedded resource above."))


def _with_image(_: Mapping[str, str]) -> GetPromptResult:
    """A prompt with an image in it."""
    return _messages(IMAGE, _text("Please analyze the image above."))


ASKING = "test_input_required_result_prompt"
PROMPTS: dict[str, tuple[Callable[[Mapping[str, str]], GetPromptResult], dict[str, str]]] = {
    "test_simple_prompt": (_simple, {}),
    "test_prompt_with_arguments": (_with_arguments, {"arg1": "First test argument", "arg2": "Second test argument"}),
    "test_prompt_with_embedded_resource": (_with_resource, {"resourceUri": "URI of the resource"}),
    "test_prompt_with_image": (_with_image, {}),
}


async def _list_prompts(_: Any, __: Any) -> ListPromptsResult:
    listed = [
        Prompt(
            name=name,
            description=function.__doc__,
            arguments=[PromptArgument(name=each, description=text, required=True) for each, text in takes.items()],
        )
        for name, (function, takes) in PROMPTS.items()
    ]
    return ListPromptsResult(prompts=[*listed, Prompt(name=ASKING, description="A prompt that asks first.")])


async def _get_prompt(
    ctx: ServerRequestContext[Any, Any], params: GetPromptRequestParams
) -> GetPromptResult | InputRequiredResult:
    if params.name != ASKING:
        return PROMPTS[params.name][0](params.arguments or {})
    given = _given(Ctx(ctx, params), "user_context")
    if given is None:
        question = _form("What context should the prompt use?", context="string")
        return InputRequiredResult(input_requests={"user_context": question})
    return _messages(_text(f"Context: {given['user_context']}"))


async def _complete(_: Any, params: CompleteRequestParams) -> CompleteResult:
    values = [word for word in ("paris", "park", "party") if word.startswith(params.argument.value)]
    return CompleteResult(completion=Completion(values=values, total=len(values), has_more=False))


async def _accept(_: Any, __: Any) -> EmptyResult:
    """Accept what needs a session."""
    return EmptyResult()


def make_server() -> Server[Any]:
    """Build planloom's server with all that the suite asks for."""
    plane = Plane(
        name="conformance",
        title="conformance",
        mcp_path="/mcp",
        server_name="conformance",
        instructions="",
        endpoints=(),
    )
    handlers: mcp.Handlers = (
        ("tools/list", PaginatedRequestParams, _list_tools),
        ("tools/call", CallToolRequestParams, _call_tool),
        ("resources/list", PaginatedRequestParams, _list_resources),
        ("resources/templates/list", PaginatedRequestParams, _list_templates),
        ("resources/read", ReadResourceRequestParams, _read_resource),
        ("prompts/list", PaginatedRequestParams, _list_prompts),
        ("prompts/get", GetPromptRequestParams, _get_prompt),
        ("completion/complete", CompleteRequestParams, _complete),
        ("logging/setLevel", SetLevelRequestParams, _accept),
        ("resources/subscribe", SubscribeRequestParams, _accept),
        ("resources/unsubscribe", UnsubscribeRequestParams, _accept),
    )
    server = mcp.make_server(plane, handler_ports, handlers)
    sealed = RequestStateSecurity(keys=[bytes(32)])
    server.middleware.append(RequestStateBoundary(sealed, default_audience=plane.name))
    return server


def main() -> None:
    """Serve on a free port of the loopback interface until killed; print the port first."""
    server = make_server()
    # the suite sends a foreign Host, and the fixture has no gateway that would reject it
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
