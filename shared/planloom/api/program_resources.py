"""Programs as MCP resources: the reference card, the entities, whole results and what operations came to."""

import asyncio
import json
import re
from typing import Any

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
from planloom.planes.programs.service import Programs
from planloom.transports.errors import error_body, internal_error
from planloom.transports.mcp import Ctx, Handlers, caller_of

logger = Logger(child=True)

ROOT = "plasm://"
JSON, TEXT = "application/json", "text/tab-separated-values"
FIXED = (
    ("reference", "Reference card", "How programs are written, and what they can read and call.", TEXT),
    ("entities", "Entities", "All entities with fields, relations and capabilities.", JSON),
)
TEMPLATES = (
    ("entities/{name}", "An entity", "Its fields, relations and capabilities."),
    (
        "{session}/operations/{handle}",
        "An operation",
        "All rows of an operation, as far as it came. More than 1 MB: url is a link to them for 15 minutes.",
    ),
    (
        "{session}/results/{key}",
        "A result",
        "All rows of a result that the Markdown shortens. More than 1 MB: url is a link to them for 15 minutes.",
    ),
)
_URI = re.compile(
    re.escape(ROOT)
    + r"(?:(?P<fixed>reference|entities)|entities/(?P<entity>\w+)"
    + r"|(?P<session>[A-Za-z0-9]+)/(?:operations/(?P<handle>\w+)|results/(?P<key>[\w-]+)))"
)


async def _list(_: Ctx, __: PaginatedRequestParams | None) -> ListResourcesResult:
    return ListResourcesResult(
        resources=[
            Resource(uri=f"{ROOT}{name}", name=name, title=title, description=description, mime_type=kind)
            for name, title, description, kind in FIXED
        ]
    )


async def _templates(_: Ctx, __: PaginatedRequestParams | None) -> ListResourceTemplatesResult:
    return ListResourceTemplatesResult(
        resource_templates=[
            ResourceTemplate(
                uri_template=f"{ROOT}{shape}", name=shape, title=title, description=description, mime_type=JSON
            )
            for shape, title, description in TEMPLATES
        ]
    )


async def _read(ctx: Ctx, params: ReadResourceRequestParams) -> ReadResourceResult:
    uri = str(params.uri)
    try:
        text, kind = await asyncio.to_thread(_content, caller_of(ctx).account, uri)
    except PlanloomError as error:
        raise _protocol_error(error, uri) from error
    except Exception as error:
        logger.exception("resource not read", uri=uri)
        raise _protocol_error(internal_error(), uri) from error
    return ReadResourceResult(contents=[TextResourceContents(uri=uri, text=text, mime_type=kind)])


def _content(account: str, uri: str) -> tuple[str, str]:
    named = _URI.fullmatch(uri)
    if named is None:
        raise InvalidArgument(f"'{uri[:120]}' is no resource. Call resources/templates/list for their addresses.")
    programs: Programs = handler_ports.port("programs")
    if named["fixed"] == "reference":
        return programs.sessions.card(account), TEXT
    if named["session"] is None:
        catalog = programs.sessions.catalog(account)
        found = [each.model_dump(mode="json") for each in catalog if named["entity"] in (None, each.name)]
        if not found:
            raise InvalidArgument(f"There is no entity {str(named['entity'])[:64]}. Read plasm://entities.")
        return _json(found if named["fixed"] else found[0]), JSON
    session = programs.sessions.get(account, named["session"])
    operations = programs.operations
    handle, key = named["handle"], named["key"]
    return _json(operations.snapshot(session, handle) if handle else operations.whole(session, key)), JSON


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _protocol_error(error: PlanloomError, uri: str) -> MCPError:
    again = error.retryable or type(error) is PlanloomError
    data = {"error": error_body(error), "uri": uri}
    return MCPError(code=INTERNAL_ERROR if again else INVALID_PARAMS, message=error.message, data=data)


HANDLERS: Handlers = (
    ("resources/list", PaginatedRequestParams, _list),
    ("resources/templates/list", PaginatedRequestParams, _templates),
    ("resources/read", ReadResourceRequestParams, _read),
)
