"""What the README and the guides say can be typed and followed."""

import re
from collections import Counter
from pathlib import Path

import pytest
import typer.main

from planloom_cli.main import app

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
CONTRACT = (ROOT / "docs" / "contract.md").read_text(encoding="utf-8")
COMMANDS = typer.main.get_command(app).commands  # type: ignore[attr-defined]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_to_a_file(page: Path) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)\)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_in_a_code_block_is_one_that_planloom_knows(page: Path) -> None:
    blocks = re.findall(r"```sh\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    typed = re.findall(r"^(?:\.venv/bin/)?planloom (\S+)", "\n".join(blocks), re.MULTILINE)
    assert [word for word in typed if word not in COMMANDS and word != "--help"] == []


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
