"""Bind endpoints to MCP: a tool for each, on the low-level server of the MCP library."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterable, Mapping
from functools import partial
from typing import Any, TypeVar

from aws_lambda_powertools import Logger
from mcp import types
from mcp.server.caching import CacheableMethod, CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from pydantic import BaseModel, Field, ValidationError, create_model

from planloom import __version__
from planloom.core.endpoint import ApiModel, Effect, Endpoint, ErrorInfo
from planloom.core.errors import InvalidTool, PlanloomError
from planloom.core.plane import Plane, Prompt
from planloom.transports.call import Wiring, call
from planloom.transports.caller import RequestCaller
from planloom.transports.errors import internal_error, invalid_argument
from planloom.transports.mcp_results import error_result, result_of

logger = Logger(child=True)

R = TypeVar("R", bound=types.Result)
Ctx = ServerRequestContext[Any, Any]
#: Handlers of further MCP requests: method, type of its parameters, and the function that answers it.
Handlers = Iterable[tuple[str, type[BaseModel], Callable[[Ctx, Any], Awaitable[Any]]]]
Extensions = Iterable[tuple[str, Mapping[str, Any]]]

AN_HOUR = CacheHint(ttl_ms=3_600_000, scope="public")
CACHE_HINTS: dict[CacheableMethod, CacheHint] = {"tools/list": AN_HOUR, "server/discover": AN_HOUR}


def make_server(
    plane: Plane,
    wiring: Wiring,
    handlers: Handlers = (),
    extensions: Extensions = (),
    as_task: Callable[..., dict[str, Any] | None] = lambda *_: None,
) -> Server[Any]:
    """Return an MCP server with the tools and prompts of *plane*; *handlers* serve its resources and completions.

    *wiring* builds what the tools use. *as_task* gets the context, the endpoint, its request and response and the
    caller, and returns the task as which the call continues, None where it has ended.
    """
    endpoints = {endpoint.name: endpoint for endpoint in plane.endpoints if endpoint.tool}
    prompts = {prompt.text.__name__: prompt for prompt in plane.prompts}

    async def call_tool(ctx: Ctx, params: types.CallToolRequestParams) -> types.CallToolResult | dict[str, Any]:
        if endpoint := endpoints.get(params.name):
            caller, arguments = caller_of(ctx), params.arguments or {}
            # in a thread: a call that waits must not block the endpoint's event loop
            task_of = partial(as_task, ctx)
            return await asyncio.to_thread(_result, wiring, plane, endpoint, arguments, caller, task_of)
        where = "at this endpoint. Call tools/list for the tools that it has."
        return error_result(InvalidTool(f"There is no tool '{params.name[:60]}' {where}"))

    async def state_of(ctx: Ctx, name: str, given: Mapping[str, str]) -> str:
        endpoint, fields = endpoints[name], endpoints[name].request.model_fields
        arguments = {field: value for field, value in given.items() if field in fields}
        found = await asyncio.to_thread(_result, wiring, plane, endpoint, arguments, caller_of(ctx), lambda *_: None)
        assert isinstance(found, types.CallToolResult)
        if found.is_error:
            said = (
                found.structured_content["error"]["message"] if found.structured_content else "The state was not read."
            )
            raise MCPError(code=types.INVALID_PARAMS, message=said)
        return str((found.structured_content or {})["text"])

    server = Server[Any](
        plane.server_name,
        version=__version__,
        title=plane.title,
        instructions=plane.instructions,
        cache_hints=CACHE_HINTS,
        on_list_tools=_always(types.ListToolsResult(tools=[as_tool(plane, each) for each in endpoints.values()])),
        on_list_prompts=_always(types.ListPromptsResult(prompts=[_listed(each) for each in plane.prompts])),
        on_get_prompt=partial(_filled, prompts, state_of),
        on_list_resources=_always(types.ListResourcesResult(resources=[])),
        on_list_resource_templates=_always(types.ListResourceTemplatesResult(resource_templates=[])),
    )
    server.add_request_handler("tools/call", types.CallToolRequestParams, call_tool)
    for method, params, handler in handlers:
        server.add_request_handler(method, params, handler)
    server.extensions = {name: dict(settings) for name, settings in (*plane.extensions.items(), *extensions)}
    return server


def _always(result: R) -> Callable[[Ctx, Any], Awaitable[R]]:
    async def respond(_: Ctx, __: Any) -> R:
        return result

    return respond


def caller_of(ctx: Ctx) -> RequestCaller:
    """Return the caller of the HTTP request that carries the message."""
    return RequestCaller(ctx.request.scope if ctx.request else {})


def as_tool(plane: Plane, endpoint: Endpoint) -> types.Tool:
    """Return *endpoint* as tools/list shows it."""
    schema = endpoint.request.model_json_schema()
    schema.pop("description", None)
    return types.Tool(
        name=endpoint.name,
        title=endpoint.title,
        description=endpoint.description,
        input_schema={"properties": {}} | schema | {"title": f"{endpoint.name}Arguments"},
        output_schema=_output(endpoint.response).model_json_schema(),
        annotations=_annotations(plane, endpoint),
    )


def _annotations(plane: Plane, endpoint: Endpoint) -> types.ToolAnnotations:
    reads = endpoint.effect is Effect.READS
    return types.ToolAnnotations(
        read_only_hint=reads,
        destructive_hint=None if reads else endpoint.effect is Effect.DESTROYS,
        idempotent_hint=None if reads else endpoint.repeatable,
        open_world_hint=None if plane.open_world and not reads else False,
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
    return create_model(response.__name__, __base__=response, __doc__=response.__doc__, **fields)


def _result(
    wiring: Wiring,
    plane: Plane,
    endpoint: Endpoint,
    arguments: dict[str, Any],
    caller: RequestCaller,
    as_task: Callable[[Endpoint, ApiModel, Any, RequestCaller], dict[str, Any] | None],
) -> types.CallToolResult | dict[str, Any]:
    try:
        request = _request(endpoint.request, arguments)
        found = call(wiring, plane, endpoint, endpoint.handler, request, caller)
        return as_task(endpoint, request, found, caller) or result_of(found)
    except PlanloomError as error:
        return error_result(error, is_error=not isinstance(error, endpoint.reported))
    except Exception:
        logger.exception("tool failed", tool=endpoint.name)
        return error_result(internal_error())


def _request(model: type[ApiModel], arguments: dict[str, Any]) -> ApiModel:
    """Return the request. Some clients send lists and objects as JSON in a string. Raises InvalidArgument."""
    texts = {field.alias or name for name, field in model.model_fields.items() if field.annotation is str}
    values = {name: value if name in texts else _parsed(value) for name, value in arguments.items()}
    try:
        return model.model_validate(values)
    except ValidationError as error:
        raise invalid_argument(error.errors(include_input=False, include_url=False)) from None


def _parsed(value: Any) -> Any:
    try:
        found = json.loads(value) if isinstance(value, str) else value
    except (ValueError, RecursionError):
        return value
    return value if isinstance(found, str | int | float) else found


def _listed(prompt: Prompt) -> types.Prompt:
    arguments = [
        types.PromptArgument(name=name, description=text, required=True) for name, text in prompt.arguments.items()
    ]
    return types.Prompt(
        name=prompt.text.__name__, title=prompt.title, description=prompt.text.__doc__, arguments=arguments
    )


async def _filled(
    prompts: Mapping[str, Prompt],
    state_of: Callable[[Ctx, str, Mapping[str, str]], Awaitable[str]],
    ctx: Ctx,
    params: types.GetPromptRequestParams,
) -> types.GetPromptResult:
    prompt, given = prompts.get(params.name), params.arguments or {}
    if prompt is None:
        raise MCPError(code=types.INVALID_PARAMS, message=f"Unknown prompt: {params.name[:60]}")
    missing = sorted(prompt.arguments.keys() - given.keys())
    if missing:
        raise MCPError(code=types.INVALID_PARAMS, message=f"Missing arguments: {', '.join(missing)}")
    text = prompt.text(**{name: given[name] for name in prompt.arguments})
    if prompt.state:
        text = f"{await state_of(ctx, prompt.state, given)}\n\n{text}"
    message = types.PromptMessage(role="user", content=types.TextContent(type="text", text=text))
    return types.GetPromptResult(description=prompt.text.__doc__, messages=[message])
