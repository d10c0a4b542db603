"""The Lambdas' handlers over ports in memory, and what they write to their logs."""

import asyncio
import io
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from functions.authorizer import handler as authorizer
from functions.stage import handler as stage
from planloom import wiring
from planloom.settings import Settings
from planloom.wiring import approvals as wiring_approvals
from planloom.wiring import notifications as wiring_notifications
from planloom.wiring import runs as wiring_runs
from planloom.wiring import workflows as wiring_workflows
from tests.fake_ports import Fakes
from tests.unit.graphs.services import Services
from tests.unit.notifications.fakes import Setting
from tests.unit.strategic.services.drafted import spied
from tests.unit.strategic.services.spy import Spy
from tests.unit.workflows.fakes import Services as FlowServices


@dataclass
class Context:
    """What Lambda hands a handler."""

    function_name: str = "planloom"
    memory_limit_in_mb: int = 512
    invoked_function_arn: str = "arn:aws:lambda:eu-west-1:123456789012:function:planloom"
    aws_request_id: str = "request-1"


@dataclass
class Log:
    """Everything that handlers wrote: log lines, metrics, warnings."""

    stream: io.StringIO
    captured: pytest.CaptureFixture[str]

    def text(self) -> str:
        """Return all of it."""
        self._printed = getattr(self, "_printed", "") + "".join(self.captured.readouterr())
        return self.stream.getvalue() + self._printed

    def messages(self) -> list[dict[str, Any]]:
        """Return the lines of the log."""
        return [json.loads(line) for line in self.stream.getvalue().splitlines()]

    def metrics(self) -> list[dict[str, Any]]:
        """Return the metrics, as CloudWatch reads them from standard output."""
        return [json.loads(line) for line in self.text().splitlines() if '"_aws"' in line]


@pytest.fixture
def spy() -> Spy:
    return Spy()


@pytest.fixture
def fakes(monkeypatch: pytest.MonkeyPatch, spy: Spy) -> Fakes:
    """Ports in memory behind every handler, whose every model is the spy."""
    made = spied(spy)
    monkeypatch.setattr(wiring, "ports", lambda: made.ports)
    monkeypatch.setattr(wiring_runs, "runs", lambda: Services().runs)
    monkeypatch.setattr(wiring_notifications, "webhooks", lambda: Setting().webhooks)
    monkeypatch.setattr(wiring_approvals, "approvals", lambda: FlowServices().executor.approvals)
    monkeypatch.setattr(wiring_workflows, "executor", lambda: FlowServices().executor)
    return made


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Log:
    """What handlers log after this; all of them share one log handler, which took standard output on import."""
    stream = io.StringIO()
    monkeypatch.setattr(authorizer.logger.registered_handler, "stream", stream)
    return Log(stream, capsys)


@pytest.fixture
def run_stage(monkeypatch: pytest.MonkeyPatch, fakes: Fakes) -> Iterator[Callable[[str, dict[str, Any]], None]]:
    """Run a stage's Lambda, by the name that its PLAN_STAGE would hold."""
    runner = asyncio.Runner()
    monkeypatch.setattr(stage, "_loop", lambda: runner)
    monkeypatch.setattr(stage.metrics.provider, "namespace", "planloom")

    def run(name: str, event: dict[str, Any]) -> None:
        monkeypatch.setattr(wiring, "settings", lambda: Settings.read({"PLAN_STAGE": name}))
        stage.handler(event, Context())

    yield run
    runner.close()


def batch(*bodies: Any) -> dict[str, Any]:
    """Return an SQS event of *bodies*; texts are taken as they are, all else as JSON."""
    return {
        "Records": [
            {
                "messageId": f"m{number}",
                "receiptHandle": "r",
                "body": body if isinstance(body, str) else json.dumps(body),
                "attributes": {},
                "messageAttributes": {},
                "md5OfBody": "",
                "eventSource": "aws:sqs",
                "eventSourceARN": "arn:aws:sqs:eu-west-1:123456789012:queue",
                "awsRegion": "eu-west-1",
            }
            for number, body in enumerate(bodies)
        ]
    }


def failed(*numbers: int) -> dict[str, Any]:
    """Return the answer that has the records *numbers* delivered again."""
    return {"batchItemFailures": [{"itemIdentifier": f"m{number}"} for number in numbers]}
