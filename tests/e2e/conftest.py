"""The whole service on the embedded AWS, started once: what `planloom up` runs, with a key to it."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import pytest

from planloom.services.make_key import make_key
from planloom.services.world import World
from planloom_cli.embedded import EmbeddedAws, deploy
from planloom_cli.local_service import world_of
from planloom_cli.service import Address, Service, connect

T = TypeVar("T")

#: A draft takes about 20 s here; a machine that is busy with something else may need several times that.
PATIENCE = 180.0


@dataclass(frozen=True)
class Running:
    """The running service: the AWS under it, its ports, and the address that callers use."""

    aws: EmbeddedAws
    world: World
    address: Address

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call one tool over MCP and return its answer; raises ServiceError."""
        return self.do(lambda service: service.call(tool, **arguments))

    def do(self, work: Callable[[Service], Awaitable[T]]) -> T:
        """Do *work* with an open connection."""

        async def connected() -> T:
            async with connect(self.address) as service:
                return await work(service)

        return asyncio.run(connected())

    def until(self, plan_id: str, *states: str) -> dict[str, Any]:
        """Poll until the plan is in one of *states* and return its status."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            status = self.call("plan_status", plan_id=plan_id)
            if status["state"] in states:
                return status
            time.sleep(0.3)
        raise AssertionError(f"not {states} within {PATIENCE} s: {status}")


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """planloom's own stack on an embedded AWS."""
    with EmbeddedAws(tmp_path_factory.mktemp("planloom-state")) as aws:
        deployment = deploy(aws)
        world = world_of(aws, deployment)
        address = Address(f"{deployment.api_url}/mcp", deployment.api_url, make_key(world, "acme"))
        yield Running(aws, world, address)


@pytest.fixture(scope="session")
def drafted(service: Running) -> str:
    """The id of a plan that has been drafted to its end."""
    plan_id = str(service.call("plan_create", prompt=example("bakery-cafe-lisbon"))["plan_id"])
    assert service.until(plan_id, "completed", "failed", "stopped")["state"] == "completed"
    return plan_id


def example(name: str) -> str:
    """Return the example prompt *name*."""
    from planloom.api.example_prompts import example_prompts

    return str(next(sample["prompt"] for sample in example_prompts() if sample["id"] == name))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder for downloads."""
    return tmp_path / "downloads"
