"""A plan drafted as in AWS: every function on its own bundle and environment, with the grants of its own role."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from botocore.exceptions import ClientError

from bench.stub_models import StubModels
from planloom.accounts.make_key import make_key
from planloom.core.artifacts import sha256_of
from planloom.core.file_store import FileStore
from planloom.models.endpoint import Endpoint
from planloom.models.profiles import Models
from planloom.planes.strategic.pipeline_map import CURRENT
from planloom.planes.strategic.ports.groups import RunControl
from planloom.planes.strategic.services.create_plan import create_plan
from planloom.planes.strategic.services.end_run import end_run
from planloom.planes.strategic.services.read_records import step_records
from planloom.planes.strategic.stages.pipeline import PIPELINE
from planloom_cli.embedded import EmbeddedAws, deploy
from planloom_cli.local_service import ports_of
from tests.e2e.as_deployed import AsDeployed, ended
from tests.e2e.conftest import example, new_state, until
from tests.e2e.tool_server import Tools
from tests.e2e.webhook_receiver import APPROVE, receiving
from tests.thorough import THOROUGH
from tests.unit.strategic.services.spy import Brief

KEY = "sk-secret-of-the-endpoint"


class NoMachine:
    """Starts nothing: the test runs the stages itself, on workers that share what a cold start costs."""

    def start(self, plan_id: str, run: int, target: str) -> None:
        """Start nothing."""


@pytest.fixture(scope="module")
def stub() -> Iterator[StubModels]:
    # short answers: a draft of them takes half the time
    with StubModels(answerer=Brief) as running:
        yield running


@pytest.fixture(scope="module")
def deployed(tmp_path_factory: pytest.TempPathFactory, stub: StubModels) -> Iterator[AsDeployed]:
    keys = {"OPENAI_BASE_URL": stub.url, "OPENAI_API_KEY": KEY, "PLANLOOM_MODEL": "stub-large"}
    state = new_state(tmp_path_factory, "as-deployed", as_deployed=True)
    with EmbeddedAws(state, environment=keys, as_deployed=True) as aws:
        made = deploy(aws)
        with ended(AsDeployed(aws, made, make_key(ports_of(aws, made).keys, ports_of(aws, made).clock, "a1"))) as found:
            yield found


@dataclass(frozen=True)
class Operator:
    """What the operator uses, who may do everything; its state machine starts nothing."""

    run_control: RunControl
    models: Models
    files: FileStore


@pytest.fixture(scope="module")
def operator(deployed: AsDeployed, stub: StubModels) -> Operator:
    ours = ports_of(deployed.aws, deployed.deployed)
    run_control = replace(ours.run_control, pipeline=NoMachine())  # type: ignore[arg-type]
    return Operator(run_control, Models(Endpoint(stub.url, KEY, "stub-large")), ours.files)


@pytest.fixture(scope="module")
def plan(deployed: AsDeployed) -> str:
    """The id of a plan that the state machine drafted, each stage in a worker of its own."""
    asked = {"prompt": example("bakery-cafe-lisbon"), "model_profile": "custom"}
    status, created = deployed.call("POST", "/v1/plans", asked)
    assert status == 202, created
    assert at_its_end(deployed, created["plan_id"]) == ("completed", len(PIPELINE))
    return str(created["plan_id"])


def test_every_stage_runs_on_its_own_bundle_with_its_own_role(operator: Operator, plan: str, stub: StubModels) -> None:
    committed = operator.files.paths(plan, "steps/")
    assert committed == sorted(f"steps/{stage.key}.json" for stage in PIPELINE)
    assert (operator.files.read(plan, "030-report.html") or b"").startswith(b"<!doctype html>")
    assert stub.keys == {f"bearer {KEY}"}


def test_nothing_was_refused_for_want_of_a_grant(deployed: AsDeployed, plan: str) -> None:
    log = deployed.log()
    assert "not authorized" not in log
    assert "ModuleNotFoundError" not in log


def test_a_stage_that_asks_a_model_does_not_run_on_a_bundle_without_the_library(
    deployed: AsDeployed, operator: Operator
) -> None:
    created = create_plan(operator.run_control, operator.models, "a1", example("bakery-cafe-lisbon"), "custom")
    assert deployed.run("start", created.plan_id) is None

    raised = deployed.run("screening", created.plan_id, bundle_of="schedule")
    end_run(operator.run_control, created.plan_id, 1, "FAILED")

    assert raised
    assert "ModuleNotFoundError: No module named 'openai'" in raised


def test_a_stage_fails_without_any_one_of_its_grants(deployed: AsDeployed, operator: Operator) -> None:
    iam, role = deployed.client("iam"), deployed.stages["start"]["Role"].rpartition("/")[2]
    (name,) = [name for name in iam.list_role_policies(RoleName=role)["PolicyNames"] if "Default" in name]
    policy = iam.get_role_policy(RoleName=role, PolicyName=name)["PolicyDocument"]
    taken: dict[str, str | None] = {}
    statements = policy["Statement"] if THOROUGH else [each for each in policy["Statement"] if "s3:" in str(each)]
    for statement in statements:
        without = policy | {"Statement": [each for each in policy["Statement"] if each is not statement]}
        iam.put_role_policy(RoleName=role, PolicyName=name, PolicyDocument=json.dumps(without))
        created = create_plan(operator.run_control, operator.models, "a1", example("bakery-cafe-lisbon"), "custom")
        taken[str(statement["Action"])] = deployed.run("start", created.plan_id)
        # its slot is released
        end_run(operator.run_control, created.plan_id, 1, "FAILED")
    iam.put_role_policy(RoleName=role, PolicyName=name, PolicyDocument=json.dumps(policy))

    ran = [actions for actions, raised in taken.items() if "AccessDenied" not in (raised or "")]

    services = {service for actions in ran for service in re.findall(r"(\w+):", actions)}
    # the emulator takes logs and traces itself; an event that is refused is logged: the test above finds it
    assert services <= {"events", "logs", "xray"}
    assert len(taken) > len(ran)


def test_runs_are_started_and_stopped_and_the_watchdog_looks(deployed: AsDeployed) -> None:
    status, created = deployed.call(
        "POST", "/v1/plans", {"prompt": example("bakery-cafe-lisbon"), "model_profile": "custom"}
    )
    assert status == 202, created
    where = f"/v1/plans/{created['plan_id']}"

    assert deployed.call("POST", f"{where}/stop")[1]["state"] == "stopped"

    watchdog = deployed.client("lambda").invoke(FunctionName=deployed.deployed.outputs["WatchdogName"], Payload=b"{}")
    assert "FunctionError" not in watchdog
    until(lambda: "run ended" in deployed.log(), "the end of the run")


def test_a_plan_is_validated_on_the_bundles_of_four_stages(deployed: AsDeployed, operator: Operator, plan: str) -> None:
    status, validated = deployed.call("POST", f"/v1/plans/{plan}/validate")
    assert status == 202, validated

    assert at_its_end(deployed, validated["plan_id"]) == ("completed", len(PIPELINE))
    assert made_since(operator, validated["plan_id"]) == set(CURRENT.validated)


def test_an_edited_plan_is_resumed_by_the_state_machine(deployed: AsDeployed, operator: Operator, plan: str) -> None:
    path = "025-2-executive_summary.md"
    text = (operator.files.read(plan, path) or b"").decode()
    edit = {
        "content": text.rstrip() + "\n\nAsk a baker who has closed a shop.\n",
        "expected_sha256": sha256_of(text.encode()),
        "start": False,
    }
    status, edited = deployed.call("PUT", f"/v1/plans/{plan}/artifacts/{path}", edit)
    assert status == 200, edited

    status, resumed = deployed.call("POST", f"/v1/plans/{edited['plan_id']}/resume")
    assert status == 202, resumed

    assert at_its_end(deployed, edited["plan_id"]) == ("completed", len(PIPELINE))
    assert made_since(operator, edited["plan_id"]) == {"030"}
    assert b"Ask a baker who has closed a shop." in (operator.files.read(edited["plan_id"], "030-report.html") or b"")
    assert b"Ask a baker" not in (operator.files.read(plan, "030-report.html") or b"")


def test_a_graph_runs_with_the_tools_of_a_server_whose_headers_are_a_secret(
    deployed: AsDeployed, tmp_path: Path
) -> None:
    tools = Tools(tmp_path)
    try:
        server = {"name": "test", "url": tools.url, "headers": {"X-Key": "hush"}, "trusted": True}
        status, added = deployed.call("POST", "/v1/tool-servers", server)
        assert (status, added["error"]) == (201, None), added
        steps = [
            {"index": "1", "tool": "rows", "args": {"count": 10_000}, "result_variable": "many"},
            {"index": "2", "tool": "note", "args": {"text": "row ${many.rows[9999]}"}, "depends_on": ["1"]},
            *({"index": n, "tool": "erase", "args": {"what": "it"}, "depends_on": ["2"]} for n in "345"),
        ]
        status, started = deployed.call("POST", "/v1/runs", {"graph": {"steps": steps}})
        assert status == 201, started
        where = f"/v1/runs/{started['run_id']}"

        until(lambda: deployed.call("GET", where)[1]["state"] != "running", "the approvals")
        assert deployed.call("POST", f"{where}/approve", {"step": "3", "approved": True})[0] == 200
        until(lambda: deployed.call("GET", where)[1]["progress"]["completed"] == 3, "the approved step")
        assert deployed.call("POST", f"{where}/approve", {"step": "4", "approved": False})[0] == 200
        until(lambda: deployed.call("GET", where)[1]["state"] in ("completed", "failed"), "the end of the run")
        pending = "/v1/approvals?plane=graphs"
        until(lambda: not deployed.call("GET", pending)[1]["approvals"], "no approval that nobody waits for")

        assert deployed.call("GET", where)[1]["failure"]["code"] == "REJECTED"
        assert tools.calls() == {"row 9999": 1}
        assert deployed.call("DELETE", where)[0] == 200
        assert deployed.call("DELETE", "/v1/tool-servers/test")[0] == 200
        assert deployed.call("DELETE", f"/v1/graphs/{started['plan_id']}")[0] == 200
    finally:
        tools.kill()


def test_an_approval_expires_by_itself_and_webhooks_learn_of_it(deployed: AsDeployed) -> None:
    with receiving() as (url, received):
        status, added = deployed.call("POST", "/v1/webhooks", {"name": "ops", "url": url})
        assert status == 201, added
        assert deployed.call("POST", "/v1/webhooks/ops/test", {"name": "ops"})[1]["delivered"] is True
        draft = APPROVE | {"nodes": [APPROVE["nodes"][0] | {"timeoutMs": 3000}], "workstreamId": "expires"}
        status, started = deployed.call("POST", "/v1/workflows/runs", draft)
        assert status == 201, started

        def how_it_ended() -> str:
            found = [json.loads(body) for _, body in received]
            return next((str(each["data"]["state"]) for each in found if each["type"] == "approval.ended"), "")

        # the API asked, the host let it expire, and another function posted both
        assert until(how_it_ended, "the message of the end") == "expired"
        assert deployed.call("DELETE", "/v1/webhooks/ops")[0] == 200


def test_a_program_runs_in_the_background_with_operations_that_the_api_carries_out(deployed: AsDeployed) -> None:
    status, started = deployed.call("POST", "/v1/workflows/runs", APPROVE | {"workstreamId": "asked-about"})
    assert status == 201, started
    status, session = deployed.call("POST", "/execute", {})
    assert status == 303, session
    where = session["execute_path"]
    program = f'Workflow("{started["runId"]}")[title]'

    waited = deployed.call("POST", where, {"program": program, "wait": True})[1]
    status, accepted = deployed.call("POST", where, {"program": program, "wait": False})
    assert (status, waited["operation"], accepted["operation"]) == (200, False, True), accepted
    handle = accepted["handle"]
    ended = until(lambda: deployed.call("POST", where, {"program": f"wait({handle})"})[1]["results"], "the result")

    assert ended == waited["results"]
    assert [row["title"] for row in ended[0]["rows"]] == ["Publish"]


def test_the_worker_asks_a_model_for_a_graph(deployed: AsDeployed, stub: StubModels, tmp_path: Path) -> None:
    tools, asked = Tools(tmp_path), len(stub.calls)
    try:
        assert deployed.call("POST", "/v1/tool-servers", {"name": "adds", "url": tools.url})[0] == 201
        status, created = deployed.call("POST", "/v1/graphs", {"goal": "Add two and note it"})
        assert status in (201, 202), created

        found = until(lambda: drafted(deployed, created["plan_id"]), "the end of the draft")

        # whether a graph comes of what the stub answers does not matter: the worker reached the model
        assert len(stub.calls) > asked, found
        assert deployed.call("DELETE", "/v1/tool-servers/adds")[0] == 200
    finally:
        tools.kill()


def drafted(deployed: AsDeployed, graph_id: str) -> object:
    """Return the graph once its draft has ended, None before."""
    found = deployed.call("GET", f"/v1/graphs/{graph_id}")[1]
    return found if found["draft"] is None or found["draft"]["error"] else None


def at_its_end(deployed: AsDeployed, plan_id: str) -> tuple[str, int]:
    """Wait until a run of the state machine has ended; return the state of its plan and how many steps it has."""

    def found() -> tuple[str, int] | None:
        status = deployed.call("GET", f"/v1/plans/{plan_id}")[1]
        ended = status["state"] not in {"pending", "processing"}
        return (status["state"], status["steps_completed"]) if ended else None

    return until(found, "the end of the plan", every=0.5)


def made_since(operator: Operator, plan_id: str) -> set[str]:
    """Return the keys of the steps that a later run than the first one made."""
    return {record.key for record in step_records(operator.files, plan_id) if record.run > 1}


def test_a_stage_may_write_its_files_but_not_delete_them(deployed: AsDeployed, plan: str) -> None:
    s3 = deployed.client("s3", deployed.session_of("PipelineStage016Role"))
    where = {"Bucket": deployed.deployed.outputs["BucketName"], "Key": f"plans/{plan}/note.txt"}

    s3.put_object(**where, Body=b"mine")

    assert s3.get_object(**where)["Body"].read() == b"mine"
    with pytest.raises(ClientError, match="AccessDenied"):
        s3.delete_object(**where)
    with pytest.raises(ClientError, match="AccessDenied"):
        s3.put_object(**where | {"Key": "elsewhere/note.txt"}, Body=b"mine")


def test_the_api_may_keep_implementation_plans_and_a_stage_may_not_touch_them(deployed: AsDeployed, plan: str) -> None:
    status, made = deployed.call("POST", "/v1/implementation-plans/from-plan", {"plan_id": plan})
    assert status == 201, made
    assert deployed.call("GET", f"/v1/implementation-plans/{made['planId']}")[1]["revision"] == 1
    s3 = deployed.client("s3", deployed.session_of("PipelineStage016Role"))
    with pytest.raises(ClientError, match="AccessDenied"):
        s3.put_object(
            Bucket=deployed.deployed.outputs["BucketName"],
            Key=f"implementation-plans/{made['planId']}/revisions/000002.json",
            Body=b"mine",
        )


def test_a_stage_may_not_start_runs_nor_read_the_secret(deployed: AsDeployed) -> None:
    session = deployed.session_of("PipelineStage016Role")
    machine = session.client("stepfunctions", endpoint_url=deployed.aws.endpoint)
    secrets = session.client("secretsmanager", endpoint_url=deployed.aws.endpoint)
    listed = deployed.client("secretsmanager").list_secrets()["SecretList"]
    # the other one holds the keys to models
    (signs,) = [found["ARN"] for found in listed if "RequestState" in found["Name"]]

    with pytest.raises(ClientError, match="AccessDenied"):
        machine.start_execution(stateMachineArn=deployed.deployed.outputs["StateMachineArn"], name="mine", input="{}")
    with pytest.raises(ClientError, match="AccessDenied"):
        secrets.get_secret_value(SecretId=signs)


def test_the_authorizer_may_look_a_key_up_and_write_nothing(deployed: AsDeployed) -> None:
    table = (
        deployed.session_of("AuthorizerRole")
        .resource("dynamodb", endpoint_url=deployed.aws.endpoint)
        .Table(deployed.deployed.outputs["TableName"])
    )

    assert table.get_item(Key={"PK": "KEY#none", "SK": "KEY"}).get("Item") is None
    with pytest.raises(ClientError, match="AccessDenied"):
        table.put_item(Item={"PK": "KEY#none", "SK": "KEY"})
