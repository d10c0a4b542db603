"""Watching a plan over HTTP: wait, follow its events, read its log and its graph."""

import json
from typing import Annotated

from fastapi import APIRouter, Header, Query, Response

from planloom import wiring
from planloom.api import show
from planloom.api import watch_answers as answers
from planloom.api.answers import PlanStatus
from planloom.api.http_caller import Account, Key, key_in_header
from planloom.api.refusals import refusals
from planloom.domain.event_log import LAST_CURSOR, Entry
from planloom.domain.tickets import make_ticket
from planloom.services.follow_events import Followed, follow_events
from planloom.services.hold import LONGEST_SECONDS
from planloom.services.latest_plan import latest_plan
from planloom.services.own_plan import own_plan
from planloom.services.plan_graph import plan_graph
from planloom.services.read_log import MOST_EVENTS, MOST_LINES, plan_events, plan_logs_tail
from planloom.services.wait_for_plan import USUAL_POLL_SECONDS, wait_for_plan

STREAM = "text/event-stream"

router = APIRouter(
    prefix="/v1/plans", tags=["watching"], dependencies=[key_in_header], responses=refusals(401, 403, 422, 500)
)


@router.get(
    "/latest",
    operation_id="plan_get_latest",
    response_model=PlanStatus,
    response_model_exclude_unset=True,
    responses=refusals(404),
)
def latest(account: Account) -> PlanStatus:
    """Say how the plan is doing that you created last, archived ones passed over. 404 where you have none."""
    world = wiring.world()
    return show.status(world, latest_plan(world, account))


@router.get(
    "/{plan_id}/wait",
    operation_id="plan_wait",
    response_model=answers.PlanWaited,
    response_model_exclude_unset=True,
    responses=refusals(404),
)
def wait(
    account: Account,
    plan_id: str,
    timeout_sec: Annotated[float, Query(ge=0, description="20 at most, whatever is asked for")] = LONGEST_SECONDS,
    poll_interval_sec: Annotated[float, Query(gt=0)] = USUAL_POLL_SECONDS,
) -> answers.PlanWaited:
    """Wait until the plan has ended, for at most 20 seconds; then say how it is doing and what to do next. Where too
    many calls are waiting already, the answer comes at once and ``next_steps`` says when to ask for the status.
    """
    world = wiring.world()
    plan, held = wait_for_plan(world, account, plan_id, timeout_sec, poll_interval_sec)
    return answers.waited(world, plan, held=held)


@router.get(
    "/{plan_id}/events",
    operation_id="plan_events",
    response_model=answers.PlanEvents,
    responses={
        200: {"content": {STREAM: {"schema": {"type": "string"}}}},
        204: {"description": "As an event stream: the plan has ended and everything was told; do not come back"},
        **refusals(404),
    },
)
def events(
    account: Account,
    plan_id: str,
    after: Annotated[int, Query(ge=0, le=LAST_CURSOR, description="Cursor: what came up to it is left out")] = 0,
    limit: Annotated[int, Query(ge=1, le=MOST_EVENTS)] = 100,
    ticket: Annotated[str | None, Query(description="Instead of a key, from POST .../events/ticket")] = None,  # noqa: ARG001
    accept: Annotated[str, Header()] = "",
    last_event_id: Annotated[str, Header(description="Of EventSource: the cursor of the last event it saw")] = "",
) -> answers.PlanEvents | Response:
    """Read the plan's events after a cursor, oldest first. With ``Accept: text/event-stream`` the answer is held until
    there is one, for at most 20 seconds, and comes as server-sent events that EventSource reads and asks on from.
    """
    world = wiring.world()
    # EventSource asks for a stream alone; whoever takes JSON too gets what is there
    if STREAM not in accept or "application/json" in accept:
        return answers.events(plan_events(world, account, plan_id, after, limit), after)
    # a browser that comes back says where it was; the address that it was given once stays as it is
    return _stream(follow_events(world, account, plan_id, max(_cursor_of(last_event_id), after), limit=limit))


@router.post(
    "/{plan_id}/events/ticket",
    operation_id="plan_events_ticket",
    response_model=answers.EventTicket,
    responses=refusals(404),
)
def ticket(account: Account, key: Key, plan_id: str) -> answers.EventTicket:
    """Give a ticket with which a browser's EventSource, which sends no key, may follow this plan for a minute, or until
    the key is revoked.
    """
    world = wiring.world()
    plan = own_plan(world, account, plan_id)
    made, expires_at = make_ticket(wiring.request_state_key(), key, plan.plan_id, world.now())
    return answers.EventTicket(ticket=made, expires_at=expires_at)


@router.get("/{plan_id}/logs", operation_id="plan_logs_tail", response_model=answers.PlanLogs, responses=refusals(404))
def logs(
    account: Account,
    plan_id: str,
    max_lines: Annotated[int, Query(ge=1, le=MOST_LINES)] = 50,
    since_cursor: Annotated[int | None, Query(ge=0, le=LAST_CURSOR)] = None,
) -> answers.PlanLogs:
    """Read the newest lines of the plan's log, or the first ones after a cursor; oldest first."""
    world = wiring.world()
    # the state first: where it is an end, the lines that led to it have been read
    plan = own_plan(world, account, plan_id)
    return answers.logs(plan, plan_logs_tail(world, account, plan_id, max_lines, since_cursor), since_cursor)


@router.get(
    "/{plan_id}/graph",
    operation_id="plan_graph",
    response_model=answers.PlanGraph,
    response_model_exclude_unset=True,
    responses={200: {"content": {"text/vnd.mermaid": {"schema": {"type": "string"}}}}, **refusals(404)},
)
def graph(account: Account, plan_id: str, format: answers.GraphFormat = "json") -> answers.PlanGraph | Response:
    """Show the plan as a graph: steps, what waits for what, how each stands. ``format=mermaid`` gives a flowchart."""
    shown = answers.graph(plan_id, plan_graph(wiring.world(), account, plan_id), format)
    if shown.mermaid is not None:
        return Response(shown.mermaid, media_type="text/vnd.mermaid")
    return shown


def _cursor_of(last_event_id: str) -> int:
    # what is no cursor is ignored: a browser that is refused gives up for good
    return int(last_event_id) if last_event_id.isdecimal() and len(last_event_id) <= len(str(LAST_CURSOR)) else 0


def _stream(followed: Followed) -> Response:
    if followed.over:
        # by the standard of server-sent events this alone ends an EventSource
        return Response(status_code=204)
    told = "".join(_sent(entry) for entry in followed.events) or ": nothing yet\n\n"
    content = f"retry: {followed.retry_ms}\n\n{told}"
    return Response(content, media_type=STREAM, headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})


def _sent(entry: Entry) -> str:
    # no event name: one onmessage sees all types, those too that are added later
    return f"id: {entry.cursor}\ndata: {json.dumps(entry.model_dump(mode='json'))}\n\n"
