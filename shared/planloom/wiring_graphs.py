"""The composition root of graphs: their store, the tool servers of accounts, and what works on their runs."""

from datetime import UTC, datetime
from functools import cache
from uuid import uuid4

import boto3

from planloom.adapters.dynamodb_graphs import AwsGraphStore
from planloom.adapters.tool_servers import AwsToolServerStore, McpToolClient, SsmHeaders, connect_tools
from planloom.planes.graphs.job import graph_jobs
from planloom.planes.graphs.service import Graphs
from planloom.runs.work import Worker
from planloom.tools.servers import AccountServers
from planloom.wiring import settings
from planloom.wiring_runs import clients, runs


@cache
def tool_servers() -> AccountServers:
    """Return the tool servers of all accounts."""
    table, bucket, _ = clients()
    told = settings()
    return AccountServers(
        store=AwsToolServerStore(table, told.table, bucket, told.bucket),
        secrets=SsmHeaders(cache(lambda: boto3.client("ssm"))),
        client=McpToolClient(loopback=told.loopback_tools),
        now=lambda: datetime.now(UTC),
    )


@cache
def graphs() -> Graphs:
    """Return the graphs of all accounts."""
    table, bucket, _ = clients()
    told = settings()
    return Graphs(
        store=AwsGraphStore(table, told.table, bucket, told.bucket),
        runs=runs(),
        servers=tool_servers(),
        now=lambda: datetime.now(UTC),
        new_id=lambda: str(uuid4()),
    )


@cache
def worker() -> Worker:
    """Return what works on runs, of whichever plane."""
    known, servers = runs(), tool_servers()
    connect = connect_tools(servers.store, servers.secrets, loopback=settings().loopback_tools)
    openers = {"graphs": graph_jobs(connect)}
    return Worker(
        store=known.store,
        files=known.files,
        events=known.events,
        open_job=lambda run, *given: openers[run.plane](run, *given),
        now=known.now,
    )
