"""Programs over HTTP: sessions, dry runs, live runs, operations and their stream of lines. Errors are RFC 9457."""

import asyncio
import json
import time
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Header, Path, Query, Request, Response
from pydantic import ValidationError

from planloom.api import handler_ports
from planloom.core.endpoint import MarkdownResponse
from planloom.planes.programs.endpoints import OpenContext, RunProgram, program_caller
from planloom.planes.programs.lines import Line
from planloom.planes.programs.operations import Operations
from planloom.planes.programs.ports import Session
from planloom.planes.programs.responses import (
    ContextResponse,
    PlanResponse,
    RunResponse,
    context_response,
    plan_response,
    run_response,
)
from planloom.planes.programs.service import Programs, RunRequest
from planloom.runs.records import ENDED
from planloom.transports.caller import Account, AnyCaller, key_in_header
from planloom.transports.errors import ALWAYS, error_responses, invalid_argument

PREFIX = "/execute"
STREAM = "text/event-stream"
#: Milliseconds after which a browser connects again: at once, since each response waits for a line.
RETRY_MS = 250
#: Seconds that a response waits for a line, and between two looks: responses are not streamed by every gateway.
LONGEST_WAIT, LOOK = 15.0, 0.5
#: The id of the last event of a stream.
LAST = "end"

router = APIRouter(prefix=PREFIX, tags=["programs"], dependencies=[key_in_header])

Hash = Annotated[str, Path(pattern="^[0-9a-f]{64}$", description="SHA-256 of the session's reference card")]
Name = Annotated[str, Path(pattern="^[A-Za-z0-9]{1,64}$", description="Session")]
Handle = Annotated[str, Path(max_length=64, description="Handle of an operation: s0_o1")]


def _programs() -> Programs:
    found: Programs = handler_ports.port("programs")
    return found


@router.post(
    "",
    status_code=303,
    operation_id="programs_open_session",
    summary="Open a session",
    response_model=ContextResponse,
    response_model_by_alias=True,
    responses=error_responses(ALWAYS),
)
def open_session(account: Account, reply: Response, request: OpenContext | None = None) -> ContextResponse:
    """Open a session for programs and return its reference card; Location is where its programs are sent."""
    found = context_response(*_programs().sessions.open(account, request.ask if request else "", http=True))
    # relative: the gateway serves the API below the name of a stage
    reply.headers["Location"] = found.execute_path.removeprefix("/")
    return found


@router.get(
    "/{prompt_hash}/{session}",
    operation_id="programs_session",
    summary="The reference card of a session",
    response_model=ContextResponse,
    responses=error_responses(ALWAYS | {404}),
)
def read_session(account: Account, prompt_hash: Hash, session: Name) -> ContextResponse:
    """Return a session with the reference card as it is now."""
    programs = _programs()
    found = programs.sessions.by_hash(account, session, prompt_hash)
    return context_response(found, programs.sessions.card(account))


@router.post(
    "/{prompt_hash}/{session}",
    operation_id="programs_execute",
    summary="Run a program",
    response_model=RunResponse | PlanResponse,
    responses=error_responses(ALWAYS | {400, 404, 409, 410, 429}),
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {
                "application/json": {"schema": RunProgram.model_json_schema()},
                "text/plain": {"schema": {"type": "string"}},
            },
        }
    },
)
async def execute(
    request: Request,
    caller: AnyCaller,
    prompt_hash: Hash,
    session: Name,
    mode: Annotated[Literal["run", "plan"] | None, Query(description="plan: dry run only")] = None,
    wait: Annotated[bool | None, Query(description="false: start it and return its handle")] = None,
    force: Annotated[bool | None, Query(description="Run a plan that needs a review without one")] = None,
    plan_commit_ref: Annotated[str | None, Query(description="pcN of a dry run of this program")] = None,
) -> Response:
    """Run a program, dry-run it with mode=plan, or continue with wait(h) and cancel(h).

    The body is the program as text, or JSON with the program and the same options; those of the query count.
    """
    query = {"mode": mode, "wait": wait, "force": force, "plan_commit_ref": plan_commit_ref}
    asked = _asked(await request.body(), {name: value for name, value in query.items() if value is not None})
    # in a thread: a call that waits must not block the event loop
    found = await asyncio.to_thread(_executed, caller, prompt_hash, session, asked)
    return Response(found.model_dump_json(by_alias=True), media_type="application/json")


