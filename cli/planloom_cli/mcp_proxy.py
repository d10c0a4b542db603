"""`planloom mcp`: an MCP server on standard input and output that forwards to a service.

It forwards all tools, resources and prompts of a plane, and adds plan_download to those of strategic plans. Each
request uses its own connection, so that it works again after the service was unreachable.
"""

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

import httpx2
from mcp.client import Client
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from mcp.types import INTERNAL_ERROR, INVALID_PARAMS, METHOD_NOT_FOUND, CallToolResult
from pydantic import ValidationError

from planloom import __version__
from planloom.core.errors import PermissionDenied, PlanloomError
from planloom.core.plane import Plane
from planloom.transports.errors import internal_error
from planloom.transports.mcp_results import error_result
from planloom_cli import plan_download
from planloom_cli.options import SERVED
from planloom_cli.plan_download import DownloadFailed
from planloom_cli.push_lines import LinePusher
from planloom_cli.service import Address, KeyRefused, Service, Unreachable, connect

T = TypeVar("T")

#: Added after the instructions of the service.
INSTRUCTIONS = "This server runs on the user's machine: to save a finished report or zip here, call plan_download."
AGAIN = "Try again in a few seconds, with increasing delays."


class RemoteError(PlanloomError):
    """The service could not be called: network, HTTP or protocol."""

    code = "REMOTE_ERROR"
    retryable = True


def serve(address: Address, tools: str = "plans") -> None:
    """Serve the tools of *address* on standard input and output until the client disconnects."""
    asyncio.run(_serve(address, tools))


async def make_server(address: Address, environment: Mapping[str, str], tools: str = "plans") -> Server[Any]:
    """Return the server. It starts also if the service does not answer: calls then return an error."""
    plane, downloads = SERVED[tools], tools == "plans"
    address = replace(address, mcp_url=address.mcp_url + plane.mcp_path.removeprefix("/mcp"))

    def passed(ask: Callable[[Client, Any], Awaitable[T]]) -> Callable[[Any, Any], Awaitable[T]]:
        async def handler(_: Any, params: Any) -> T:
            try:
                return await reach(address, lambda service: ask(service.client, params))
            except (RemoteError, PermissionDenied) as error:
                raise MCPError(code=INTERNAL_ERROR, message=f"{error.code}: {error.message}") from error

        return handler

    async def list_tools(client: Client, params: Any) -> Any:
        listed = await client.list_tools(cursor=_cursor(params))
        last = downloads and listed.next_cursor is None
        return listed.model_copy(update={"tools": [*listed.tools, plan_download.TOOL]}) if last else listed

    pusher = LinePusher(address, partial(reach, address, _card))

    async def call_tool(ctx: Any, params: Any) -> CallToolResult:
        try:
            result = await reach(address, lambda service: _call(service, params, environment))
            pusher.follow(params.arguments or {}, result, ctx.session.send_notification)
            return result
        except (RemoteError, PermissionDenied, DownloadFailed) as error:
            say(f"{params.name}: {error.message}")
            return error_result(error)
        except Exception as error:
            say(f"{params.name}: {error!r}")
            return error_result(internal_error())

    server = Server[Any](
        "planloom",
        version=__version__,
        title=plane.title,
        instructions=await _instructions(address, plane, INSTRUCTIONS if downloads else ""),
        on_list_tools=passed(list_tools),
        on_call_tool=call_tool,
        on_list_resources=passed(lambda client, params: client.list_resources(cursor=_cursor(params))),
        on_list_resource_templates=passed(
            lambda client, params: client.list_resource_templates(cursor=_cursor(params))
        ),
        on_read_resource=passed(lambda client, params: client.read_resource(params.uri)),
        on_list_prompts=passed(lambda client, params: client.list_prompts(cursor=_cursor(params))),
        on_get_prompt=passed(lambda client, params: client.get_prompt(params.name, params.arguments)),
        on_completion=passed(_complete),
    )
    server.extensions = {name: dict(settings) for name, settings in plane.extensions.items()}
    return server


async def reach(address: Address, work: Callable[[Service], Awaitable[T]]) -> T:
    """Connect, call *work* and return its result.

    Raises RemoteError, MCPError if the service itself returned an error, and the exceptions of *work*.
    """
    try:
        async with connect(address) as service:
            return await work(service)
    except KeyRefused as error:
        # not REMOTE_ERROR, after which agents repeat the call: a rejected key stays rejected
        raise PermissionDenied(f"{error} Tell the user to check the API key (PLANLOOM_KEY).") from error
    except Unreachable as error:
        raise RemoteError(f"{error} {AGAIN}") from error
    except MCPError as error:
        if _is_response(error):
            raise
        raise RemoteError(f"The service could not be called ({error}). {AGAIN}") from error
    except (httpx2.HTTPError, ValidationError) as error:
        raise RemoteError(f"The service could not be called ({type(error).__name__}). {AGAIN}") from error


def say(message: str) -> None:
    """Print *message* on standard error, since standard output is used by the protocol."""
    print(f"planloom: {message}", file=sys.stderr, flush=True)  # noqa: T201


async def _serve(address: Address, tools: str) -> None:
    say(f"serving the tools of {address.http_url}")
    server = await make_server(address, os.environ, tools)
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


async def _call(service: Service, params: Any, environment: Mapping[str, str]) -> CallToolResult:
    arguments = dict(params.arguments or {})
    if params.name != plan_download.NAME:
        return await service.answer(params.name, arguments)
    found = await plan_download.plan_download(service, arguments, environment)
    if saved := (found.structured_content or {}).get("saved_path"):
        say(f"saved {saved}")
    return found


def _is_response(error: MCPError) -> bool:
    """Return whether *error* is a response of the service; otherwise the call failed before it."""
    return error.code in (INVALID_PARAMS, METHOD_NOT_FOUND) or (isinstance(error.data, dict) and "error" in error.data)


async def _card(service: Service) -> str:
    found = await service.client.read_resource("plasm://reference")
    return "".join(getattr(each, "text", "") for each in found.contents)


async def _complete(client: Client, params: Any) -> Any:
    known = params.context.arguments if params.context else None
    return await client.complete(params.ref, params.argument.model_dump(), known)


async def _instructions(address: Address, plane: Plane, added: str) -> str:
    """Return the instructions of the service and *added*; if it does not answer, those of this version.

    A client reads them once, at the start of a session.
    """
    try:
        instructions = await reach(address, _remote_instructions)
    except (RemoteError, PermissionDenied) as error:
        say(error.message)
        instructions = plane.instructions
    return f"{instructions}\n{added}".strip()


async def _remote_instructions(service: Service) -> str:
    return service.client.instructions or ""


def _cursor(params: Any) -> str | None:
    return params.cursor if params else None
