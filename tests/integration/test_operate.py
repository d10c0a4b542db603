"""What an operator does with AWS credentials: keys that are accepted, and plans that are rebuilt."""

import json
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError, EndpointConnectionError
from typer.testing import CliRunner, Result

from planloom.accounts.authorize import authorize
from planloom.core.errors import GenerationFailed
from planloom.planes.strategic.example_prompts import CURATED
from planloom.planes.strategic.services import create_plan
from planloom.planes.strategic.services.example_plans import Example, ExampleFile, Sample
from planloom.planes.strategic.services.feedback import give_feedback
from planloom.wiring.plans import Ports
from planloom_cli import examples, exits, operate
from planloom_cli.main import app
from planloom_cli.operate import ports_of_outputs
from planloom_cli.service import Address
from tests.fake_ports import PROMPT
from tests.integration.conftest import BUCKET, BUS, TABLE

OUTPUTS = {
    "ApiUrl": "https://planloom.test/api/",
    "TableName": TABLE,
    "BucketName": BUCKET,
    "BusName": BUS,
    "StateMachineArn": "arn:aws:states:eu-west-1:123456789012:stateMachine:plans",
}


class Stacks:
    """CloudFormation with two stacks, of which one is planloom's."""

    def describe_stacks(self, StackName: str) -> dict[str, Any]:  # noqa: N803 - AWS's name
        if StackName not in ("PlanloomStack", "Shop"):
            missing = {"Error": {"Code": "ValidationError", "Message": f"Stack with id {StackName} does not exist"}}
            raise ClientError(missing, "DescribeStacks")
        outputs = OUTPUTS if StackName == "PlanloomStack" else {"TableName": "orders"}
        return {"Stacks": [{"Outputs": [{"OutputKey": name, "OutputValue": value} for name, value in outputs.items()]}]}


@pytest.fixture
def ports(aws: None, monkeypatch: pytest.MonkeyPatch) -> Ports:
    """A deployed stack."""
    real = boto3.Session.client

    def client(session: boto3.Session, service: str, **options: Any) -> Any:
        return Stacks() if service == "cloudformation" else real(session, service, **options)

    monkeypatch.setattr(boto3.Session, "client", client)
    return ports_of_outputs(OUTPUTS, boto3.Session())


