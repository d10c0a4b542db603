"""Starting the service here: what is said where it cannot be started."""

from pathlib import Path

import pytest

from planloom_cli import exits, local_service
from planloom_cli.embedded import DeployFailed, EmbeddedError, FolderInUse, NotReady
from tests.unit.cli.conftest import Command, ended


@pytest.mark.parametrize(
    ("error", "helps"),
    [
        (NotReady("It ended at once (1)."), True),
        (DeployFailed("The stack is gone."), True),
        (FolderInUse("Another process works there. Stop it."), False),
    ],
)
def test_the_log_and_the_advice_are_printed_once_if_the_error_has_none(
    command: Command, monkeypatch: pytest.MonkeyPatch, error: EmbeddedError, helps: bool
) -> None:
    def start(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(local_service, "EmbeddedAws", start)
    code, said = ended(command.run("up"))
    assert code == exits.UNREACHABLE
    assert said.startswith(f"planloom: {error}")
    log = Path(command.state).resolve() / "aws.log"
    assert [said.count(words) for words in ("make setup", "--state", str(log))] == [helps] * 3
