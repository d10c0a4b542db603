"""The composition root: builds the world from the settings, on the first call and once per process."""

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, TypeVar
from uuid import uuid4

import boto3
from botocore.config import Config
from pydantic import BaseModel

from planloom.adapters.bedrock_client import connect_bedrock
from planloom.adapters.dynamodb_credits import DynamoCreditStore
from planloom.adapters.dynamodb_keys import DynamoKeyStore
from planloom.adapters.dynamodb_log import DynamoEventLog
from planloom.adapters.dynamodb_plans import DynamoPlanStore
from planloom.adapters.dynamodb_seats import DynamoSeats
from planloom.adapters.dynamodb_shares import DynamoShareStore
from planloom.adapters.dynamodb_shelf import DynamoPlanShelf
from planloom.adapters.dynamodb_turns import DynamoTurns
from planloom.adapters.event_bridge_bus import EventBridgeBus
from planloom.adapters.implementation_files import ImplementationFiles
from planloom.adapters.implementation_registry import AwsPlanRegistry
from planloom.adapters.lambda_goal_reader import LambdaGoalReader
from planloom.adapters.s3_files import S3FileStore
from planloom.adapters.secrets import read_object, read_secret
from planloom.adapters.step_functions_pipeline import StepFunctionsPipeline
from planloom.domain.rules import Rules
from planloom.models.endpoint import OPENROUTER, Endpoint
from planloom.models.profiles import Models
from planloom.models.providers import Bedrock, Providers
from planloom.services.world import World
from planloom.settings import GLOBAL, OFF, BedrockSettings, DeployedModels, EndpointSettings, Settings

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.idempotency import DynamoDBPersistenceLayer

A = TypeVar("A", bound=BaseModel)

#: Fan-outs write their answers side by side; botocore's own pool of ten would queue them.
CONNECTIONS = 40


def make_world(settings: Settings, session: boto3.Session | None = None, endpoint: str | None = None) -> World:
    """Build the world; *session* and *endpoint* point it at another account or at the embedded AWS."""
    aws = session or boto3.Session()
    config = Config(
        max_pool_connections=CONNECTIONS, retries={"mode": "standard", "total_max_attempts": 4}, connect_timeout=5
    )
    # the default signature would give links that never expire on some stores; without a style, links would name S3's
    # global host, which sends callers of a new bucket elsewhere than was signed for
    style: Literal["path", "virtual"] = "path" if endpoint else "virtual"
    s3_config = config.merge(Config(signature_version="s3v4", s3={"addressing_style": style}))
    table = aws.client("dynamodb", config=config, endpoint_url=endpoint)
    bucket = aws.client("s3", config=s3_config, endpoint_url=endpoint)
    return World(
        plans=DynamoPlanStore(table, settings.table),
        shelf=DynamoPlanShelf(table, settings.table),
        log=DynamoEventLog(table, settings.table),
        credits=DynamoCreditStore(table, settings.table),
        examples=S3FileStore(bucket, settings.bucket, root="examples"),
        readings=S3FileStore(bucket, settings.bucket, root="facts"),
        feedback=S3FileStore(bucket, settings.bucket, root="feedback"),
        goal_reader=LambdaGoalReader(
            lambda: aws.client("lambda", config=config, endpoint_url=endpoint), settings.goal_reader
        ),
        shares=DynamoShareStore(table, settings.table),
        keys=DynamoKeyStore(table, settings.table),
        files=S3FileStore(bucket, settings.bucket),
        registry=AwsPlanRegistry(table, settings.table, ImplementationFiles(bucket, settings.bucket)),
        seats=DynamoSeats(table, settings.table),
        turns=DynamoTurns(table, settings.table),
        pipeline=StepFunctionsPipeline(
            aws.client("stepfunctions", config=config, endpoint_url=endpoint), settings.state_machine
        ),
        bus=EventBridgeBus(aws.client("events", config=config, endpoint_url=endpoint), settings.bus),
        models=make_models(),
        now=lambda: datetime.now(UTC),
        new_id=lambda: str(uuid4()),
        monotonic=time.monotonic,
        rules=Rules.read(settings.rules),
        sleep=time.sleep,
        watching=settings.watching(),
    )


def make_models(environment: Mapping[str, str] | None = None) -> Models:
    """Build the models that *environment*, the process's own by default, makes available, and the outline."""
    deployed = DeployedModels.read(environment)
    if not deployed.secret:
        own = BedrockSettings.read(environment)
        there = _providers(EndpointSettings.read(environment), _own_bedrock(own))
        there = replace(there, no_bedrock=own.lacks() or "")
        return Models(look=lambda: there)
    bedrock = None if deployed.bedrock == OFF else _bedrock(boto3.Session(), deployed.bedrock, "")

    def look() -> Providers:
        # not kept beyond Models.LOOKED_FOR: what the operator fills in later is found
        filled = EndpointSettings.read(read_object(deployed.secret))
        return replace(_providers(filled, bedrock), outline=False, no_bedrock="Bedrock is switched off here")

    return Models(look=look)


def _providers(endpoint: EndpointSettings, bedrock: Bedrock | None) -> Providers:
    return Providers(
        endpoint=Endpoint(
            endpoint.base_url,
            endpoint.api_key,
            endpoint.model,
            endpoint.concurrency,
            endpoint.timeout,
            endpoint.max_tokens,
        ),
        openrouter=Endpoint(endpoint.openrouter_url or OPENROUTER, endpoint.openrouter_key),
        bedrock=bedrock,
    )


def _own_bedrock(found: BedrockSettings) -> Bedrock | None:
    if not found.usable:
        return None
    session = boto3.Session(
        aws_access_key_id=found.key_id or None,
        aws_secret_access_key=found.key or None,
        aws_session_token=found.session_token or None,
        region_name=found.region,
    )
    return _bedrock(session, found.geography, found.url)


def _bedrock(session: boto3.Session, geography: str, url: str) -> Bedrock:
    return Bedrock(session.region_name, connect_bedrock(session, url), geography or GLOBAL)


@cache
def settings() -> Settings:
    """Return this process's settings."""
    return Settings.read()


@cache
def world() -> World:
    """Return this process's world."""
    return make_world(settings())


def requests(account: str) -> "DynamoDBPersistenceLayer":
    """Return the store of *account*'s answered requests."""
    from planloom.adapters.dynamodb_requests import requests_of

    return requests_of(account, settings().table)


def once(
    operation: str, account: str, request_id: str, body: dict[str, Any], kind: type[A], work: Callable[[], A]
) -> A:
    """Do *work* and return its response, unless *account* asked for the same under *request_id* within a day.

    Raises RequestConflict and RequestInProgress.
    """
    # on the first request that has an id: the library costs 0.1 s that others do not pay
    from planloom.adapters.dynamodb_requests import once

    return once(requests(account), operation, request_id, body, kind, work)


@cache
def request_state_key() -> bytes:
    """Return the key that signs MCP request state, shared by all Lambdas of the deployment."""
    return read_secret(settings().secret)
