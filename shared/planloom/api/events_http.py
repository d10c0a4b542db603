"""The events of a plan over HTTP: a page of them, or a stream of server-sent events."""

import json
from typing import Annotated

from fastapi import APIRouter, Header, Query, Response

from planloom import wiring
from planloom.planes.strategic.endpoints.watching import PlanEvents, events_page
from planloom.planes.strategic.event_log import LAST_CURSOR, Entry
from planloom.planes.strategic.services.follow_events import Followed, follow_events
from planloom.planes.strategic.services.read_log import MOST_EVENTS, plan_events
from planloom.transports.caller import Account, key_in_header
from planloom.transports.errors import ALWAYS, error_responses

STREAM = "text/event-stream"

router = APIRouter(prefix="/v1/plans", tags=["watching"], dependencies=[key_in_header])


@router.get(
    "/{plan_id}/events",
    operation_id="strategic_plan_events",
    summary="Events of a plan",
    response_model=PlanEvents,
    responses={
        200: {"content": {STREAM: {"schema": {"type": "string"}}}},
        204: {"description": "As an event stream: the plan has ended and all its events were sent; do not reconnect"},
        **error_responses(ALWAYS | {404}),
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
) -> PlanEvents | Response:
    """Reads the plan's events after a cursor, oldest first. With ``Accept: text/event-stream`` the answer is held until
    there is one, for at most 20 seconds, and comes as server-sent events that EventSource reads and asks on from.
    """
    ports = wiring.ports()
    # EventSource accepts a stream alone; a client that accepts JSON too gets what is there
    if STREAM not in accept or "application/json" in accept:
        return events_page(
            plan_events(ports.plan_records, ports.log, ports.watch_settings, account, plan_id, after, limit), after
        )
    # a browser that reconnects sends the cursor of the last event; the URL stays as it was
    return _stream(
        follow_events(
            ports.plan_records,
            ports.log,
            ports.long_poll,
            ports.watch_settings,
            account,
            plan_id,
            max(_cursor_of(last_event_id), after),
            limit=limit,
        )
    )


def _cursor_of(last_event_id: str) -> int:
    # what is no cursor is ignored: after an error a browser does not reconnect
    return int(last_event_id) if last_event_id.isdecimal() and len(last_event_id) <= len(str(LAST_CURSOR)) else 0


def _stream(followed: Followed) -> Response:
    if followed.over:
        # by the standard of server-sent events this alone ends an EventSource
        return Response(status_code=204)
    sent = "".join(_sent(entry) for entry in followed.events) or ": nothing yet\n\n"
    content = f"retry: {followed.retry_ms}\n\n{sent}"
    return Response(content, media_type=STREAM, headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})


def _sent(entry: Entry) -> str:
    # no event name: one onmessage handler gets all types, those too that are added later
    return f"id: {entry.cursor}\ndata: {json.dumps(entry.model_dump(mode='json'))}\n\n"
