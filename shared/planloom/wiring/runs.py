"""The composition root of runs, apart from that of plans: a function that works for one does not load the other."""

import time
from datetime import UTC, datetime
from functools import cache
from uuid import uuid4

from planloom.adapters.dynamodb_budgets import DynamoBudgetStore
from planloom.adapters.dynamodb_runs import DynamoRunEvents, DynamoRunStore
from planloom.adapters.run_files import S3RunFiles
from planloom.adapters.step_functions_runs import StepFunctionsEngine
from planloom.runs.budgets import Budgets
from planloom.runs.control import MOST_ACTIVE, Runs
from planloom.wiring import settings
from planloom.wiring.aws import client


@cache
def runs() -> Runs:
    """Return the runs of all accounts."""
    table = client("dynamodb")
    known = settings()
    return Runs(
        store=DynamoRunStore(table, known.table),
        files=S3RunFiles(client("s3"), known.bucket),
        events=DynamoRunEvents(table, known.table),
        engine=StepFunctionsEngine(client("stepfunctions"), known.run_steps),
        now=lambda: datetime.now(UTC),
        new_id=lambda: str(uuid4()),
        sleep=time.sleep,
        monotonic=time.monotonic,
        most_active=MOST_ACTIVE,
    )


@cache
def budgets() -> Budgets:
    """Return the budgets of calls of all accounts."""
    return Budgets(DynamoBudgetStore(client("dynamodb"), settings().table))
