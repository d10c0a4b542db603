"""Workflows as MCP resources: what is injected into the prompt of an agent, of the active run of a workstream."""

import asyncio
import re

from aws_lambda_powertools import Logger
from mcp.shared.exceptions import MCPError
from mcp.types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    ListResourcesResult,
    ListResourceTemplatesResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
    Resource,
    ResourceTemplate,
    TextResourceContents,
)

from planloom.api import handler_ports
from planloom.core.errors import InvalidArgument, PlanloomError
from planloom.planes.workflows.endpoints import context_of
from planloom.planes.workflows.requests import ReadContext
from planloom.transports.errors import error_body, internal_error
from planloom.transports.mcp import Ctx, Handlers, caller_of

logger = Logger(child=True)

ROOT, TEXT = "workflow://", "text/plain"
_URI = re.compile(re.escape(ROOT) + r"(?:context|(?P<workstream>[A-Za-z0-9_][A-Za-z0-9_-]{0,99})/context)")


async def _list(_: Ctx, __: PaginatedRequestParams | None) -> ListResourcesResult:
    context = Resource(
        uri=f"{ROOT}context",
        name="context",
        title="Text for a prompt",
        description="Protocol and state of the active plan of the default workstream.",
        mime_type=TEXT,
    )
    return ListResourcesResult(resources=[context])


async def _templates(_: Ctx, __: PaginatedRequestParams | None) -> ListResourceTemplatesResult:
    of_workstream = ResourceTemplate(
        uri_template=f"{ROOT}{{workstreamId}}/context",
        name="workstream context",
        title="Text for a prompt",
        description="Protocol and state of the active plan of a workstream.",
        mime_type=TEXT,
    )
    return ListResourceTemplatesResult(resource_templates=[of_workstream])


async def _read(ctx: Ctx, params: ReadResourceRequestParams) -> ReadResourceResult:
    uri = str(params.uri)
    try:
        text = await asyncio.to_thread(_content, caller_of(ctx).account, uri)
    except PlanloomError as error:
        raise _protocol_error(error, uri) from error
    except Exception as error:
        logger.exception("resource not read", uri=uri)
        raise _protocol_error(internal_error(), uri) from error
    return ReadResourceResult(contents=[TextResourceContents(uri=uri, text=text, mime_type=TEXT)])


def _content(account: str, uri: str) -> str:
    named = _URI.fullmatch(uri)
    if named is None:
        raise InvalidArgument(f"'{uri[:120]}' is no resource. Call resources/templates/list for their addresses.")
    request = ReadContext(workstream_id=named["workstream"])
    return context_of(request, account, handler_ports.port("workflows"))


def _protocol_error(error: PlanloomError, uri: str) -> MCPError:
    again = error.retryable or type(error) is PlanloomError
    data = {"error": error_body(error), "uri": uri}
    return MCPError(code=INTERNAL_ERROR if again else INVALID_PARAMS, message=error.message, data=data)


HANDLERS: Handlers = (
    ("resources/list", PaginatedRequestParams, _list),
    ("resources/templates/list", PaginatedRequestParams, _templates),
    ("resources/read", ReadResourceRequestParams, _read),
)
