"""Plans as MCP resources: report, zip and files under ``planexe://plan/{plan_id}/``, for their owner alone (16).

And completions of the plan_id and path that addresses and prompts take.
"""

import base64
import re
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from aws_lambda_powertools import Logger
from mcp.shared.exceptions import MCPError
from mcp.types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    BlobResourceContents,
    CompleteRequestParams,
    CompleteResult,
    Completion,
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
from planloom.core.artifacts import PROMPT, REPORT, Artifact, content_type_of, is_text, sha256_of
from planloom.core.errors import InvalidArgument, PlanloomError
from planloom.planes.strategic.endpoints.files import listed
from planloom.planes.strategic.plans import TERMINAL, ListedPlan
from planloom.planes.strategic.ports.groups import PlanRecords
from planloom.planes.strategic.services.list_artifacts import list_artifacts
from planloom.planes.strategic.services.list_plans import MOST, list_plans
from planloom.planes.strategic.services.plan_file_info import made_zip
from planloom.planes.strategic.services.plan_resource import Content, plan_artifact, plan_file
from planloom.transports.errors import error_body, internal_error
from planloom.transports.mcp import Ctx, Handlers, caller_of

logger = Logger(child=True)

ROOT = "planexe://plan/"
PLANS_A_PAGE = 10
#: The protocol allows that many values in a completion.
MOST_VALUES = 100
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


def _account(ctx: Ctx) -> str:
    """Return the account of the HTTP request that carries the message. Raises MCPError."""
    try:
        return caller_of(ctx).account
    except PlanloomError as error:
        raise _protocol_error(error) from error


def _protocol_error(error: PlanloomError, uri: str = "") -> MCPError:
    """Return *error* as JSON-RPC has it; its data is what a tool would have answered."""
    again = error.retryable or type(error) is PlanloomError
    data = {"error": error_body(error)} | ({"uri": uri} if uri else {})
    return MCPError(code=INTERNAL_ERROR if again else INVALID_PARAMS, message=error.message, data=data)


async def _list(ctx: Ctx, params: PaginatedRequestParams | None) -> ListResourcesResult:
    """List what can be read of the caller's newest plans, page by page."""
    ports, account = wiring.ports(), _account(ctx)
    try:
        plans, more = list_plans(ports.plan_records, account, PLANS_A_PAGE, params.cursor if params else None)
    except PlanloomError as error:
        raise _protocol_error(error) from error
    # in parallel: a few things are looked up for each plan, and the caller waits for all of them
    with ThreadPoolExecutor(PLANS_A_PAGE) as readers:
        resources = [
            resource for found in readers.map(lambda plan: _of(ports.plan_records, plan), plans) for resource in found
        ]
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
    uri, account = str(params.uri), _account(ctx)
    try:
        found = _content(account, uri)
    except PlanloomError as error:
        raise _protocol_error(error, uri) from error
    except Exception as error:
        logger.exception("resource not read", uri=uri)
        raise _protocol_error(internal_error(), uri) from error
    return ReadResourceResult(contents=[_contents(uri, found)])


def _content(account: str, uri: str) -> Content:
    named = _URI.fullmatch(uri)
    if named is None:
        raise InvalidArgument(
            f"'{uri[:120]}' is no resource. Call resources/templates/list for the addresses that there are."
        )
    ports = wiring.ports()
    if named["path"]:
        return plan_artifact(ports.plan_records, account, named["plan_id"], named["path"])
    if named["choice"] == "files":
        return _listing(ports.plan_records, account, named["plan_id"])
    return plan_file(ports.plan_records, account, named["plan_id"], "report" if named["choice"] == "report" else "zip")


def _listing(plan_records: PlanRecords, account: str, plan_id: str) -> Content:
    page = list_artifacts(plan_records, account, plan_id)
    content = listed(page).model_dump_json(indent=1).encode()
    newest = max((file.updated_at for file in page.artifacts), default=plan_records.now())
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


def _of(plan_records: PlanRecords, plan: ListedPlan) -> list[Resource]:
    """Return what can be read of *plan* as it is."""
    base = f"{ROOT}{plan.plan_id}"
    named = plan.prompt_excerpt[:80]
    prompt, report = (plan_records.plans.file(plan.plan_id, path) for path in (PROMPT, REPORT))
    found = [_resource(f"{base}/file/{PROMPT}", f"Prompt: {named}", content_type_of(PROMPT), plan, prompt)]
    found.append(_resource(f"{base}/files", f"List of files: {named}", "application/json", plan))
    if plan.state in TERMINAL:
        found.append(_resource(f"{base}/zip", f"Files: {named}", "application/zip", plan, made_zip(plan_records, plan)))
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


async def _complete(ctx: Ctx, params: CompleteRequestParams) -> CompleteResult:
    """Complete a plan_id by the caller's plans, a path by the plan's files; nothing for anything else."""
    account, typed = _account(ctx), params.argument.value
    known = (params.context.arguments if params.context else None) or {}
    try:
        values, more = _values(account, params.argument.name, typed, known.get("plan_id", ""))
    except PlanloomError as error:
        raise _protocol_error(error) from error
    more = more or len(values) > MOST_VALUES
    return CompleteResult(
        completion=Completion(values=values[:MOST_VALUES], total=None if more else len(values), has_more=more)
    )


def _values(account: str, argument: str, typed: str, plan_id: str) -> tuple[list[str], bool]:
    """Return what may be meant, and whether there is more that was not looked at."""
    ports = wiring.ports()
    if argument == "plan_id":
        plans, more = list_plans(ports.plan_records, account, MOST)
        return [plan.plan_id for plan in plans if plan.plan_id.startswith(typed)], more
    if argument == "path" and plan_id:
        page = list_artifacts(ports.plan_records, account, plan_id, prefix=typed)
        return [file.path for file in page.artifacts], page.more
    return [], False


HANDLERS: Handlers = (
    ("resources/list", PaginatedRequestParams, _list),
    ("resources/templates/list", PaginatedRequestParams, _templates),
    ("resources/read", ReadResourceRequestParams, _read),
    ("completion/complete", CompleteRequestParams, _complete),
)
