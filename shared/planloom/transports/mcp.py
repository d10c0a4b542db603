"""Bind endpoints to MCP: a tool for each, on the low-level server of the MCP library."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any

from aws_lambda_powertools import Logger
from mcp.server.caching import CacheableMethod, CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp.types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    GetPromptRequestParams,
    GetPromptResult,
    ListPromptsResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListToolsResult,
    PromptArgument,
    PromptMessage,
    TextContent,
    Tool,
    ToolAnnotations,
)
from mcp.types import Prompt as ListedPrompt
from pydantic import BaseModel, Field, ValidationError, create_model

from planloom import __version__
from planloom.core.endpoint import ApiModel, CamelModel, Effect, Endpoint, ErrorInfo, MarkdownResponse
from planloom.core.errors import InvalidTool, PlanloomError
from planloom.core.plane import Plane, Prompt
from planloom.transports.call import Wiring, call
from planloom.transports.caller import RequestCaller
from planloom.transports.errors import internal_error, invalid_argument
from planloom.transports.mcp_results import error_result, markdown_result, value_result

logger = Logger(child=True)

Ctx = ServerRequestContext[Any, Any]
#: Handlers of further MCP requests: method, type of its parameters, and the function that answers it.
Handlers = Iterable[tuple[str, type[BaseModel], Callable[[Ctx, Any], Awaitable[Any]]]]

HOUR_MS = 3_600_000
CACHE_HINTS: dict[CacheableMethod, CacheHint] = {
    "tools/list": CacheHint(ttl_ms=HOUR_MS, scope="public"),
    "server/discover": CacheHint(ttl_ms=HOUR_MS, scope="public"),
}


def make_server(plane: Plane, wiring: Wiring, handlers: Handlers = ()) -> Server[Any]:
    """Return an MCP server with the tools and prompts of *plane*; *handlers* serve its resources and completions.

    *wiring* builds what the tools use.
    """
    endpoints = {endpoint.name: endpoint for endpoint in plane.endpoints if endpoint.tool}
    tools = {name: as_tool(plane, endpoint) for name, endpoint in endpoints.items()}
    prompts = {prompt.text.__name__: prompt for prompt in plane.prompts}

    async def list_tools(_: Ctx, __: Any) -> ListToolsResult:
        return ListToolsResult(tools=list(tools.values()))

    async def call_tool(ctx: Ctx, params: CallToolRequestParams) -> CallToolResult:
        caller = caller_of(ctx)
        # in a thread: a call that waits must not block the endpoint's event loop
        return await asyncio.to_thread(_result, wiring, plane, endpoints, params.name, params.arguments or {}, caller)

    async def list_prompts(_: Ctx, __: Any) -> ListPromptsResult:
        return ListPromptsResult(prompts=[_listed(prompt) for prompt in prompts.values()])

    async def get_prompt(_: Ctx, params: GetPromptRequestParams) -> GetPromptResult:
        return _filled(prompts, params)

    async def list_resources(_: Ctx, __: Any) -> ListResourcesResult:
        return ListResourcesResult(resources=[])

    async def list_templates(_: Ctx, __: Any) -> ListResourceTemplatesResult:
        return ListResourceTemplatesResult(resource_templates=[])

    server = Server[Any](
        plane.server_name,
        version=__version__,
        title=plane.title,
        instructions=plane.instructions,
        cache_hints=CACHE_HINTS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_prompts=list_prompts,
        on_get_prompt=get_prompt,
        on_list_resources=list_resources,
        on_list_resource_templates=list_templates,
    )
    for method, params, handler in handlers:
        server.add_request_handler(method, params, handler)
    server.extensions = {name: dict(settings) for name, settings in plane.extensions.items()}
    return server


def caller_of(ctx: Ctx) -> RequestCaller:
    """Return the caller of the HTTP request that carries the message."""
    return RequestCaller(ctx.request.scope if ctx.request else {})


def as_tool(plane: Plane, endpoint: Endpoint) -> Tool:
    """Return *endpoint* as tools/list shows it."""
    schema = endpoint.request.model_json_schema()
    schema.pop("description", None)
    return Tool(
        name=endpoint.name,
        title=endpoint.title,
        description=endpoint.description,
        input_schema={"properties": {}} | schema | {"title": f"{endpoint.name}Arguments"},
        output_schema=_output(endpoint.response).model_json_schema(),
        annotations=_annotations(plane, endpoint),
    )


def _annotations(plane: Plane, endpoint: Endpoint) -> ToolAnnotations:
    closed = None if plane.open_world else False
    if endpoint.effect is Effect.READS:
        return ToolAnnotations(read_only_hint=True, open_world_hint=False)
    return ToolAnnotations(
        read_only_hint=False,
        destructive_hint=endpoint.effect is Effect.DESTROYS,
        idempotent_hint=endpoint.repeatable,
        open_world_hint=closed,
    )


def _output(response: type[ApiModel]) -> type[ApiModel]:
    """Return *response* with every field optional and ``error`` added.

    An error result carries structured content too, and clients check it against the same schema.
    """
    fields: dict[str, Any] = {}
    for name, field in response.model_fields.items():
        kind: Any = field.annotation
        fields[name] = (kind | None, Field(default=None, description=field.description))
    own: Any = response.model_fields["error"].annotation if "error" in response.model_fields else None
    fields["error"] = (ErrorInfo | own, Field(default=None, description="Set where something is wrong"))
    base = CamelModel if issubclass(response, CamelModel) else ApiModel
    return create_model(response.__name__, __base__=base, __doc__=response.__doc__, **fields)


def _result(
    wiring: Wiring,
    plane: Plane,
    endpoints: Mapping[str, Endpoint],
    name: str,
    arguments: dict[str, Any],
    caller: RequestCaller,
) -> CallToolResult:
    endpoint = endpoints.get(name)
    if endpoint is None:
        return error_result(
            InvalidTool(f"There is no tool '{name[:60]}' at this endpoint. Call tools/list for the tools that it has.")
        )
    try:
        request = endpoint.request.model_validate(_parsed(endpoint.request, arguments))
    except ValidationError as error:
        return error_result(invalid_argument(error.errors(include_input=False, include_url=False)))
    try:
        found = call(wiring, plane, endpoint, endpoint.handler, request, caller)
    except PlanloomError as error:
        return error_result(error, is_error=not isinstance(error, endpoint.reported))
    except Exception:
        logger.exception("tool failed", tool=name)
        return error_result(internal_error())
    if isinstance(found, MarkdownResponse):
        return markdown_result(found)
    return value_result({} if found is None else found.model_dump(mode="json", exclude_unset=True))


def _parsed(request: type[ApiModel], arguments: dict[str, Any]) -> dict[str, Any]:
    """Return *arguments* with lists and objects parsed that came as JSON in a string, as some clients send them."""
    texts = {field.alias or name for name, field in request.model_fields.items() if field.annotation is str}
    parsed = dict(arguments)
    for name, value in arguments.items():
        if not isinstance(value, str) or name in texts:
            continue
        try:
            found = json.loads(value)
        except (ValueError, RecursionError):
            continue
        if not isinstance(found, str | int | float):
            parsed[name] = found
    return parsed


def _listed(prompt: Prompt) -> ListedPrompt:
    arguments = [PromptArgument(name=name, description=text, required=True) for name, text in prompt.arguments.items()]
    return ListedPrompt(
        name=prompt.text.__name__, title=prompt.title, description=prompt.text.__doc__, arguments=arguments
    )


def _filled(prompts: Mapping[str, Prompt], params: GetPromptRequestParams) -> GetPromptResult:
    prompt, given = prompts.get(params.name), params.arguments or {}
    if prompt is None:
        raise MCPError(code=INVALID_PARAMS, message=f"Unknown prompt: {params.name[:60]}")
    missing = sorted(prompt.arguments.keys() - given.keys())
    if missing:
        raise MCPError(code=INVALID_PARAMS, message=f"Missing arguments: {', '.join(missing)}")
    text = prompt.text(**{name: given[name] for name in prompt.arguments})
    message = PromptMessage(role="user", content=TextContent(type="text", text=text))
    return GetPromptResult(description=prompt.text.__doc__, messages=[message])
