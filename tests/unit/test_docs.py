"""What the README and the guides say can be typed and followed."""

import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer.main

from planloom_cli.main import app

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
CONTRACT = (ROOT / "docs" / "contract.md").read_text(encoding="utf-8")
PLANLOOM = typer.main.get_command(app)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_to_a_file(page: Path) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)\)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_word_and_option_that_is_typed_after_planloom_is_one_that_it_knows(page: Path) -> None:
    assert {words: strange for words in typed(page) if (strange := unknown(words))} == {}


def test_words_and_options_that_planloom_does_not_know_are_found() -> None:
    for words in ("draw", "keys shred KEY", "list --all", "keys create\\|shred", "resume ID [--force-downgrade]"):
        assert len(unknown(words)) == 1, words


def typed(page: Path) -> list[str]:
    """Return what follows `planloom` in the shell blocks and the code spans of *page*."""
    text = page.read_text(encoding="utf-8")
    blocks = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    lines = [line.partition(" #")[0] for block in blocks for line in block.replace("\\\n", " ").splitlines()]
    spans = re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL))
    found = (re.search(r"(?:^|[\s/])planloom ([a-z-].*)", part) for part in (*lines, *spans))
    return [match[1] for match in found if match]


def unknown(words: str) -> list[str]:
    """Return what of *words*, as typed after `planloom`, is no command, no command of a group or no option there."""
    here: list[Any] = [PLANLOOM]
    rest, strange = words.split(), list[str]()
    while rest and hasattr(here[0], "commands") and re.match("[a-z]", rest[0]):
        # create|list|revoke: one of them is typed
        names = re.split(r"\\?\|", rest.pop(0))
        strange += [name for name in names if name not in here[0].commands]
        here = [here[0].commands[name] for name in names if name in here[0].commands] or [PLANLOOM]
        if strange:
            return strange
    known = {"--help", *(name for command in here for param in command.params for name in param.opts)}
    known |= {name for command in here for param in command.params for name in param.secondary_opts}
    return [name for name in re.findall(r"(?<![\w-])--[a-z][a-z-]*", " ".join(rest)) if name not in known]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_module_and_variable_that_is_named_exists(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    modules = [name.replace(".", "/") + ".py" for name in re.findall(r"python -m ([a-z_.0-9]*[a-z_0-9])", text)]
    assert [name for name in modules if not (ROOT / name).is_file()] == []
    assert set(re.findall(r"PLANLOOM_[A-Z_]*[A-Z]", text)) <= variables()


@cache
def variables() -> set[str]:
    """Return the PLANLOOM_* variables that the sources read."""
    sources = (path.read_text(encoding="utf-8") for room in ("cli", "shared") for path in (ROOT / room).rglob("*.py"))
    return {name for source in sources for name in re.findall(r"PLANLOOM_[A-Z_]*[A-Z]", source)}


def test_make_bench_runs_every_measurement() -> None:
    modules = [path for path in (ROOT / "bench").glob("*.py") if "def main" in path.read_text(encoding="utf-8")]
    run = set(re.findall(r"-m bench\.(\w+)", (ROOT / "Makefile").read_text(encoding="utf-8")))
    assert run == {path.stem for path in modules} - {"stub_models", "interface", "langgraph_runner"}, (
        "a server to measure with, a comparison of versions, and what bench.graphs_langgraph runs elsewhere"
    )


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_make_target_that_is_named_exists(page: Path) -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = re.findall(r"`make ([a-z ]+)`|^make ([a-z]+)", page.read_text(encoding="utf-8"), re.MULTILINE)
    assert {word for pair in named for each in pair for word in each.split()} <= targets


def test_the_decisions_are_numbered_without_gaps() -> None:
    numbers = [int(path.name[:4]) for path in sorted((ROOT / "docs" / "decisions").glob("*.md"))]
    assert numbers == list(range(1, len(numbers) + 1))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages_name_no_machine_of_their_author(page: Path) -> None:
    assert not re.search(r"/(?:home|work|root|Users|tmp)/", page.read_text(encoding="utf-8"))


def test_every_test_that_the_contract_names_exists() -> None:
    named = set(re.findall(r"`(test_\w+)`", CONTRACT))
    sources = (path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    defined = Counter(name for source in sources for name in re.findall(r"^def (test_\w+)", source, re.MULTILINE))
    assert named
    assert {name: defined[name] for name in named if defined[name] != 1} == {}


def test_what_the_contract_names_beside_tests_exists() -> None:
    classes = re.findall(r"`(\w+)` in (tests/[\w/]+\.py)", CONTRACT)
    assert classes
    for name, path in classes:
        assert re.search(rf"^class {name}\b", (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE), path
    modules = re.findall(r"`python -m bench\.(\w+)`", CONTRACT)
    assert modules
    assert [name for name in modules if not (ROOT / "bench" / f"{name}.py").exists()] == []


def test_every_row_of_the_contract_has_a_test_with_its_section_in_its_name() -> None:
    rows = [re.split(r" ?\| ?", line)[1:] for line in CONTRACT.splitlines() if re.match(r"\| (?:\d|A|B)", line)]
    assert len(rows) > 70
    lacking = []
    for sections, sentence, *held in rows:
        tests = re.findall(r"`test_(\w+)`", held[0])
        wanted = "|".join(_section(each) for each in sections.split(", "))
        if tests and not any(re.match(rf"(?:{wanted})_(?!\d)", name) for name in tests):
            lacking.append((sections, sentence))
    assert lacking == []


def _section(number: str) -> str:
    return f"appendix_{number.lower()}" if number.isalpha() else number.replace(".", "_")
