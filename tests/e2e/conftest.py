"""The whole service on the embedded AWS, started once: what `planloom up` runs, with a key to it."""

import asyncio
import fcntl
import os
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import httpx2
import pytest

from planloom.accounts.make_key import make_key
from planloom.planes.strategic.example_prompts import example_prompts
from planloom.planes.strategic.plans import TERMINAL
from planloom.wiring.plans import Ports
from planloom_cli.embedded import Deployment, EmbeddedAws, deploy
from planloom_cli.embedded.sources import assembly, find_root, fingerprint
from planloom_cli.local_service import ports_of
from planloom_cli.service import Address, Service, connect

if TYPE_CHECKING:
    from tests.e2e.modelled import ModelledService
    from tests.e2e.observing import Observed

T = TypeVar("T")

#: Seconds. A draft takes about five; a machine that is busy with something else may need many times that.
PATIENCE = 600.0


def until(condition: Callable[[], T | None], what: str, every: float = 0.0) -> T:
    """Poll until *condition* returns something true, and return it.

    Without *every*, in seconds, the time between two polls grows: a poll of the service takes from its processor time.
    """
    deadline, pause = time.monotonic() + PATIENCE, every or 0.02
    while time.monotonic() < deadline:
        if found := condition():
            return found
        time.sleep(pause)
        pause = every or min(0.3, pause * 1.2)
    raise AssertionError(f"not within {PATIENCE} s: {what}")


@dataclass(frozen=True)
class Running:
    """The running service: the AWS under it, its ports, and the address that callers use."""

    aws: EmbeddedAws
    deployment: Deployment
    ports: Ports
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

    def create(self, example_name: str) -> str:
        """Create a plan from an example prompt and return its id."""
        return str(self.call("plan_create", prompt=example(example_name))["plan_id"])

    def status(self, plan_id: str) -> dict[str, Any]:
        """Return what plan_status answers."""
        return self.call("plan_status", plan_id=plan_id)

    def until_state(self, plan_id: str, *states: str) -> dict[str, Any]:
        """Poll until the plan is in one of *states*, by default in any that is an end, and return its status."""
        wanted = states or tuple(TERMINAL)

        def reached() -> str | None:
            plan = self.ports.plans.get(plan_id)
            # it would never come
            assert not plan or plan.state in wanted or plan.state not in TERMINAL, plan
            return plan.state if plan and plan.state in wanted else None

        until(reached, f"{plan_id} in {wanted}")
        return self.status(plan_id)

    def until_folded(self) -> None:
        """Wait until every event published so far has been applied: none is in the queue or being processed."""
        queue = self.queue("PlanEventsQueue")

        def empty() -> bool:
            names = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"]
            counts = self.client("sqs").get_queue_attributes(QueueUrl=queue, AttributeNames=names)["Attributes"]
            return {int(count) for count in counts.values()} == {0}

        until(empty, "the queue of events empty")

    def queue(self, name: str) -> str:
        """Return the URL of the queue whose logical id begins with *name*."""
        (url,) = [url for url in self.queues() if f"-{name}" in url]
        return url

    def queues(self) -> list[str]:
        """Return the URLs of all queues."""
        return list(self.client("sqs").list_queues()["QueueUrls"])

    def client(self, service: str) -> Any:
        """Return an AWS client for what is under the service."""
        return self.aws.session().client(service, endpoint_url=self.aws.endpoint)


def call_http(address: Address, method: str, path: str, body: Any = None) -> Any:
    """Call the HTTP API as another client would, again while it is busy; return its JSON."""
    headers = {"X-API-Key": address.key}

    def answered() -> httpx2.Response | None:
        answer = httpx2.request(method, f"{address.http_url}{path}", json=body, headers=headers, timeout=PATIENCE)
        return answer if answer.status_code != httpx2.codes.TOO_MANY_REQUESTS else None

    answer = until(answered, f"{method} {path}")
    assert answer.is_success, (answer.status_code, answer.text)
    return answer.json()


def running(aws: EmbeddedAws) -> Running:
    """Deploy planloom to *aws* and return it with a key of account acme."""
    deployment = deploy(aws)
    ports = ports_of(aws, deployment)
    address = Address(f"{deployment.api_url}/mcp", deployment.api_url, make_key(ports.keys, ports.clock, "acme"))
    return Running(aws, deployment, ports, address)


def example(name: str) -> str:
    """Return the example prompt *name*."""
    return str(next(sample["prompt"] for sample in example_prompts() if sample["id"] == name))


def new_state(tmp_path_factory: pytest.TempPathFactory, name: str, *, as_deployed: bool = False) -> Path:
    """Return a state folder of a user who has synthesised these sources before: all workers do that once."""
    root = tmp_path_factory.getbasetemp()
    shared = root.parent if "PYTEST_XDIST_WORKER" in os.environ else root
    sources = find_root()
    key = fingerprint(sources, as_deployed=as_deployed)
    # a cache for each: sources that are changed meanwhile would push out an assembly that runs
    cache = shared / f"assembly-{key}"
    cache.mkdir(exist_ok=True)
    with (shared / f"assembly-{key}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assembly(sources, cache, key, as_deployed=as_deployed)
    folder = tmp_path_factory.mktemp(name)
    (folder / "assemblies").mkdir()
    (folder / "assemblies" / key).symlink_to(cache / key)
    return folder


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """planloom's own stack on an embedded AWS; at its end no message may have been given up."""
    with EmbeddedAws(new_state(tmp_path_factory, "planloom-state")) as aws:
        made = running(aws)
        yield made
        dead = [url for url in made.queues() if "Undelivered" in url or "Refused" in url or "Missed" in url]
        given_up = {
            url.rpartition("/")[2]: message["Body"]
            for url in dead
            for message in made.client("sqs").receive_message(QueueUrl=url).get("Messages", [])
        }
        assert len(dead) == 6
        assert given_up == {}


@pytest.fixture
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A state folder in which nothing ran yet."""
    return new_state(tmp_path_factory, "state")


@pytest.fixture(scope="session")
def modelled(tmp_path_factory: pytest.TempPathFactory) -> Iterator["ModelledService"]:
    """The service with models, as `planloom up` starts it."""
    from tests.e2e.modelled import modelled_service

    with modelled_service(new_state(tmp_path_factory, "modelled-state")) as made:
        yield made


@pytest.fixture(scope="session")
def stopped_and_drafted(service: Running) -> tuple[str, str]:
    """Two plans that ran side by side: one was stopped in the middle, the other came to its end afterwards."""
    stopped, drafted = service.create("flood-wall-aalborg"), service.create("bakery-cafe-lisbon")
    until(lambda: _steps(service, stopped) >= 3, "three steps of the plan that is to be stopped")
    assert service.call("plan_stop", plan_id=stopped)["state"] == "stopped"
    assert service.until_state(drafted)["state"] == "completed"
    service.until_folded()
    return stopped, drafted


@pytest.fixture(scope="session")
def drafted(stopped_and_drafted: tuple[str, str]) -> str:
    """The id of a plan that has been drafted to its end."""
    return stopped_and_drafted[1]


@pytest.fixture(scope="session")
def observed(service: Running, drafted: str) -> "Observed":
    """A plan that was observed while it was drafted, by workers that had drafted one before."""
    assert drafted
    from tests.e2e.observing import observe

    return observe(service)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder for downloads."""
    return tmp_path / "downloads"


def _steps(service: Running, plan_id: str) -> int:
    plan = service.ports.plans.get(plan_id)
    assert plan
    assert plan.state not in TERMINAL, plan
    return len(plan.steps_finished)
