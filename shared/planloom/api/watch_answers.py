"""What callers get back when they watch a plan: waiting, events, log lines, the graph."""

from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from planloom.api import show
from planloom.api.answers import AnswerModel, PlanStatus
from planloom.domain.event_log import Entry, EntryType
from planloom.domain.log_lines import Level, Line
from planloom.domain.plan_graph import Graph, NodeState, mermaid_of
from planloom.domain.plans import TERMINAL, Plan, PlanState
from planloom.services.wait_for_plan import next_steps
from planloom.services.world import World

GraphFormat = Literal["json", "mermaid"]


class PlanWaited(PlanStatus):
    """Answer of plan_wait (17.2): plan_status, and what to do next."""

    timed_out: bool = Field(
        description="True where the plan was still under way when the wait ended; False, at once, where it has ended "
        "or too many calls were waiting already"
    )
    next_steps: list[str]


class PlanEvent(AnswerModel):
    """One entry of a plan's log; ignore types that you do not know."""

    cursor: int
    ts: datetime
    type: EntryType
    data: dict[str, Any]


class PlanEvents(AnswerModel):
    """A page of a plan's log, oldest first."""

    events: list[PlanEvent]
    next_cursor: int = Field(description="Pass it as after for what comes next, up to ten seconds after the end")


class EventTicket(AnswerModel):
    """Leave to follow one plan's events without a key in a header."""

    ticket: str = Field(description="GET /v1/plans/{plan_id}/events?ticket=...")
    expires_at: datetime


class LogLine(AnswerModel):
    """One line of a plan's log."""

    cursor: int
    ts: datetime
    level: Level
    text: str


class PlanLogs(AnswerModel):
    """Answer of plan_logs_tail (17.4), oldest first."""

    plan_id: str
    state: PlanState
    lines: list[LogLine]
    next_cursor: int = Field(description="Pass it as since_cursor for what comes next, up to ten seconds after the end")


class GraphNode(AnswerModel):
    """A step of the plan."""

    step: str = Field(description="As in failures and file names: 016-expert_criticism")
    name: str
    title: str
    state: NodeState
    started_at: datetime | None
    ended_at: datetime | None
    files: list[str]


class PlanGraph(AnswerModel):
    """Answer of plan_graph: every step, and what waits for what."""

    plan_id: str
    nodes: list[GraphNode]
    edges: list[dict[Literal["from", "to"], str]] = Field(description="{from, to}: to waits for from; both by name")
    mermaid: str | None = Field(default=None, description="The same as a Mermaid flowchart, where format is mermaid")


def waited(world: World, plan: Plan, *, held: bool) -> PlanWaited:
    """Show how a plan is doing once the wait has ended, or, where the call was not *held*, without a wait."""
    status = show.status(world, plan)
    told = status.model_dump(exclude_unset=True)
    steps = next_steps(world, plan, status.poll_after_sec, status.queue_position, held=held)
    timed_out = held and plan.state not in TERMINAL
    return PlanWaited.model_validate(told | {"timed_out": timed_out, "next_steps": steps})


def events(found: list[Entry], after: int) -> PlanEvents:
    """Show the page of the log after the cursor *after*."""
    shown = [PlanEvent.model_validate(entry.model_dump()) for entry in found]
    return PlanEvents(events=shown, next_cursor=found[-1].cursor if found else after)


def logs(plan: Plan, lines: list[Line], since_cursor: int | None) -> PlanLogs:
    """Show the lines of a plan's log after *since_cursor*, or its last ones."""
    shown = [LogLine.model_validate(line.model_dump()) for line in lines]
    return PlanLogs(
        plan_id=plan.plan_id,
        state=plan.state,
        lines=shown,
        next_cursor=lines[-1].cursor if lines else since_cursor or 0,
    )


def graph(plan_id: str, found: Graph, form: GraphFormat) -> PlanGraph:
    """Show a plan's graph; Mermaid stands beside the nodes, for callers who can draw it."""
    shown = PlanGraph(
        plan_id=plan_id,
        nodes=[GraphNode.model_validate(node.model_dump()) for node in found.nodes],
        edges=[{"from": before, "to": after} for before, after in found.edges],
    )
    if form == "mermaid":
        shown.mermaid = mermaid_of(found)
    return shown
