"""The composition root of runs, apart from that of plans: a function that works for one does not load the other."""

import time
from datetime import UTC, datetime
from functools import cache
from typing import Any, Literal
from uuid import uuid4

import boto3
from botocore.config import Config

from planloom.adapters.dynamodb_budgets import DynamoBudgetStore
from planloom.adapters.dynamodb_runs import DynamoRunEvents, DynamoRunStore
from planloom.adapters.run_files import S3RunFiles
from planloom.adapters.step_functions_runs import StepFunctionsEngine
from planloom.runs.budgets import Budgets
from planloom.runs.control import MOST_ACTIVE, Runs
from planloom.wiring import CONNECTIONS, settings


@cache
def clients() -> tuple[Any, Any, Any]:
    """Return clients of DynamoDB, S3 and Step Functions for runs."""
    config = Config(
        max_pool_connections=CONNECTIONS, retries={"mode": "standard", "total_max_attempts": 4}, connect_timeout=5
    )
    names: tuple[Literal["dynamodb"], Literal["s3"], Literal["stepfunctions"]] = ("dynamodb", "s3", "stepfunctions")
    dynamodb, s3, stepfunctions = (boto3.client(name, config=config) for name in names)
    return dynamodb, s3, stepfunctions


@cache
def runs() -> Runs:
    """Return the runs of all accounts."""
    table, bucket, engine = clients()
    known = settings()
    return Runs(
        store=DynamoRunStore(table, known.table),
        files=S3RunFiles(bucket, known.bucket),
        events=DynamoRunEvents(table, known.table),
        engine=StepFunctionsEngine(engine, known.run_steps),
        now=lambda: datetime.now(UTC),
        new_id=lambda: str(uuid4()),
        sleep=time.sleep,
        monotonic=time.monotonic,
        most_active=MOST_ACTIVE,
    )


@cache
def budgets() -> Budgets:
    """Return the budgets of calls of all accounts."""
    return Budgets(DynamoBudgetStore(clients()[0], settings().table))
