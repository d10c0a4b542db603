"""The service as `planloom up` starts it where models are configured, with a stub in place of all of them."""

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest

from bench.stub_models import StubModels
from planloom_cli.embedded.session import make_session
from planloom_cli.local_service import local_service
from planloom_cli.reach import reach
from planloom_cli.service import Address
from tests.e2e.conftest import example
from tests.unit.strategic.services.spy import Brief

KEY = "sk-secret-of-the-endpoint"
AWS_KEY = "secret-of-the-aws-account"
#: Cold workers import the model library side by side, one for each stage.
PATIENCE = 420.0


@dataclass(frozen=True)
class ModelledService:
    """The service as `planloom up` starts it, the stub behind it, and its state folder."""

    address: Address
    stub: StubModels
    state: Path

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        return reach(self.address, lambda service: service.call(tool, **arguments))

    def drafted(self, profile: str = "custom", detail: str = "standard") -> dict[str, Any]:
        """Draft the bakery; return its last status."""
        prompt = example("bakery-cafe-lisbon")
        created = self.call("plan_create", prompt=prompt, model_profile=profile, detail=detail)
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            status = self.call("plan_status", plan_id=created["plan_id"])
            if status["state"] in ("completed", "failed", "stopped"):
                return status
            time.sleep(0.5)
        raise AssertionError(f"still {status['state']} after {PATIENCE} s, at {status['current_step']}")

    def answers(self, plan_id: str, key: str = "") -> dict[str, str]:
        """Return the tag of each answer kept for the stage *key*, by default of all, by path; of active stages too."""
        s3 = make_session().client("s3", endpoint_url=self.address.http_url.partition("/_aws/")[0])
        (bucket,) = [each["Name"] for each in s3.list_buckets()["Buckets"] if each["Name"].startswith("planloomstack")]
        found = s3.list_objects_v2(Bucket=bucket, Prefix=f"plans/{plan_id}/{key}").get("Contents", [])
        return {file["Key"]: file["ETag"] for file in found if "-0-" in file["Key"]}

    def file(self, plan_id: str, artifact: str) -> bytes:
        url = self.call("plan_file_info", plan_id=plan_id, artifact=artifact)["download_url"]
        return httpx2.get(url, timeout=PATIENCE).content


@contextmanager
def modelled_service(state: Path) -> Iterator[ModelledService]:
    """Start the service in *state* with the settings of an endpoint and of Bedrock, which lead to one stub."""
    with StubModels(answerer=Brief) as stub, ExitStack() as stack:
        settings = {
            "OPENAI_BASE_URL": stub.url,
            "OPENAI_API_KEY": KEY,
            "PLANLOOM_MODEL": "stub-large",
            "PLANLOOM_BEDROCK": "eu",
            "PLANLOOM_BEDROCK_URL": stub.bedrock_url,
            "PLANLOOM_BEDROCK_REGION": "eu-west-1",
            "PLANLOOM_BEDROCK_KEY_ID": "AKIASTUB",
            "PLANLOOM_BEDROCK_KEY": AWS_KEY,
        }
        with pytest.MonkeyPatch.context() as patch:
            for name, value in settings.items():
                patch.setenv(name, value)
            address = stack.enter_context(local_service(state, None, lambda _: None))
        yield ModelledService(address, stub, state)
