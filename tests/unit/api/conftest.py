"""The API over ports in memory."""

from collections.abc import Iterator

import pytest

from functions.api import handler
from planloom import wiring
from planloom.wiring import graphs as wiring_graphs
from tests.fake_ports import Fakes, make_fakes
from tests.unit.graphs.services import Services
from tests.unit.strategic.services.drafted import spied
from tests.unit.strategic.services.spy import Spy


@pytest.fixture(scope="session", autouse=True)
def lambda_process() -> Iterator[None]:
    """End what lives as long as the Lambda's process does."""
    yield
    handler._loop.close()


@pytest.fixture
def fakes(monkeypatch: pytest.MonkeyPatch) -> Fakes:
    """Ports in memory behind the API Lambda."""
    made = make_fakes()
    monkeypatch.setattr(wiring, "ports", lambda: made.ports)
    services = Services()
    for name in ("graphs", "runs"):
        monkeypatch.setattr(wiring_graphs, name, lambda name=name: getattr(services, name))
    monkeypatch.setattr(wiring_graphs, "tool_servers", lambda: services.servers)
    monkeypatch.setattr(wiring, "request_state_key", lambda: b"0123456789abcdef0123456789abcdef")
    return made


@pytest.fixture
def asking(monkeypatch: pytest.MonkeyPatch) -> Fakes:
    """The same, whose every model profile is a language model."""
    made = spied(Spy())
    monkeypatch.setattr(wiring, "ports", lambda: made.ports)
    monkeypatch.setattr(wiring, "request_state_key", lambda: b"0123456789abcdef0123456789abcdef")
    return made
