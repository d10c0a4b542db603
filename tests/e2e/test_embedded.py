"""The embedded AWS: it starts, deploys, keeps what it has, gives way to nobody, and runs the stack as AWS would."""

import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import planloom
from planloom.planes.strategic.stages.pipeline import PIPELINE
from planloom_cli.embedded import (
    DeployFailed,
    Deployment,
    EmbeddedAws,
    FolderInUse,
    FolderUnusable,
    NoSources,
    NotReady,
    PortInUse,
    deploy,
)
from planloom_cli.embedded import sources as embedded_sources
from planloom_cli.embedded.ports import free_port, is_free
from planloom_cli.embedded.sources import find_root
from tests.e2e.roots import ROOT, write_tiny_root

#: Far more than any wait here takes; a poll that runs out says what it waited for.
PATIENCE = 300.0


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_root(tmp_path_factory.mktemp("sources"))


@pytest.fixture(scope="module")
def aws(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedAws]:
    with EmbeddedAws(tmp_path_factory.mktemp("state")) as running:
        yield running


@pytest.fixture(scope="module")
def deployed(aws: EmbeddedAws, root: Path) -> Deployment:
    return deploy(aws, root)


@pytest.fixture
def state(tmp_path: Path, aws: EmbeddedAws, deployed: Deployment) -> Path:
    """A folder of a user who has synthesised these sources before: it takes seconds, and is tested once."""
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / "assemblies").symlink_to(aws.folder.assemblies)
    return tmp_path / "state"


def until(condition: Callable[[], Any], what: str) -> Any:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if found := condition():
            return found
        time.sleep(0.05)
    raise AssertionError(f"not within {PATIENCE} s: {what}")


def get(aws: EmbeddedAws, deployed: Deployment, path: str, key: str | None = None) -> tuple[int, dict[str, Any]]:
    connection = http.client.HTTPConnection("127.0.0.1", aws.port, timeout=PATIENCE)
    where = deployed.api_url.removeprefix(aws.endpoint)
    connection.request("GET", where + path, headers={"X-API-Key": key} if key else {})
    answer = connection.getresponse()
    body = json.loads(answer.read())
    connection.close()
    return answer.status, body


def run(aws: EmbeddedAws, deployed: Deployment, plan_id: str, target: str = "build_plan") -> str:
    """Start a run; return its status once it has ended."""
    machine = aws.session().client("stepfunctions", endpoint_url=aws.endpoint)
    execution = machine.start_execution(
        stateMachineArn=deployed.outputs["StateMachineArn"],
        name=f"{plan_id}-1",
        input=json.dumps({"plan_id": plan_id, "run": 1, "target": target}),
    )["executionArn"]

    def ended() -> str | None:
        status = machine.describe_execution(executionArn=execution)["status"]
        return None if status == "RUNNING" else status

    return str(until(ended, f"the end of {plan_id}"))


