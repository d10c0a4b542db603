"""The product as AWS runs it: each Lambda on its own bundle, with its own environment and the grants of its role."""

import http.client
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import IO, Any

import boto3

from planloom.planes.strategic.stages.pipeline import stage_named
from planloom_cli.embedded import Deployment, EmbeddedAws

TIMEOUT = 120.0

#: All that a worker has of our environment.
PROCESS = ("PATH", "LANG")


@dataclass
class AsDeployed:
    """The stack on an emulator that runs it as deployed, and a key to it."""

    aws: EmbeddedAws
    deployed: Deployment
    key: str
    workers: dict[Path, "subprocess.Popen[str]"] = field(default_factory=dict)

    def call(self, method: str, path: str, body: object = None) -> tuple[int, Any]:
        """Send a request through the gateway; return status and body."""
        connection = http.client.HTTPConnection("127.0.0.1", self.aws.port, timeout=TIMEOUT)
        where = self.deployed.api_url.removeprefix(self.aws.endpoint) + path
        headers = {"X-API-Key": self.key, "Content-Type": "application/json"}
        connection.request(method, where, json.dumps(body) if body else None, headers)
        answer = connection.getresponse()
        found = answer.status, json.loads(answer.read())
        connection.close()
        return found

    def client(self, service: str, session: boto3.Session | None = None) -> Any:
        """Return a client of *service*, by default with all rights."""
        return (session or self.aws.session()).client(service, endpoint_url=self.aws.endpoint)

    def session_of(self, logical_id: str) -> boto3.Session:
        """Return a session with the role whose logical id begins with *logical_id*."""
        roles = self.client("iam").list_roles()["Roles"]
        (role,) = [found for found in roles if found["RoleName"].startswith(f"PlanloomStack-{logical_id}")]
        given = self.credentials(role["Arn"])
        return boto3.Session(given["AccessKeyId"], given["SecretAccessKey"], given["SessionToken"], "us-east-1")

    def credentials(self, role: str) -> dict[str, str]:
        """Return credentials of the role with ARN *role*."""
        return dict(self.client("sts").assume_role(RoleArn=role, RoleSessionName="test")["Credentials"])

    def run(self, stage: str, plan_id: str, run: int = 1, *, bundle_of: str | None = None) -> str | None:
        """Run *stage* of run *run* as its Lambda would, on the bundle of the stage *bundle_of*, by default its own.

        Returns the traceback of what it raised, or None.
        """
        function = self.stages[stage]
        given = self.credentials(function["Role"])
        environment = {name: os.environ[name] for name in PROCESS if name in os.environ} | {
            "AWS_ACCESS_KEY_ID": given["AccessKeyId"],
            "AWS_SECRET_ACCESS_KEY": given["SecretAccessKey"],
            "AWS_SESSION_TOKEN": given["SessionToken"],
            "AWS_DEFAULT_REGION": "us-east-1",
            "AWS_ENDPOINT_URL": self.aws.endpoint,
            "LAMBDA_TASK_ROOT": "/",
            **function["Environment"]["Variables"],
        }
        preload = ["planloom.models.openai_chat"] if stage_named(bundle_of or stage).asks_model else []
        worker = self.worker(self.code[bundle_of or stage], environment, preload)
        assert worker.stdin
        assert worker.stdout
        worker.stdin.write(json.dumps({"environment": environment, "event": {"plan_id": plan_id, "run": run}}) + "\n")
        worker.stdin.flush()
        return json.loads(worker.stdout.readline() or '"the worker ended"')  # type: ignore[no-any-return]

    def worker(self, code: Path, environment: dict[str, str], preload: list[str]) -> "subprocess.Popen[str]":
        """Return the process that runs the stages whose code is *code*, started on first use."""
        if code not in self.workers:
            script = str(Path(__file__).with_name("isolated_worker.py"))
            self.workers[code] = subprocess.Popen(
                [sys.executable, "-I", "-S", script, str(code), "functions.stage.handler.handler", *preload],
                env=environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                # the functions' logs, beside the emulator's
                stderr=self.stderr,
                text=True,
            )
        return self.workers[code]

    @cached_property
    def stderr(self) -> IO[bytes]:
        """Where all workers log."""
        return (self.aws.folder.root / "workers.log").open("ab")

    @cached_property
    def stages(self) -> dict[str, dict[str, Any]]:
        """The configuration of each stage's Lambda, by the stage's name."""
        pages = self.client("lambda").get_paginator("list_functions").paginate()
        functions = [function for page in pages for function in page["Functions"]]
        named = [(f.get("Environment", {}).get("Variables", {}).get("PLAN_STAGE"), f) for f in functions]
        return {name: function for name, function in named if name}

    @cached_property
    def code(self) -> dict[str, Path]:
        """The folder of each stage's code, by the stage's name."""
        # the only one, whatever was changed in the sources since
        (assembly,) = self.aws.folder.assemblies.iterdir()
        made = assembly / "cdk.out"
        template = json.loads((made / "PlanloomStack.template.json").read_text())
        found = [r["Properties"] for r in template["Resources"].values() if r["Type"] == "AWS::Lambda::Function"]
        return {
            f["Environment"]["Variables"]["PLAN_STAGE"]: made / f"asset.{f['Code']['S3Key'].removesuffix('.zip')}"
            for f in found
            if "PLAN_STAGE" in f["Environment"]["Variables"]
        }

    def log(self) -> str:
        """Return what the emulator and all Lambdas logged."""
        logs = self.client("logs")
        groups = [group["logGroupName"] for group in logs.describe_log_groups()["logGroups"]]
        events = [event for group in groups for event in logs.filter_log_events(logGroupName=group)["events"]]
        ours = (self.aws.folder.log, self.aws.folder.root / "workers.log")
        return "\n".join(
            [*(path.read_text() for path in ours if path.exists()), *(event["message"] for event in events)]
        )


@contextmanager
def ended(deployed: AsDeployed) -> Iterator[AsDeployed]:
    """End the workers of *deployed* afterwards."""
    try:
        yield deployed
    finally:
        for worker in deployed.workers.values():
            worker.communicate()
        deployed.stderr.close()