def run(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


def test_a_key_is_made_for_an_account_and_opens_it(ports: Ports) -> None:
    made = run("keys", "create", "--account", "team-a")
    assert made.exit_code == 0
    assert authorize(ports.keys, ports.clock, made.stdout.strip()) == "team-a"
    as_json = json.loads(run("keys", "create", "--account", "team-b", "--json").stdout)
    assert (as_json["account"], authorize(ports.keys, ports.clock, as_json["key"])) == ("team-b", "team-b")


def test_keys_are_listed_by_how_they_begin_and_revoked_by_it(ports: Ports) -> None:
    lost, kept = (run("keys", "create", "--account", "team-a").stdout.strip() for _ in range(2))
    assert authorize(ports.keys, ports.clock, kept) == "team-a"
    listed = json.loads(run("keys", "list", "--account", "team-a", "--json").stdout)
    assert {key["key"] for key in listed} == {f"{lost[:10]}...", f"{kept[:10]}..."}
    assert {key["key"]: key["last_used_on"] is not None for key in listed}[f"{kept[:10]}..."]
    revoked = run("keys", "revoke", lost[:10], "--account", "team-a")
    assert (revoked.exit_code, revoked.stdout) == (0, f"{lost[:10]}... is revoked.\n")
    assert (authorize(ports.keys, ports.clock, lost), authorize(ports.keys, ports.clock, kept)) == (None, "team-a")
    shown = run("keys", "list", "--account", "team-a").stdout
    assert lost[:10] in shown
    assert lost[10:] not in shown
    assert run("keys", "revoke", "pex_nobody", "--account", "team-a").exit_code == exits.REFUSED


def test_what_programs_of_an_account_must_not_do_is_set_and_shown(ports: Ports) -> None:
    made = run("policy", "set", "team-a", "--deny", "Run.delete", "--deny-effect", "destroys", "--json")
    policy = {"account": "team-a", "deny_effects": ["destroys"], "deny": ["Run.delete"]}
    assert json.loads(made.stdout) == policy
    assert json.loads(run("policy", "show", "team-a", "--json").stdout) == policy
    refused = run("policy", "set", "team-a", "--deny", "Run.delte")
    assert (refused.exit_code, "Run.delete" in refused.stderr) == (exits.REFUSED, True)
    assert "nothing is denied" in run("policy", "show", "team-b").stdout


def test_a_stack_that_is_not_there_is_told_with_what_to_check(ports: Ports) -> None:
    made = run("keys", "create", "--account", "team-a", "--stack", "Other")
    assert made.exit_code == exits.UNREACHABLE
    assert "Other does not exist" in made.stderr
    assert "AWS_PROFILE" in made.stderr


def test_a_service_here_that_ended_meanwhile_is_told_with_what_to_check(
    ports: Ports, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(operate, "announced", lambda _: Address("http://127.0.0.1:1/mcp", "http://127.0.0.1:1", "k"))

    def gone(*_: object) -> tuple[Ports, str]:
        raise EndpointConnectionError(endpoint_url="http://127.0.0.1:1")

    monkeypatch.setattr(operate, "_found", gone)
    made = run("keys", "create", "--account", "team-a", "--local")
    assert (made.exit_code, "planloom up" in made.stderr) == (exits.UNREACHABLE, True)


def test_a_bad_name_of_an_account_is_told_in_words_that_fit_an_argument_too(ports: Ports) -> None:
    refused = run("credits", "show", "a#b")
    assert (refused.exit_code, "--account" in refused.stderr) == (exits.REFUSED, False)


@pytest.mark.parametrize("words", [("--account", " "), ("--account", "a#b"), ("--account", "a", "--stack", "Shop")])
def test_a_bad_account_and_the_stack_of_something_else_are_refused(ports: Ports, words: tuple[str, ...]) -> None:
    assert run("keys", "create", *words).exit_code == exits.REFUSED


@pytest.mark.parametrize("fails", [False, True])
def test_examples_are_drafted_by_the_service_with_a_key_that_opens_nothing_afterwards(
    ports: Ports, monkeypatch: pytest.MonkeyPatch, fails: bool
) -> None:
    keys: dict[str, str | None] = {}

    def draft(address: Address, sample: Sample, profile: str) -> str:
        assert (address.http_url, profile) == ("https://planloom.test/api", "premium")
        keys[address.key] = authorize(ports.keys, ports.clock, address.key)
        return sample.id

    def keep(*given: Any) -> Example:
        *_, sample, plan_id = given
        if fails:
            raise GenerationFailed(f"The example '{plan_id}' was not completed.")
        file = ExampleFile(path="p", size=7, sha256="5" * 64)
        made = {"models": ("a",), "generated_at": ports.clock(), "report": file, "zip": file}
        return Example(**sample.model_dump(), model_profile="premium", **made)

    monkeypatch.setattr(examples, "_draft", draft)
    monkeypatch.setattr(examples, "keep_example", keep)
    named = [word for name in CURATED[:2] for word in ("--example", name)]
    built = run("examples", "build", *named, "--profile", "premium", "--json")
    assert built.exit_code == (exits.FAILED if fails else 0)
    assert [each["id"] for each in json.loads(built.stdout or "[]")] == ([] if fails else list(CURATED[:2]))
    ((key, account),) = keys.items()
    assert (account, authorize(ports.keys, ports.clock, key)) == ("examples", None)


def test_a_plan_is_repaired_from_the_bucket(ports: Ports, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(create_plan, "dispatch_run", lambda *_: None)
    plan = create_plan.create_plan(ports.run_control, ports.models, "team-a", PROMPT)
    table = boto3.client("dynamodb")
    for row in table.scan(TableName=TABLE)["Items"]:
        table.delete_item(TableName=TABLE, Key={name: row[name] for name in ("PK", "SK")})
    repaired = run("repair", plan.plan_id, "--json")
    assert json.loads(repaired.stdout) == {"plan_id": plan.plan_id, "state": "pending", "steps_completed": 0}
    assert ports.plans.get(plan.plan_id) == plan


def test_a_plan_that_the_bucket_does_not_know_is_refused(ports: Ports) -> None:
    refused = run("repair", "5e2b2a7c-8b49-4d2f-9b8f-6a3c1f05b9a1")
    assert (refused.exit_code, "PLAN_NOT_FOUND" in refused.stderr) == (exits.REFUSED, True)


def test_feedback_is_listed_for_the_operator(ports: Ports) -> None:
    give_feedback(ports.plan_records, ports.feedback, "acme", 4, "service", "Fast [so far].", None)
    give_feedback(ports.plan_records, ports.feedback, "other", 1, "other", "", None)
    printed = run("feedback").stdout
    assert "acme" in printed
    assert "Fast [so far]." in printed
    (kept,) = json.loads(run("feedback", "--account", "acme", "--json").stdout)
    assert (kept["rating"], kept["category"], kept["plan_id"]) == (4, "service", None)
