"""The events of a run as server-sent events: the same path as the page of events, for who accepts a stream alone."""

import json
from typing import Annotated, Any

from fastapi import APIRouter, Header, Query, Response
from fastapi.routing import APIRoute
from starlette.routing import Match
from starlette.types import Scope

from planloom.api import handler_ports
from planloom.runs.records import ENDED, LoggedEvent
from planloom.transports.caller import Account, key_in_header
from planloom.transports.errors import ALWAYS, error_responses

STREAM = "text/event-stream"
#: Milliseconds after which a browser connects again: at once, since each response waits for an event.
RETRY_MS = 250
#: Seconds that a response waits for an event: responses are not streamed by every gateway.
LONGEST_WAIT = 15.0
MOST_EVENTS = 500
LAST_CURSOR = 2**53 - 1


class StreamRoute(APIRoute):
    """A route for requests that accept server-sent events and no JSON; others go to the next route of the path."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Match by the header Accept too."""
        accepted = b",".join(value for name, value in scope.get("headers", []) if name == b"accept").decode("latin-1")
        if STREAM not in accepted or "application/json" in accepted:
            return Match.NONE, {}
        return super().matches(scope)


router = APIRouter(prefix="/v1/runs", tags=["runs"], dependencies=[key_in_header], route_class=StreamRoute)


@router.get(
    "/{run_id}/events",
    operation_id="graphs_run_events_stream",
    summary="Events of a run as a stream",
    include_in_schema=False,
    responses={
        200: {"content": {STREAM: {"schema": {"type": "string"}}}},
        204: {"description": "The run has ended and all its events were sent; do not connect again"},
        **error_responses(ALWAYS | {404}),
    },
)
def stream(
    account: Account,
    run_id: str,
    after: Annotated[int, Query(ge=0, le=LAST_CURSOR, description="Cursor of the last event that you have")] = 0,
    limit: Annotated[int, Query(ge=1, le=MOST_EVENTS)] = 100,
    last_event_id: Annotated[str, Header(description="Of EventSource: the cursor of the last event it received")] = "",
) -> Response:
    """Wait at most 15 seconds for events of a run after a cursor, and return them as server-sent events."""
    runs: Any = handler_ports.port("runs")
    cursor = max(after, _cursor_of(last_event_id))
    found: list[LoggedEvent] = runs.events_after(account, run_id, cursor, limit, LONGEST_WAIT)
    if not found and runs.get(account, run_id).state in ENDED:
        # by the standard of server-sent events this alone ends an EventSource
        return Response(status_code=204)
    content = "".join(map(_sent, found)) or ": nothing yet\n\n"
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return Response(f"retry: {RETRY_MS}\n\n{content}", media_type=STREAM, headers=headers)


def _cursor_of(last_event_id: str) -> int:
    # what is no cursor is ignored: after an error a browser does not connect again
    return int(last_event_id) if last_event_id.isdecimal() and len(last_event_id) <= len(str(LAST_CURSOR)) else 0


def _sent(event: LoggedEvent) -> str:
    # no event name: one onmessage handler receives all types, also those that are added later
    shown = {"cursor": event.cursor, "name": event.name, "at": event.at.isoformat(), "step": event.step}
    return f"id: {event.cursor}\ndata: {json.dumps(shown | {'data': event.data}, ensure_ascii=False)}\n\n"
