"""What each role may do, enforced: the product works with its grants, and no further than they reach."""

import http.client
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError

from planloom.services.make_key import make_key
from planloom.stages import PIPELINE
from planloom_cli.embedded import Deployment, EmbeddedAws, deploy
from planloom_cli.embedded.sources import assembly, fingerprint
from planloom_cli.local_service import world_of
from tests.e2e.roots import write_root

PATIENCE = 120.0

GOAL = (
    "Open a bakery café with 24 seats in Lisbon, in the Alvalade quarter, with a budget of EUR 240,000. It opens on "
    "1 May 2027, employs six people, bakes on site, serves coffee and light lunches and no alcohol, and breaks even "
    "within 18 months. The lease of one of two sites in view is not yet signed; the licence takes three months."
)


@dataclass(frozen=True)
class Guarded:
    """The product on an AWS that checks every call against the caller's role."""

    aws: EmbeddedAws
    deployed: Deployment
    key: str

    def call(self, method: str, path: str, body: object = None) -> tuple[int, Any]:
        connection = http.client.HTTPConnection("127.0.0.1", self.aws.port, timeout=PATIENCE)
        where = self.deployed.api_url.removeprefix(self.aws.endpoint) + path
        headers = {"X-API-Key": self.key, "Content-Type": "application/json"}
        connection.request(method, where, json.dumps(body) if body else None, headers)
        answer = connection.getresponse()
        found = answer.status, json.loads(answer.read())
        connection.close()
        return found


def allow_plain_http(template: Path) -> None:
    """Drop the statements that deny calls without TLS: the loopback interface has none, and denies come first."""
    stack = json.loads(template.read_text())
    for name, found in list(stack["Resources"].items()):
        if found["Type"] in {"AWS::S3::BucketPolicy", "AWS::SQS::QueuePolicy"}:
            document = found["Properties"]["PolicyDocument"]
            document["Statement"] = [s for s in document["Statement"] if s["Effect"] != "Deny"]
            if not document["Statement"]:
                del stack["Resources"][name]
    template.write_text(json.dumps(stack))


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guarded]:
    root = write_root(tmp_path_factory.mktemp("sources"))
    aws = EmbeddedAws(tmp_path_factory.mktemp("state"), enforce_iam=True)
    made = assembly(root, aws.folder.assemblies, fingerprint(root))
    allow_plain_http(made / "PlanloomStack.template.json")
    with aws:
        deployed = deploy(aws, root)
        yield Guarded(aws, deployed, make_key(world_of(aws, deployed), "a1"))


@pytest.fixture(scope="module")
def plan(guarded: Guarded) -> dict[str, Any]:
    """A plan at its end."""
    status, created = guarded.call("POST", "/v1/plans", {"prompt": GOAL})
    assert status == 202, created
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        _, found = guarded.call("GET", f"/v1/plans/{created['plan_id']}")
        if found["state"] not in {"pending", "processing"}:
            return dict(found)
        time.sleep(0.2)
    raise AssertionError(f"not at its end within {PATIENCE} s: {found}")


def session_of(guarded: Guarded, logical_id: str) -> boto3.Session:
    """Return a session with the role whose logical id begins with *logical_id*."""
    ours = guarded.aws.session()
    roles = ours.client("iam", endpoint_url=guarded.aws.endpoint).list_roles()["Roles"]
    (role,) = [found for found in roles if found["RoleName"].startswith(f"PlanloomStack-{logical_id}")]
    given = ours.client("sts", endpoint_url=guarded.aws.endpoint).assume_role(
        RoleArn=role["Arn"], RoleSessionName="test"
    )["Credentials"]
    return boto3.Session(given["AccessKeyId"], given["SecretAccessKey"], given["SessionToken"], "us-east-1")


def test_a_plan_is_drafted_to_its_end_with_every_role_checked(guarded: Guarded, plan: dict[str, Any]) -> None:
    assert (plan["state"], plan["steps_completed"]) == ("completed", len(PIPELINE))
    assert "not authorized" not in guarded.aws.folder.log.read_text()


def test_a_stage_may_write_its_files_but_not_delete_them(guarded: Guarded, plan: dict[str, Any]) -> None:
    s3 = session_of(guarded, "PipelineStage015Role").client("s3", endpoint_url=guarded.aws.endpoint)
    where = {"Bucket": guarded.deployed.outputs["BucketName"], "Key": f"plans/{plan['plan_id']}/note.txt"}

    s3.put_object(**where, Body=b"mine")

    assert s3.get_object(**where)["Body"].read() == b"mine"
    with pytest.raises(ClientError, match="AccessDenied"):
        s3.delete_object(**where)
    with pytest.raises(ClientError, match="AccessDenied"):
        s3.put_object(**where | {"Key": "elsewhere/note.txt"}, Body=b"mine")


def test_the_api_may_keep_implementation_plans_and_a_stage_may_not_touch_them(
    guarded: Guarded, plan: dict[str, Any]
) -> None:
    status, made = guarded.call("POST", "/v1/implementation-plans/from-plan", {"plan_id": plan["plan_id"]})
    assert status == 201, made
    assert guarded.call("GET", f"/v1/implementation-plans/{made['planId']}")[1]["revision"] == 1
    s3 = session_of(guarded, "PipelineStage015Role").client("s3", endpoint_url=guarded.aws.endpoint)
    with pytest.raises(ClientError, match="AccessDenied"):
        s3.put_object(
            Bucket=guarded.deployed.outputs["BucketName"],
            Key=f"implementation-plans/{made['planId']}/revisions/000002.json",
            Body=b"mine",
        )


def test_a_stage_may_not_start_runs_nor_read_the_secret(guarded: Guarded) -> None:
    session = session_of(guarded, "PipelineStage015Role")
    machine = session.client("stepfunctions", endpoint_url=guarded.aws.endpoint)
    secrets = session.client("secretsmanager", endpoint_url=guarded.aws.endpoint)
    names = guarded.aws.session().client("secretsmanager", endpoint_url=guarded.aws.endpoint).list_secrets()

    with pytest.raises(ClientError, match="AccessDenied"):
        machine.start_execution(stateMachineArn=guarded.deployed.outputs["StateMachineArn"], name="mine", input="{}")
    with pytest.raises(ClientError, match="AccessDenied"):
        secrets.get_secret_value(SecretId=names["SecretList"][0]["ARN"])


def test_the_authorizer_may_look_a_key_up_and_write_nothing(guarded: Guarded) -> None:
    table = (
        session_of(guarded, "AuthorizerRole")
        .resource("dynamodb", endpoint_url=guarded.aws.endpoint)
        .Table(guarded.deployed.outputs["TableName"])
    )

    assert table.get_item(Key={"PK": "KEY#none", "SK": "KEY"}).get("Item") is None
    with pytest.raises(ClientError, match="AccessDenied"):
        table.put_item(Item={"PK": "KEY#none", "SK": "KEY"})
