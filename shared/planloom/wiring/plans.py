"""The composition root of strategic and implementation plans: each port is built from the settings on first use."""

import time
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from planloom.accounts.rules import Rules
from planloom.accounts.stores import Billing
from planloom.adapters.dynamodb_archive import DynamoPlanArchive
from planloom.adapters.dynamodb_credits import DynamoCreditStore
from planloom.adapters.dynamodb_keys import DynamoKeyStore
from planloom.adapters.dynamodb_log import DynamoEventLog
from planloom.adapters.dynamodb_plans import DynamoPlanStore
from planloom.adapters.dynamodb_poll_slots import DynamoPollSlots
from planloom.adapters.dynamodb_run_queue import DynamoRunQueue
from planloom.adapters.dynamodb_shares import DynamoShareStore
from planloom.adapters.event_bridge_bus import EventBridgeBus
from planloom.adapters.implementation_files import ImplementationFiles
from planloom.adapters.implementation_registry import AwsPlanRegistry
from planloom.adapters.lambda_goal_reader import LambdaGoalReader
from planloom.adapters.s3_files import S3FileStore
from planloom.adapters.step_functions_pipeline import StepFunctionsPipeline
from planloom.models.profiles import Models
from planloom.planes.implementation.ports import ImplementationPlans
from planloom.planes.strategic.ports.groups import GoalReadings, PlanRecords, RunControl, StagePorts
from planloom.planes.strategic.watch_settings import WatchSettings
from planloom.runs.long_poll import LongPoll
from planloom.settings import Settings
from planloom.wiring.aws import Clients, Service, clients
from planloom.wiring.models import make_models

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_s3 import S3Client


class Ports:
    """The ports of one deployment and the groups of them that functions take, each built on first use."""

    def __init__(self, settings: Settings, aws: Clients | None = None) -> None:
        """*aws* are those of another account or of the embedded AWS."""
        self._settings = settings
        self._clients = aws
        self._models = cache(make_models)

    @property
    def plan_records(self) -> PlanRecords:
        return PlanRecords(self.plans, self.archive, self.files, self.clock, self.new_id)

    @property
    def run_control(self) -> RunControl:
        return RunControl(
            self.plan_records, self.pipeline, self.queue, self.bus, self.log, self.billing, self.watch_settings
        )

    @property
    def stage_ports(self) -> StagePorts:
        return StagePorts(self.plan_records, self.bus, self.models, self.monotonic, self.watch_settings)

    @property
    def goal_readings(self) -> GoalReadings:
        reader = LambdaGoalReader(lambda: self._client("lambda"), self._settings.goal_reader)
        return GoalReadings(self.readings, reader, self.long_poll, self.clock)

    @property
    def billing(self) -> Billing:
        return Billing(self.credits, self.rules, self.clock)

    @property
    def implementation_plans(self) -> ImplementationPlans:
        return ImplementationPlans(
            self.registry, lambda plan_id: self.plans.get(plan_id) is not None, self.clock, self.new_id
        )

    @property
    def long_poll(self) -> LongPoll:
        slots = DynamoPollSlots(*self._table)
        return LongPoll(slots, self.watch_settings.holds, self.clock, self.monotonic, time.sleep)

    @property
    def plans(self) -> DynamoPlanStore:
        return DynamoPlanStore(*self._table)

    @property
    def archive(self) -> DynamoPlanArchive:
        return DynamoPlanArchive(*self._table)

    @property
    def log(self) -> DynamoEventLog:
        return DynamoEventLog(*self._table)

    @property
    def queue(self) -> DynamoRunQueue:
        return DynamoRunQueue(*self._table)

    @property
    def keys(self) -> DynamoKeyStore:
        return DynamoKeyStore(*self._table)

    @property
    def credits(self) -> DynamoCreditStore:
        return DynamoCreditStore(*self._table)

    @property
    def shares(self) -> DynamoShareStore:
        return DynamoShareStore(*self._table)

    @property
    def registry(self) -> AwsPlanRegistry:
        return AwsPlanRegistry(*self._table, ImplementationFiles(*self._bucket))

    @property
    def files(self) -> S3FileStore:
        return S3FileStore(*self._bucket)

    @property
    def examples(self) -> S3FileStore:
        return S3FileStore(*self._bucket, root="examples")

    @property
    def readings(self) -> S3FileStore:
        return S3FileStore(*self._bucket, root="facts")

    @property
    def feedback(self) -> S3FileStore:
        return S3FileStore(*self._bucket, root="feedback")

    @property
    def pipeline(self) -> StepFunctionsPipeline:
        return StepFunctionsPipeline(self._client("stepfunctions"), self._settings.state_machine)

    @property
    def bus(self) -> EventBridgeBus:
        return EventBridgeBus(self._client("events"), self._settings.bus)

    @property
    def models(self) -> Models:
        return self._models()

    @property
    def rules(self) -> Rules:
        return Rules.read(self._settings.rules)

    @property
    def watch_settings(self) -> WatchSettings:
        return self._settings.watching()

    def clock(self) -> datetime:
        return datetime.now(UTC)

    def new_id(self) -> str:
        return str(uuid4())

    def monotonic(self) -> float:
        return time.monotonic()

    @property
    def table(self) -> tuple["DynamoDBClient", str]:
        """The client of the table and its name, for what an operator does beside these ports."""
        return self._table

    @property
    def _table(self) -> tuple["DynamoDBClient", str]:
        return self._client("dynamodb"), self._settings.table

    @property
    def _bucket(self) -> tuple["S3Client", str]:
        return self._client("s3"), self._settings.bucket

    def _client(self, service: Service) -> Any:
        return (self._clients or clients())(service)
