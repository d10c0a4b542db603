"""The composition root of workflows: their store, their hosts, and what plugin nodes reach."""

import time
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from uuid import uuid4

from planloom.adapters.dynamodb_workflows import AwsWorkflowStore
from planloom.adapters.workflow_files import S3Uploads
from planloom.approvals.approval import Approval
from planloom.planes.workflows.executor import Executor
from planloom.planes.workflows.host import RunHost
from planloom.planes.workflows.service import Workflows
from planloom.wiring import settings
from planloom.wiring.approvals import approvals
from planloom.wiring.aws import client
from planloom.wiring.graphs import lacks_model
from planloom.wiring.run_listeners import run_listeners
from planloom.wiring.runs import runs


@cache
def executor() -> Executor:
    """Return what applies facts to runs of workflows."""
    table, bucket = client("dynamodb"), client("s3")
    known = settings()
    store = AwsWorkflowStore(table, known.table, bucket, known.bucket)
    return Executor(
        store=store,
        approvals=approvals(),
        # hosts are no runs that an account is limited in
        host=RunHost(replace(runs(), most_active=None)),
        now=_now,
        sleep=time.sleep,
        listeners=run_listeners(lambda run: executor().spec(run), store.get),
    )


@cache
def workflows() -> Workflows:
    """Return the workflows of all accounts."""
    return Workflows(
        executor=executor(),
        uploads=S3Uploads(client("s3"), settings().bucket),
        now=_now,
        new_id=lambda: str(uuid4()),
        sleep=time.sleep,
        monotonic=time.monotonic,
        judges=lambda: not lacks_model(),
    )


def on_approval(approval: Approval, change: str) -> None:
    """Advance the run of an approval that changed."""
    executor().on_approval(approval, change)


def _now() -> datetime:
    return datetime.now(UTC)
