"""Watch a plan: its log, its events and its graph (17.4, appendix B)."""

from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from planloom.accounts.tickets import make_ticket
from planloom.core.endpoint import GET, POST, ApiModel, Caller, Endpoint, Text
from planloom.core.errors import PlanNotFound
from planloom.planes.strategic.endpoints.plan_fields import PlanRequest
from planloom.planes.strategic.event_log import LAST_CURSOR, Entry, EntryType
from planloom.planes.strategic.log_lines import Level
from planloom.planes.strategic.plan_graph import Graph, NodeState, mermaid_of
from planloom.planes.strategic.plans import PlanState
from planloom.planes.strategic.ports.groups import PlanRecords
from planloom.planes.strategic.ports.log import EventLog
from planloom.planes.strategic.services.own_plan import own_plan
from planloom.planes.strategic.services.plan_graph import plan_graph
from planloom.planes.strategic.services.read_log import MOST_LINES, plan_logs_tail
from planloom.planes.strategic.watch_settings import WatchSettings

MERMAID = "text/vnd.mermaid"


class TailLog(PlanRequest):
    """Which lines of a plan's log."""

    max_lines: int = Field(default=50, ge=1, le=MOST_LINES, description="How many lines at most.")
    since_cursor: int | None = Field(
        default=None, ge=0, le=LAST_CURSOR, description="next_cursor of the call before, for what came since."
    )


class LogLine(ApiModel):
    """One line of a plan's log."""

    cursor: int
    ts: datetime
    level: Level
    text: str


class PlanLogs(ApiModel):
    """Response of plan_logs_tail (17.4), oldest first."""

    plan_id: str
    state: PlanState
    lines: list[LogLine]
    next_cursor: int = Field(description="Pass it as since_cursor for what comes next, up to ten seconds after the end")


def _logs(
    request: TailLog, account: str, plan_records: PlanRecords, log: EventLog, watch_settings: WatchSettings
) -> PlanLogs:
    # the state first: where it is final, the lines that led to it have been read
    plan = own_plan(plan_records, account, request.plan_id)
    lines = plan_logs_tail(
        plan_records, log, watch_settings, account, request.plan_id, request.max_lines, request.since_cursor
    )
    return PlanLogs(
        plan_id=plan.plan_id,
        state=plan.state,
        lines=[LogLine.model_validate(line.model_dump()) for line in lines],
        next_cursor=lines[-1].cursor if lines else request.since_cursor or 0,
    )


class PlanEvent(ApiModel):
    """One entry of a plan's log; ignore types that you do not know."""

    cursor: int
    ts: datetime
    type: EntryType
    data: dict[str, Any]


class PlanEvents(ApiModel):
    """A page of a plan's log, oldest first."""

    events: list[PlanEvent]
    next_cursor: int = Field(description="Pass it as after for what comes next, up to ten seconds after the end")


def events_page(found: list[Entry], after: int) -> PlanEvents:
    """Return *found*, the entries of the log after the cursor *after*, as a page."""
    events = [PlanEvent.model_validate(entry.model_dump()) for entry in found]
    return PlanEvents(events=events, next_cursor=found[-1].cursor if found else after)


class EventTicket(ApiModel):
    """Permission to follow one plan's events without a key in a header."""

    ticket: str = Field(description="GET /v1/plans/{plan_id}/events?ticket=...")
    expires_at: datetime


def _ticket(request: PlanRequest, caller: Caller, plan_records: PlanRecords, request_state_key: bytes) -> EventTicket:
    plan = own_plan(plan_records, caller.account, request.plan_id)
    ticket, expires_at = make_ticket(request_state_key, caller.key, plan.plan_id, plan_records.now())
    return EventTicket(ticket=ticket, expires_at=expires_at)


class ShowGraph(PlanRequest):
    """Which plan, and in which format."""

    format: Literal["json", "mermaid"] = Field(
        default="json", description="mermaid adds the same as a Mermaid flowchart."
    )


class GraphNode(ApiModel):
    """A step of the plan."""

    step: str = Field(description="As in failures and file names: 016-expert_criticism")
    name: str
    title: str
    state: NodeState
    started_at: datetime | None
    ended_at: datetime | None
    files: list[str]


class PlanGraph(ApiModel):
    """Response of plan_graph: every step, and what waits for what."""

    plan_id: str
    nodes: list[GraphNode]
    edges: list[dict[Literal["from", "to"], str]] = Field(description="{from, to}: to waits for from; both by name")
    mermaid: str | None = Field(default=None, description="The same as a Mermaid flowchart, where format is mermaid")


def _graph(request: ShowGraph, account: str, plan_records: PlanRecords) -> PlanGraph:
    found = plan_graph(plan_records, account, request.plan_id)
    shown = _shown(request.plan_id, found)
    if request.format == "mermaid":
        shown.mermaid = mermaid_of(found)
    return shown


def _graph_as(request: ShowGraph, account: str, plan_records: PlanRecords) -> PlanGraph | Text:
    found = plan_graph(plan_records, account, request.plan_id)
    return Text(mermaid_of(found), MERMAID) if request.format == "mermaid" else _shown(request.plan_id, found)


def _shown(plan_id: str, found: Graph) -> PlanGraph:
    return PlanGraph(
        plan_id=plan_id,
        nodes=[GraphNode.model_validate(node.model_dump()) for node in found.nodes],
        edges=[{"from": before, "to": after} for before, after in found.edges],
    )


PLAN_LOGS_TAIL = Endpoint(
    name="plan_logs_tail",
    title="Log of a plan",
    description="""\
Returns the newest lines of a plan's log, oldest first; with since_cursor the first ones after it. Use it when
plan_status shows failed or stalled and you need to know what came before; for ten seconds after the end late lines
may follow, so ask once more with next_cursor. Quotations of four words of the prompt and more are taken out, unless
the deployment turned that off.""",
    group="watching",
    http=GET("/v1/plans/{plan_id}/logs"),
    request=TailLog,
    response=PlanLogs,
    errors=(PlanNotFound,),
    handler=_logs,
)
PLAN_GRAPH = Endpoint(
    name="plan_graph",
    title="Graph of a plan",
    description="""\
Returns a plan as a graph: nodes (the steps, with state waiting, running, finished, skipped or failed, times and
files) and edges (which step waits for which).""",
    group="watching",
    http=GET("/v1/plans/{plan_id}/graph", text=MERMAID, omit_unset=True, handler=_graph_as),
    request=ShowGraph,
    response=PlanGraph,
    errors=(PlanNotFound,),
    handler=_graph,
)
PLAN_EVENTS_TICKET = Endpoint(
    name="plan_events_ticket",
    title="Ticket for the events of a plan",
    description="""\
Returns a ticket with which a browser's EventSource, which sends no key, may follow this plan for a minute, or until
the key is revoked.""",
    group="watching",
    http=POST("/v1/plans/{plan_id}/events/ticket"),
    tool=False,
    request=PlanRequest,
    response=EventTicket,
    errors=(PlanNotFound,),
    handler=_ticket,
)
