"""The API over a world in memory."""

from collections.abc import Iterator

import pytest

from functions.api import handler
from planloom import wiring, wiring_graphs
from tests.unit.graphs.services import Services
from tests.unit.services.drafted import spied
from tests.unit.services.spy import Spy
from tests.worlds import Fakes, make_fakes


@pytest.fixture(scope="session", autouse=True)
def lambda_process() -> Iterator[None]:
    """End what lives as long as the Lambda's process does."""
    yield
    handler._loop.close()


@pytest.fixture
def fakes(monkeypatch: pytest.MonkeyPatch) -> Fakes:
    """A world in memory behind the API Lambda."""
    made = make_fakes()
    monkeypatch.setattr(wiring, "world", lambda: made.world)
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
    monkeypatch.setattr(wiring, "world", lambda: made.world)
    monkeypatch.setattr(wiring, "request_state_key", lambda: b"0123456789abcdef0123456789abcdef")
    return made