def running_in_group(group: int) -> list[int]:
    """Return the processes of a process group that have not ended; those that nobody collected have."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        # Processes end while we look
        with suppress(OSError):
            state, _, process_group, *_ = path.read_text().rpartition(")")[2].split()
            if int(process_group) == group and state != "Z":
                found.append(int(path.parent.name))
    return found


def items(aws: EmbeddedAws, deployed: Deployment, plan_id: str) -> dict[str, dict[str, Any]]:
    table = aws.session().resource("dynamodb", endpoint_url=aws.endpoint).Table(deployed.outputs["TableName"])
    found = table.query(KeyConditionExpression="PK = :plan", ExpressionAttributeValues={":plan": f"PLAN#{plan_id}"})
    return {str(item["SK"]): item for item in found["Items"]}


def files(aws: EmbeddedAws, deployed: Deployment, plan_id: str) -> set[str]:
    s3 = aws.session().client("s3", endpoint_url=aws.endpoint)
    listed = s3.list_objects_v2(Bucket=deployed.outputs["BucketName"], Prefix=f"plans/{plan_id}/")
    return {found["Key"].rpartition("/")[2] for found in listed.get("Contents", [])}


def test_a_run_passes_every_stage_and_its_events_and_its_end_reach_the_table(
    aws: EmbeddedAws, deployed: Deployment
) -> None:
    status = run(aws, deployed, "p1")

    stages = {stage.name for stage in PIPELINE}
    wanted = {f"STEP#{name}" for name in stages} | {"PLAN"}
    until(lambda: set(items(aws, deployed, "p1")) == wanted, "all events in the table")
    assert status == "SUCCEEDED"
    assert files(aws, deployed, "p1") == stages
    assert items(aws, deployed, "p1")["PLAN"]["status"] == "SUCCEEDED"


def test_a_stage_that_raises_fails_the_run_and_nothing_after_it_starts(aws: EmbeddedAws, deployed: Deployment) -> None:
    status = run(aws, deployed, "fails-at-draft")

    until(lambda: "PLAN" in items(aws, deployed, "fails-at-draft"), "the end of the run in the table")
    assert status == "FAILED"
    assert items(aws, deployed, "fails-at-draft")["PLAN"]["status"] == "FAILED"
    assert files(aws, deployed, "fails-at-draft") == {"start", "screening", "premise_attack", "draft"}


def test_a_validation_passes_its_four_stages_alone(aws: EmbeddedAws, deployed: Deployment) -> None:
    status = run(aws, deployed, "p2", target="validate_plan")

    assert status == "SUCCEEDED"
    assert files(aws, deployed, "p2") == {"expert_criticism", "review_plan", "self_audit", "report"}


@pytest.mark.parametrize(("key", "status", "code"), [(None, 401, "API_KEY_REQUIRED"), ("bad", 403, "API_KEY_INVALID")])
def test_the_gateway_refuses_a_missing_and_a_wrong_key_and_names_it(
    aws: EmbeddedAws, deployed: Deployment, key: str | None, status: int, code: str
) -> None:
    answered, body = get(aws, deployed, "/v1/plans", key)

    assert (answered, body["error"]["code"]) == (status, code)
    assert "API key" in body["error"]["message"]


def test_a_good_key_comes_through_with_its_account_and_health_without_a_key(
    aws: EmbeddedAws, deployed: Deployment
) -> None:
    status, body = get(aws, deployed, "/v1/plans", "good")
    healthy, health = get(aws, deployed, "/health")

    assert (status, body["path"], body["account"]) == (200, "/v1/plans", "a1")
    assert (healthy, health["path"], health["account"]) == (200, "/health", None)


def test_a_lambda_runs_the_deployed_code_and_sees_nothing_of_the_users_environment(
    aws: EmbeddedAws, deployed: Deployment
) -> None:
    _, body = get(aws, deployed, "/health")

    # An editable install of planloom is on the path too, behind the deployed code
    assert Path(body["planloom"]).is_relative_to(aws.folder.assemblies)
    assert "PYTEST_CURRENT_TEST" in os.environ
    assert not {name for name in body["environment"] if name.startswith("PYTEST")}


def test_it_listens_on_the_loopback_interface_alone(aws: EmbeddedAws, deployed: Deployment) -> None:
    tables = [Path(f"/proc/net/{name}").read_text().splitlines()[1:] for name in ("tcp", "tcp6")]
    listening = [line.split()[1].split(":") for table in tables for line in table if line.split()[3] == "0A"]

    assert [address for address, port in listening if int(port, 16) == aws.port] == ["0100007F"]


def test_a_second_process_is_refused_the_folder_and_told_who_has_it(aws: EmbeddedAws) -> None:
    with pytest.raises(FolderInUse, match=rf"process {os.getpid()} \(planloom on port {aws.port}\)"):
        EmbeddedAws(aws.folder.root).start()

    assert aws.pid is not None


def test_a_port_in_use_is_refused_with_the_process_that_listens_there(aws: EmbeddedAws, tmp_path: Path) -> None:
    with pytest.raises(PortInUse, match=f"Port {aws.port} is in use by process {aws.pid}"):
        EmbeddedAws(tmp_path, port=aws.port).start()

    # Nothing is left behind that would keep the next start from the folder
    with EmbeddedAws(tmp_path) as other:
        assert other.port != aws.port


def test_deploying_the_same_sources_again_changes_nothing(aws: EmbeddedAws, deployed: Deployment, root: Path) -> None:
    again = deploy(aws, root)

    assert not again.changed
    assert (again.outputs, again.api_url) == (deployed.outputs, deployed.api_url)


def test_a_restart_keeps_port_stack_items_and_files(state: Path, root: Path) -> None:
    with EmbeddedAws(state) as first:
        before = deploy(first, root)
        assert run(first, before, "p1", target="validate_plan") == "SUCCEEDED"
        until(lambda: len(items(first, before, "p1")) == 5, "four events and the end in the table")
        kept = items(first, before, "p1"), files(first, before, "p1"), first.port

    with EmbeddedAws(state) as second:
        after = deploy(second, root)
        assert not after.changed
        assert after.api_url == before.api_url
        assert (items(second, after, "p1"), files(second, after, "p1"), second.port) == kept
        assert get(second, after, "/v1/plans", "good")[0] == 200


def test_a_changed_source_is_deployed_and_the_plans_stay(tmp_path: Path, state: Path) -> None:
    sources = write_tiny_root(tmp_path / "sources")
    with EmbeddedAws(state) as aws:
        before = deploy(aws, sources)
        assert get(aws, before, "/health")[1]["path"] == "/health"
        assert run(aws, before, "p1", target="validate_plan") == "SUCCEEDED"

        handler = sources / "functions" / "api" / "handler.py"
        handler.write_text(handler.read_text().replace('event["path"]', '"changed"'))
        after = deploy(aws, sources)

        assert after.changed
        assert after.api_url == before.api_url
        assert get(aws, after, "/health")[1]["path"] == "changed"
        assert len(files(aws, after, "p1")) == 4


def test_sources_that_do_not_synthesise_are_refused_with_the_reason_and_the_old_stack_serves_on(
    tmp_path: Path, state: Path
) -> None:
    broken = write_tiny_root(tmp_path / "sources")
    with EmbeddedAws(state) as aws:
        before = deploy(aws, broken)
        (broken / "infra" / "local.py").write_text("raise RuntimeError('not today')")

        with pytest.raises(DeployFailed, match="not today"):
            deploy(aws, broken)

        assert get(aws, before, "/health")[0] == 200


def test_stopping_leaves_no_process_and_frees_port_and_folder(state: Path, root: Path) -> None:
    aws = EmbeddedAws(state)
    aws.start()
    deployed = deploy(aws, root)
    get(aws, deployed, "/v1/plans", "good")
    child, port = aws.pid or 0, aws.port
    # the emulator, the server of forks, and two workers, each with what started it
    assert len(running_in_group(child)) == 6

    aws.stop()

    assert is_free(port)
    until(lambda: not running_in_group(child), "the end of the workers")
    with EmbeddedAws(state) as again:
        assert again.port == port


def test_a_stack_whose_assembly_was_deleted_is_deployed_again(
    state: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with EmbeddedAws(state) as aws:
        before = deploy(aws, root)
    made = aws.folder.assemblies.readlink()
    aws.folder.assemblies.unlink()

    def copy(_root: Path, target: Path, _options: list[str]) -> None:
        """Synthesise in no time what was synthesised before."""
        shutil.copytree(made / target.name, target)

    monkeypatch.setattr(embedded_sources, "_synthesise", copy)
    with EmbeddedAws(state) as aws:
        after = deploy(aws, root)
        assert after.changed
        assert after.outputs == before.outputs
        assert get(aws, after, "/v1/plans", "good")[0] == 200


def test_a_killed_parent_takes_its_aws_along_with_the_state_saved(tmp_path: Path) -> None:
    script = (
        "import sys, time; from pathlib import Path; from planloom_cli.embedded import EmbeddedAws\n"
        "aws = EmbeddedAws(Path(sys.argv[1])); aws.start()\n"
        "aws.session().client('sqs', endpoint_url=aws.endpoint).create_queue(QueueName='kept')\n"
        "print(aws.port, flush=True); time.sleep(600)"
    )
    with subprocess.Popen([sys.executable, "-c", script, str(tmp_path)], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        port = int(parent.stdout.readline())
        parent.send_signal(signal.SIGKILL)

    until(lambda: is_free(port), "the port of the killed parent's AWS free")

    def started_again() -> EmbeddedAws | None:
        try:
            aws = EmbeddedAws(tmp_path)
            aws.start()
        except FolderInUse:
            return None
        return aws

    aws = until(started_again, "the folder free")
    queues = aws.session().client("sqs", endpoint_url=aws.endpoint).list_queues()["QueueUrls"]
    aws.stop()
    assert [url.rpartition("/")[2] for url in queues] == ["kept"]


def test_a_killed_aws_is_started_again_and_deployed_again(state: Path, root: Path) -> None:
    aws = EmbeddedAws(state)
    aws.start()
    deploy(aws, root)
    os.kill(aws.pid or 0, signal.SIGKILL)
    aws.stop()

    with EmbeddedAws(state) as again:
        deployed = deploy(again, root)
        assert get(again, deployed, "/v1/plans", "good")[0] == 200


def test_a_child_that_cannot_start_is_told_with_its_last_words(tmp_path: Path) -> None:
    with pytest.raises(NotReady, match=r"(?s)aws\.log, ends with:.*encodings"):
        EmbeddedAws(tmp_path, environment={"PYTHONHOME": "/nowhere"}).start()

    with EmbeddedAws(tmp_path) as aws:
        assert aws.pid is not None


def test_a_folder_that_cannot_be_made_is_told_by_name(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")

    with pytest.raises(FolderUnusable, match=r"file/state cannot be used \(Not a directory\)"):
        EmbeddedAws(tmp_path / "file" / "state").start()


def test_the_sources_are_found_from_an_editable_install_and_missed_without_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert find_root() == ROOT

    monkeypatch.setattr(planloom, "__file__", str(tmp_path / "site-packages" / "planloom" / "__init__.py"))
    with pytest.raises(NoSources, match="make setup"):
        find_root()


def test_ports_are_told_apart_by_whether_somebody_listens() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        assert not is_free(taken.getsockname()[1])
    assert is_free(free_port())
