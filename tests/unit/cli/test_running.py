"""Which service a command speaks to: one that runs with the same state folder, and no other."""

import stat
from pathlib import Path

import pytest

from planloom_cli.embedded.state_folder import StateFolder
from planloom_cli.running import NAME, address_of, announce, announced, withdraw
from planloom_cli.service import Address
from tests.unit.cli.conftest import Command, ended

ADDRESS = Address("http://127.0.0.1:4566/x/mcp", "http://127.0.0.1:4566/x", "pex_k")


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return tmp_path / "state"


def test_a_running_service_is_found_until_it_deletes_its_address(state: Path) -> None:
    folder = StateFolder(state)
    folder.lock()

    announce(state, ADDRESS)

    assert announced(state) == ADDRESS
    assert stat.S_IMODE((state / NAME).stat().st_mode) == 0o600, "it holds the key"
    withdraw(state)
    assert announced(state) is None
    folder.unlock()


def test_a_killed_service_is_not_found(state: Path) -> None:
    folder = StateFolder(state)
    folder.lock()
    announce(state, ADDRESS)

    folder.unlock()

    assert announced(state) is None


def test_a_draft_starts_a_service_where_the_announced_one_was_killed(command: Command, tmp_path: Path) -> None:
    command.state.mkdir()
    announce(command.state, ADDRESS)

    assert ended(command.run("draft", "Open a bakery.", "-o", str(tmp_path)))[0] == 0
    assert command.started == [command.state]


def test_a_draft_uses_the_announced_service(command: Command, tmp_path: Path) -> None:
    folder = StateFolder(command.state)
    folder.lock()
    announce(command.state, ADDRESS)

    assert ended(command.run("draft", "Open a bakery.", "-o", str(tmp_path)))[0] == 0
    assert (command.service.addresses, command.started) == ([ADDRESS], [])
    folder.unlock()


@pytest.mark.parametrize("text", ["", "{}", "no json", '{"mcp_url": 1}'])
def test_an_announcement_that_cannot_be_read_is_none(state: Path, text: str) -> None:
    state.mkdir()
    (state / NAME).write_text(text)

    assert announced(state) is None


@pytest.mark.parametrize(
    "url", ["https://a.test/api", "https://a.test/api/", "https://a.test/api/mcp", "https://a.test/api/mcp/"]
)
def test_an_address_is_taken_with_and_without_its_endpoint(url: str) -> None:
    assert address_of(url, "k") == Address("https://a.test/api/mcp", "https://a.test/api", "k")
