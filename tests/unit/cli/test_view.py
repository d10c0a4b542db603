"""`planloom view`: the address of the viewer, and a browser on it."""

import webbrowser

import pytest
from typer.testing import CliRunner

from planloom_cli.main import app

SERVICE = ["--url", "https://planloom.test/api", "--key", "pex_secret"]


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The addresses that a browser was sent to."""
    found: list[str] = []
    monkeypatch.setattr(webbrowser, "open", found.append)
    return found


@pytest.mark.parametrize(
    ("words", "address"),
    [
        ([], "https://planloom.test/api/app/"),
        (["7f1c1c52"], "https://planloom.test/api/app/#/open/7f1c1c52"),
        (["a/b?c"], "https://planloom.test/api/app/#/open/a%2Fb%3Fc"),
    ],
)
def test_the_address_is_printed_and_opened_without_the_key(opened, words, address):
    ended = CliRunner().invoke(app, ["view", *words, *SERVICE])

    assert (ended.exit_code, ended.output.strip()) == (0, address)
    assert opened == [address]


def test_open_without_a_plan_opens_it_too(opened):
    ended = CliRunner().invoke(app, ["open", *SERVICE])

    assert (ended.exit_code, ended.output.strip()) == (0, "https://planloom.test/api/app/")
    assert opened == ["https://planloom.test/api/app/"]


def test_no_browser_prints_only_the_address(opened):
    ended = CliRunner().invoke(app, ["view", "--no-browser", *SERVICE])

    assert (ended.exit_code, ended.output.strip()) == (0, "https://planloom.test/api/app/")
    assert opened == []
