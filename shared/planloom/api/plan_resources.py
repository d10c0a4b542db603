"""Plans as MCP resources: report, zip and files under ``planexe://plan/{plan_id}/``, for their caller alone (16)."""

import base64
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from aws_lambda_powertools import Logger
from mcp.server.context import ServerRequestContext
from mcp.server.mcpserver import MCPServer
from mcp.shared.exceptions import MCPError
from mcp.types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    BlobResourceContents,
    ListResourcesResult,
    ListResourceTemplatesResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
    Resource,
    ResourceTemplate,
    TextResourceContents,
)

from planloom import wiring
from planloom.api.caller import account_of
from planloom.api.error_map import error_body, internal_error
from planloom.api.show_artifacts import artifact_list
from planloom.domain.artifacts import PROMPT, REPORT, Artifact, content_type_of, is_text, sha256_of
from planloom.domain.errors import InvalidArgument, PlanloomError
from planloom.domain.plans import TERMINAL, ListedPlan
from planloom.services.list_artifacts import list_artifacts
from planloom.services.list_plans import list_plans
from planloom.services.plan_file_info import made_zip
from planloom.services.plan_resource import Content, plan_artifact, plan_file
from planloom.services.world import World

logger = Logger(child=True)

Ctx = ServerRequestContext[Any, Any]

ROOT = "planexe://plan/"
PLANS_A_PAGE = 10
_URI = re.compile(re.escape(ROOT) + r"(?P<plan_id>[^/]+)/(?:(?P<choice>report|zip|files)|file/(?P<path>[^/]+))")

TEMPLATES = (
    ("report", "Report of a plan", "Self-contained interactive HTML; there once the plan is completed.", "text/html"),
    ("zip", "Files of a plan", "All intermediary files as one zip; there once the plan has ended.", "application/zip"),
    (
        "files",
        "List of a plan's files",
        "What plan_artifacts says of every file: path, size, hash.",
        "application/json",
    ),
    ("file/{path}", "File of a plan", "One file, by its path as the list has it.", None),
)


def add_plan_resources(server: MCPServer[Any]) -> None:
    """Serve resources/list, resources/templates/list and resources/read for plans.

    At the library's lower level, since what it lists by itself is the same for every caller.
    """
    handlers: tuple[tuple[str, type[Any], Callable[..., Any]], ...] = (
        ("resources/list", PaginatedRequestParams, _list),
        ("resources/templates/list", PaginatedRequestParams, _templates),
        ("resources/read", ReadResourceRequestParams, _read),
    )
    for method, params, handler in handlers:
        server._lowlevel_server.add_request_handler(method, params, handler)


def account_behind(ctx: Ctx) -> str:
    """Return the account of the HTTP request that carries the message. Raises MCPError."""
    try:
        return account_of(ctx.request.scope if ctx.request else {})
    except PlanloomError as error:
        raise as_protocol_error(error) from error


def as_protocol_error(error: PlanloomError, uri: str = "") -> MCPError:
    """Return *error* as JSON-RPC has it; its data is what a tool would have answered."""
    again = error.retryable or type(error) is PlanloomError
    data = {"error": error_body(error)} | ({"uri": uri} if uri else {})
    return MCPError(code=INTERNAL_ERROR if again else INVALID_PARAMS, message=error.message, data=data)


async def _list(ctx: Ctx, params: PaginatedRequestParams | None) -> ListResourcesResult:
    """List what can be read of the caller's newest plans, page by page."""
    world, account = wiring.world(), account_behind(ctx)
    try:
        plans, more = list_plans(world, account, PLANS_A_PAGE, params.cursor if params else None)
    except PlanloomError as error:
        raise as_protocol_error(error) from error
    # side by side: of each plan a few things are looked up, and whoever asked waits for all of them
    with ThreadPoolExecutor(PLANS_A_PAGE) as readers:
        resources = [resource for found in readers.map(lambda plan: _of(world, plan), plans) for resource in found]
    return ListResourcesResult(resources=resources, next_cursor=plans[-1].plan_id if more else None)


