"""The composition root of graphs: their store, the tool servers of accounts, and what works on their runs."""

import gc
import importlib
from datetime import UTC, datetime
from functools import cache, partial
from uuid import uuid4

from planloom.adapters.dynamodb_graphs import AwsGraphStore
from planloom.adapters.dynamodb_sessions import DynamoSessionStore
from planloom.adapters.own_tools import LambdaOwnTools
from planloom.adapters.program_backends import LambdaOwnBackend, open_backends
from planloom.adapters.schedules import DynamoScheduleStore, EventBridgeTimer
from planloom.adapters.ssm_secrets import SsmSecrets
from planloom.adapters.tool_servers import PARAMETERS, AwsToolServerStore, McpToolClient, connect_tools
from planloom.approvals.approval import Approval
from planloom.models.model import Model
from planloom.models.profiles import DEFAULT_PROFILE, Models
from planloom.planes.graphs.approve import PLANE, ask, withdraw
from planloom.planes.graphs.draft import ModelPlanner
from planloom.planes.graphs.draft_job import Drafts
from planloom.planes.graphs.job import graph_jobs
from planloom.planes.graphs.schedules import Schedules
from planloom.planes.graphs.service import Graphs
from planloom.planes.links.workflow_graphs import WorkflowGraphs
from planloom.planes.programs.job import program_jobs
from planloom.planes.workflows.job import Plugins, repeatable, workflow_jobs
from planloom.planes.workflows.judge import ModelJudge
from planloom.planes.workflows.service import Workflows
from planloom.runs.records import Run, RunState
from planloom.runs.work import Worker
from planloom.tools.own import own_tools
from planloom.tools.servers import AccountServers
from planloom.tools.tool import Tool
from planloom.wiring import settings
from planloom.wiring.aws import client
from planloom.wiring.models import make_models
from planloom.wiring.runs import budgets, runs

#: The MCP endpoints of planes whose tools are called by name; the worker does not load the planes to know them.
MCP_PATHS = {
    "strategic": "/mcp",
    "implementation": "/mcp/implementation",
    "graphs": "/mcp/graphs",
    "workflows": "/mcp/workflows",
    "programs": "/mcp/operations",
}


@cache
def tool_servers() -> AccountServers:
    """Return the tool servers of all accounts."""
    table, bucket = client("dynamodb"), client("s3")
    known = settings()
    return AccountServers(
        store=AwsToolServerStore(table, known.table, bucket, known.bucket),
        secrets=SsmSecrets(lambda: client("ssm"), PARAMETERS),
        client=McpToolClient(loopback=known.loopback_tools),
        now=lambda: datetime.now(UTC),
        own=planloom_tools,
    )


@cache
def planloom_tools() -> tuple[Tool, ...]:
    """Return planloom's own tools that graphs may call."""
    # by name: only the API reads the planes
    return own_tools(importlib.import_module("planloom.planes").PLANES)


@cache
def graph_store() -> AwsGraphStore:
    """Return where graphs are stored."""
    table, bucket = client("dynamodb"), client("s3")
    known = settings()
    return AwsGraphStore(table, known.table, bucket, known.bucket)


@cache
def models() -> Models:
    """Return the models that draft graphs."""
    return make_models()


def lacks_model() -> str:
    """Return what must be set up before a model can draft graphs; an empty text where nothing must."""
    known = models()
    if known.language_profile():
        return ""
    reasons = [why for profile in (DEFAULT_PROFILE, "custom") for why in known.missing(profile).values()]
    return "; ".join(dict.fromkeys(reasons))


def language_model() -> Model:
    """Return the model of graphs and judges, for the running event loop. Raises ModelProfilesUnavailable."""
    known = models()
    return known.model(known.language_profile() or DEFAULT_PROFILE)


@cache
def graphs() -> Graphs:
    """Return the graphs of all accounts."""
    return Graphs(
        store=graph_store(),
        runs=runs(),
        servers=tool_servers(),
        budgets=budgets(),
        now=lambda: datetime.now(UTC),
        new_id=lambda: str(uuid4()),
        lacks_model=lacks_model,
    )


def _workflows() -> Workflows:
    # with the first host of a workflow: its libraries cost time that graphs do not pay
    from planloom.wiring import workflows as wiring_workflows

    return wiring_workflows.workflows()


def _ask(approval: Approval) -> Approval:
    # with the first destructive step, as above
    from planloom.wiring.approvals import approvals

    return ask(approvals(), approval)


def withdraw_approvals(run: Run) -> None:
    """Withdraw approvals that *run*, of whichever plane, no longer waits for."""
    if run.plane != PLANE or run.state is RunState.COMPLETED:
        return
    from planloom.wiring.approvals import approvals

    withdraw(approvals(), run)


@cache
def schedules() -> Schedules:
    """Return the schedules of all accounts."""
    table = client("dynamodb")
    known = settings()
    timer = EventBridgeTimer(lambda: client("scheduler"), known.schedule_target, known.schedule_role)
    return Schedules(DynamoScheduleStore(table, known.table), timer, graphs(), lambda: datetime.now(UTC))


@cache
def worker() -> Worker:
    """Return what works on runs, of whichever plane."""
    known, servers = runs(), tool_servers()
    known_settings = settings()
    own = LambdaOwnTools(lambda: client("lambda"), known_settings.api_function, MCP_PATHS)
    own_calls = partial(LambdaOwnBackend, lambda: client("lambda"), known_settings.api_function)
    connect = connect_tools(servers.store, servers.secrets, loopback=known_settings.loopback_tools, own=own)
    drafts = Drafts(lambda: ModelPlanner(language_model), graph_store(), known.now)
    judge, stored = ModelJudge(language_model), WorkflowGraphs(graphs())
    plugins = Plugins(connect, lambda *named: repeatable(servers, *named), stored, judge)
    openers = {
        "graphs": graph_jobs(connect, _ask, drafts, budgets().store.take),
        "workflows": workflow_jobs(_workflows, lambda: plugins),
        "programs": program_jobs(
            open_backends(own_calls, lambda: servers, lambda: connect, loopback=known_settings.loopback_tools),
            lambda: DynamoSessionStore(client("dynamodb"), known_settings.table),
        ),
    }
    # the libraries stay as long as the process: each look of the collector at all their objects takes 0.2 s
    gc.freeze()
    return Worker(
        store=known.store,
        files=known.files,
        events=known.events,
        open_job=lambda run, *given: openers[run.plane](run, *given),
        now=known.now,
        engine=known.engine,
    )
