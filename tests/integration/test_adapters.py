"""Keys, events and runs on AWS."""

import json
from contextlib import nullcontext
from datetime import date, timedelta

import boto3
import pytest
from botocore.exceptions import ClientError
from botocore.stub import Stubber

from planloom.accounts.keys import ApiKey, digest_of
from planloom.accounts.stores import KeyStore
from planloom.adapters.dynamodb_keys import DynamoKeyStore
from planloom.adapters.event_bridge_bus import EventBridgeBus
from planloom.adapters.step_functions_pipeline import StepFunctionsPipeline
from planloom.planes.strategic.events import RunStarted
from planloom.planes.strategic.plans import run_of
from tests.fakes import FakeKeyStore
from tests.integration.conftest import BUS, TABLE
from tests.integration.test_plan_store import NOW

PLAN_ID = "5e2b2a7c-8b49-4d2f-9b8f-6a3c1f05b9a1"
MACHINE = "arn:aws:states:eu-west-1:123456789012:stateMachine:pipeline"
EXECUTION = MACHINE.replace(":stateMachine:", ":execution:")


@pytest.fixture(params=["fake", "dynamodb"])
def keys(request: pytest.FixtureRequest) -> KeyStore:
    if request.param == "fake":
        return FakeKeyStore()
    request.getfixturevalue("aws")
    return DynamoKeyStore(boto3.client("dynamodb"), TABLE)


def test_a_key_is_found_by_its_hash_and_added_once(keys: KeyStore) -> None:
    key = ApiKey(digest=digest_of("pex_secret"), account="acme", shown="pex_secr", created_at=NOW)
    assert keys.add(key)
    assert not keys.add(key.model_copy(update={"account": "other"}))
    assert keys.get(digest_of("pex_secret")) == key
    assert keys.get(digest_of("pex_wrong")) is None


def test_keys_are_listed_for_their_account_oldest_first(keys: KeyStore) -> None:
    made = [
        ApiKey(digest=digest_of(f"pex_{n}"), account=account, shown="pex_", created_at=NOW + timedelta(minutes=n))
        for n, account in enumerate(["acme", "other", "acme", "acme"])
    ]
    for key in reversed(made):
        keys.add(key)
    assert keys.of_account("acme") == [made[0], made[2], made[3]]
    assert keys.of_account("nobody") == []


def test_a_key_is_revoked_once_and_goes_on_being_listed(keys: KeyStore) -> None:
    key = ApiKey(digest=digest_of("pex_secret"), account="acme", shown="pex_secr", created_at=NOW)
    keys.add(key)
    assert keys.revoke(key.digest, NOW)
    assert keys.revoke(key.digest, NOW + timedelta(days=1))
    assert keys.of_account("acme") == [key.model_copy(update={"revoked_at": NOW})]
    assert not keys.revoke(digest_of("pex_wrong"), NOW)
    assert keys.get(digest_of("pex_wrong")) is None


def test_the_day_of_a_keys_last_use_never_goes_back(keys: KeyStore) -> None:
    key = ApiKey(digest=digest_of("pex_secret"), account="acme", shown="pex_secr", created_at=NOW)
    keys.add(key)
    for day in (date(2026, 11, 3), date(2026, 11, 5), date(2026, 11, 4)):
        keys.use(key.digest, day)
    assert keys.get(key.digest) == key.model_copy(update={"last_used_on": date(2026, 11, 5)})
    keys.use(digest_of("pex_wrong"), date(2026, 11, 3))
    assert keys.get(digest_of("pex_wrong")) is None


@pytest.fixture
def pipeline(aws: None) -> StepFunctionsPipeline:
    machine = boto3.client("stepfunctions").create_state_machine(
        name="plans",
        roleArn="arn:aws:iam::123456789012:role/states",
        definition=json.dumps({"StartAt": "Done", "States": {"Done": {"Type": "Succeed"}}}),
    )
    return StepFunctionsPipeline(boto3.client("stepfunctions"), machine["stateMachineArn"])


def test_a_run_that_was_never_started_has_no_status(pipeline: StepFunctionsPipeline) -> None:
    assert pipeline.status(PLAN_ID, 1) is None


def test_starting_a_run_twice_starts_it_once(pipeline: StepFunctionsPipeline) -> None:
    pipeline.start(PLAN_ID, 1, "build_plan")
    pipeline.start(PLAN_ID, 1, "build_plan")
    assert pipeline.status(PLAN_ID, 1) == "RUNNING"


def test_stopping_a_run_that_was_never_started_is_no_error(pipeline: StepFunctionsPipeline) -> None:
    pipeline.stop(PLAN_ID, 7)
    pipeline.start(PLAN_ID, 1, "build_plan")
    pipeline.stop(PLAN_ID, 1)
    assert pipeline.status(PLAN_ID, 1) == "ABORTED"


@pytest.mark.parametrize("status", ["FAILED", "ABORTED", "RUNNING"])
def test_a_stop_that_is_refused_is_an_error_only_where_the_run_goes_on(status: str) -> None:
    client = boto3.client("stepfunctions", region_name="eu-west-1")
    name = f"{PLAN_ID}-1"
    described = {
        "executionArn": f"{EXECUTION}:{name}",
        "stateMachineArn": MACHINE,
        "name": name,
        "status": status,
        "startDate": NOW,
    }
    with Stubber(client) as stub:
        stub.add_client_error("stop_execution", "ValidationException", "Execution is not running", 400)
        stub.add_response("describe_execution", described)
        with pytest.raises(ClientError) if status == "RUNNING" else nullcontext():
            StepFunctionsPipeline(client, MACHINE).stop(PLAN_ID, 1)
        stub.assert_no_pending_responses()


def test_an_execution_name_tells_plan_and_run() -> None:
    assert run_of(f"{PLAN_ID}-12") == (PLAN_ID, 12)


def test_an_event_that_the_bus_refuses_is_an_error(aws: None, monkeypatch: pytest.MonkeyPatch) -> None:
    client = boto3.client("events")
    bus = EventBridgeBus(client, BUS)
    event = RunStarted(plan_id=PLAN_ID, run=1, at=NOW)
    bus.put(event)
    refused = {"FailedEntryCount": 1, "Entries": [{"ErrorCode": "InternalFailure", "ErrorMessage": "later"}]}
    monkeypatch.setattr(client, "put_events", lambda **_: refused)
    with pytest.raises(ConnectionError, match="InternalFailure later"):
        bus.put(event)
