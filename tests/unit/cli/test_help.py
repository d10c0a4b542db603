"""`planloom --help` and the help of each command: nothing is left without a word, nor out of the guide."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main
from rich.text import Text

from planloom.planes import PLANES
from planloom_cli.main import app
from tests.unit.cli.conftest import Command

GUIDE = Path(__file__).parents[3] / "docs" / "command.md"


def commands(group: Any, words: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    """Yield each command below *group* with the words that are typed for it."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, (*words, name))
        yield " ".join((*words, name)), command


ALL = dict(commands(typer.main.get_command(app)))


@pytest.mark.parametrize("words", ALL)
def test_each_command_says_what_it_does_and_what_it_takes(words: str) -> None:
    command = ALL[words]
    assert len(command.help or "") > 20
    assert [each.name for each in command.params if not getattr(each, "help", None)] == []


def test_every_command_answers_in_json_but_those_that_print_no_answer() -> None:
    silent = {words for words, command in ALL.items() if not any("--json" in each.opts for each in command.params)}
    assert silent == {
        "mcp",
        "view",
        "keys",
        "credits",
        "policy",
        "graph",
        "graph servers",
        "graph schedule",
        "graph budget",
        "workflow",
        "webhook",
    }


@pytest.mark.parametrize("words", [words for words, command in ALL.items() if not hasattr(command, "commands")])
def test_each_command_and_each_of_its_options_is_in_the_guide(words: str) -> None:
    rows = [line for line in GUIDE.read_text(encoding="utf-8").splitlines() if line.startswith("|")]
    own = [row for row in rows if re.search(rf"`(?:planloom )?{words.split()[0]}\b", row.split(" | ")[0])]
    assert all(any(word in row for row in own) for word in words.split()[1:])
    # what many commands take has a row of its own
    told = " ".join((*own, *(row for row in rows if row.startswith("| `--"))))
    options = [param for param in ALL[words].params if any(name.startswith("--") for name in param.opts)]
    untold = [
        option.opts for option in options if not any(name in told for name in (*option.opts, *option.secondary_opts))
    ]
    assert own
    assert untold == []


@pytest.mark.parametrize("words", ALL)
def test_help_shows_all_brackets(words: str) -> None:
    texts = [ALL[words].help or "", *(getattr(each, "help", None) or "" for each in ALL[words].params)]
    assert [Text.from_markup(each).plain for each in texts] == [each.replace("\\[", "[") for each in texts]


def test_the_help_of_mcp_names_all_planes(command: Command) -> None:
    shown = command.run("mcp", "--help").stdout
    assert [plane.mcp_path for plane in PLANES if plane.mcp_path not in shown] == []


def test_a_newcomer_finds_draft_first(command: Command) -> None:
    shown = command.run("--help").stdout
    places = [shown.index(f" {name} ") for name in ("draft", "status", "resume", "share", "keys")]
    assert places == sorted(places)


def test_help_shows_the_options_that_a_command_takes_as_a_bundle(command: Command) -> None:
    shown = command.run("resume", "--help").stdout
    for option in ("--profile", "--force-upgrade", "--output", "--state", "--url", "--key", "--json"):
        assert option in shown


def test_an_invalid_command_line_ends_with_2_and_names_the_error(command: Command) -> None:
    for words, said in ((["statsu"], "statsu"), (["stop"], "plan_id"), (["list", "--limit", "x"], "--limit")):
        result = command.run(*words)
        assert (result.exit_code, said in result.stderr) == (2, True), result.stderr