async def _templates(_: Ctx, __: PaginatedRequestParams | None) -> ListResourceTemplatesResult:
    """List the shapes of the addresses."""
    return ListResourceTemplatesResult(
        resource_templates=[
            ResourceTemplate(
                uri_template=f"{ROOT}{{plan_id}}/{tail}",
                name=f"plan_{tail.split('/')[0]}",
                title=title,
                description=description,
                mime_type=mime_type,
            )
            for tail, title, description, mime_type in TEMPLATES
        ]
    )


async def _read(ctx: Ctx, params: ReadResourceRequestParams) -> ReadResourceResult:
    """Read one resource of the caller."""
    uri, account = str(params.uri), account_behind(ctx)
    try:
        found = _content(account, uri)
    except PlanloomError as error:
        raise as_protocol_error(error, uri) from error
    except Exception as error:
        logger.exception("resource not read", uri=uri)
        raise as_protocol_error(internal_error(), uri) from error
    return ReadResourceResult(contents=[_contents(uri, found)])


def _content(account: str, uri: str) -> Content:
    named = _URI.fullmatch(uri)
    if named is None:
        raise InvalidArgument(f"'{uri[:120]}' is no resource here; resources/templates/list shows those there are.")
    world = wiring.world()
    if named["path"]:
        return plan_artifact(world, account, named["plan_id"], named["path"])
    if named["choice"] == "files":
        return _listing(world, account, named["plan_id"])
    return plan_file(world, account, named["plan_id"], "report" if named["choice"] == "report" else "zip")


def _listing(world: World, account: str, plan_id: str) -> Content:
    page = list_artifacts(world, account, plan_id)
    content = artifact_list(page).model_dump_json(indent=1).encode()
    newest = max((file.updated_at for file in page.artifacts), default=world.now())
    described = Artifact(
        path="files.json",
        size=len(content),
        sha256=sha256_of(content),
        content_type="application/json",
        updated_at=newest,
    )
    return Content(artifact=described, content=content)


def _contents(uri: str, found: Content) -> TextResourceContents | BlobResourceContents:
    file = found.artifact
    mime_type, meta = file.content_type, _meta(file)
    if is_text(mime_type):
        text = found.content.decode(errors="replace")
        return TextResourceContents(uri=uri, text=text, mime_type=mime_type, _meta=meta)
    blob = base64.b64encode(found.content).decode()
    return BlobResourceContents(uri=uri, blob=blob, mime_type=mime_type, _meta=meta)


def _of(world: World, plan: ListedPlan) -> list[Resource]:
    """Return what can be read of *plan* as it is."""
    base = f"{ROOT}{plan.plan_id}"
    named = plan.prompt_excerpt[:80]
    prompt, report = (world.plans.file(plan.plan_id, path) for path in (PROMPT, REPORT))
    found = [_resource(f"{base}/file/{PROMPT}", f"Prompt: {named}", content_type_of(PROMPT), plan, prompt)]
    found.append(_resource(f"{base}/files", f"List of files: {named}", "application/json", plan))
    if plan.state in TERMINAL:
        found.append(_resource(f"{base}/zip", f"Files: {named}", "application/zip", plan, made_zip(world, plan)))
    if plan.state == "completed" and report:
        found.append(_resource(f"{base}/report", f"Report: {named}", report.content_type, plan, report))
    return found


def _resource(uri: str, title: str, mime_type: str, plan: ListedPlan, file: Artifact | None = None) -> Resource:
    return Resource(
        uri=uri,
        name=uri.removeprefix(ROOT),
        title=title,
        mime_type=mime_type,
        size=file.size if file else None,
        _meta={"state": plan.state, **(_meta(file) if file else {})},
    )


def _meta(file: Artifact) -> dict[str, Any]:
    """Return what 16 recommends beside the media type."""
    return {"size": file.size, "sha256": file.sha256, "generated_at": file.updated_at.isoformat()}