def _executed(caller: AnyCaller, prompt_hash: str, name: str, asked: RunProgram) -> MarkdownResponse:
    programs = _programs()
    session = programs.sessions.by_hash(caller.account, name, prompt_hash)
    if asked.mode == "plan":
        return plan_response(programs.dry_run(session, asked.program))
    request = RunRequest(asked.program, asked.wait, asked.force, asked.plan_commit_ref)
    return run_response(programs.run(program_caller(caller), session, request))


def _asked(body: bytes, query: dict[str, Any]) -> RunProgram:
    """Return what a request asks for. Raises InvalidArgument."""
    text = body.decode("utf-8", "replace")
    try:
        sent = json.loads(text) if text.lstrip().startswith("{") else {"program": text}
    except (ValueError, RecursionError):
        # neither is JSON that a program could be in
        sent = {"program": text}
    try:
        return RunProgram.model_validate({**sent, **query})
    except ValidationError as error:
        raise invalid_argument(error.errors(include_input=False, include_url=False)) from None


@router.get(
    "/{prompt_hash}/{session}/operations/{handle}",
    operation_id="programs_operation",
    summary="Everything that an operation came to so far",
    response_model=dict[str, Any],
    responses=error_responses(ALWAYS | {400, 404, 410}),
)
def read_operation(account: Account, prompt_hash: Hash, session: Name, handle: Handle) -> dict[str, Any]:
    """Return the rows of each node, whole; of a node that has not ended those that are there.

    Where they are more than 1 MB, nodes is null, and url is a link from which everything is read within 15 minutes.
    """
    programs = _programs()
    return programs.operations.snapshot(programs.sessions.by_hash(account, session, prompt_hash), handle)


@router.get(
    "/{prompt_hash}/{session}/results/{key}",
    operation_id="programs_result",
    summary="Everything that a program returned",
    response_model=dict[str, Any],
    responses=error_responses(ALWAYS | {404, 410}),
)
def read_result(account: Account, prompt_hash: Hash, session: Name, key: str) -> dict[str, Any]:
    """Return all rows of a result of which the Markdown left something out.

    Where they are more than 1 MB, returns is null, and url is a link from which they are read within 15 minutes.
    """
    programs = _programs()
    return programs.operations.whole(programs.sessions.by_hash(account, session, prompt_hash), key)


@router.get(
    "/{prompt_hash}/{session}/operations/{handle}/stream",
    operation_id="programs_operation_stream",
    summary="Lines about an operation as a stream",
    responses={
        200: {"content": {STREAM: {"schema": {"type": "string"}}}},
        204: {"description": "The operation has ended and its last line was sent; do not connect again"},
        **error_responses(ALWAYS | {400, 404, 410}),
    },
)
def stream(
    account: Account,
    prompt_hash: Hash,
    session: Name,
    handle: Handle,
    last_event_id: Annotated[str, Header(description="Of EventSource: the id of the last event it received")] = "",
) -> Response:
    """Return lines as server-sent events: first snapshot, then progress, at the end terminal.

    The first response has the line as it is now; each further one waits at most 15 seconds for the next line, always
    the newest.
    """
    if last_event_id == LAST:
        # by the standard of server-sent events this alone ends an EventSource
        return Response(status_code=204)
    programs = _programs()
    found = programs.sessions.by_hash(account, session, prompt_hash)
    content = _events(programs.operations, found, handle, last_event_id)
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return Response(f"retry: {RETRY_MS}\n\n{content}", media_type=STREAM, headers=headers)


def _events(operations: Operations, session: Session, handle: str, seen: str) -> str:
    until = time.monotonic() + LONGEST_WAIT
    events = ""
    while True:
        operation, run = operations.get(session, handle)
        # what was polled is that of other readers: this one has what its last event says
        known = int(seen) if seen.isdecimal() and len(seen) < 10 else -1
        line = operations.line(operation.model_copy(update={"polled": known}), run)
        if not seen:
            events += _event("snapshot", str(operation.changes), line)
        if line.sign in ("x", "?", "!") and run.state in ENDED:
            last = line.with_rows(operations.result(session, operation).rows) if line.sign == "!" else line
            return events + _event("terminal", LAST, last)
        if seen and operation.changes > known:
            return events + _event("progress", str(operation.changes), line)
        if events:
            return events
        if time.monotonic() >= until:
            return ": keep-alive\n\n"
        time.sleep(LOOK)


def _event(name: str, number: str, line: Line) -> str:
    # EventSource ignores n, which the command's stdio proxy passes on
    return f"event: {name}\nid: {number}\nn: {line.n}\ndata: {line.text}\n\n"
