"""The text of code, messages and documents is plain English: words of an old dialect must not come back."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

#: Files whose text is checked, as glob patterns below the root. Add a package when its text is revised.
CHECKED = (
    "shared/planloom/accounts/*.py",
    "shared/planloom/api/*.py",
    "shared/planloom/core/*.py",
    "shared/planloom/transports/*.py",
    "shared/planloom/settings.py",
    "shared/planloom/wiring/*.py",
    "shared/planloom/planes/__init__.py",
    "shared/planloom/planes/implementation/**/*.py",
    "shared/planloom/planes/strategic/*.py",
    "shared/planloom/planes/strategic/endpoints/*.py",
    "shared/planloom/planes/strategic/compute/*.py",
    "shared/planloom/planes/strategic/facts/*.py",
    "shared/planloom/planes/strategic/outline/*.py",
    "shared/planloom/planes/strategic/quality/*.py",
    "shared/planloom/planes/strategic/report/*.py",
    "shared/planloom/planes/strategic/spine/*.py",
    "shared/planloom/planes/strategic/ports/*.py",
    "shared/planloom/planes/strategic/services/*.py",
    "shared/planloom/adapters/*.py",
    "shared/planloom/api/execute_http.py",
    "shared/planloom/api/own_calls.py",
    "shared/planloom/api/program_resources.py",
    "shared/planloom/approvals/*.py",
    "shared/planloom/notifications/*.py",
    "shared/planloom/models/*.py",
    "shared/planloom/planes/links/*.py",
    "shared/planloom/planes/*/entities.py",
    "shared/planloom/planes/programs/*.py",
    "shared/planloom/planes/workflows/*.py",
    "shared/planloom/planes/strategic/stages/*.py",
    "shared/planloom/tools/http_api.py",
    "shared/planloom/tools/pinned_http.py",
    "cli/planloom_cli/**/*.py",
    "functions/*/*.py",
    "infra/*.py",
    "viewer/src/**/*.ts",
    "viewer/src/**/*.tsx",
    "docs/*.md",
    "Makefile",
    "tests/infra/*.py",
    "tests/unit/adapters/*.py",
    "tests/unit/approvals/*.py",
    "tests/unit/notifications/*.py",
    "tests/unit/cli/*.py",
    "tests/unit/links/*.py",
    "tests/unit/models/*.py",
    "tests/unit/operations/*.py",
    "tests/unit/programs/*.py",
    "tests/unit/workflows/*.py",
)
NOT_CHECKED = frozenset(
    {
        # generated from texts of packages that are not checked yet
        "viewer/src/api/schema.gen.ts",
        "docs/reference.md",
        "docs/measurements.md",
        # not revised yet
        "cli/planloom_cli/graph.py",
        "cli/planloom_cli/graph_view.py",
        "docs/graphs.md",
        "infra/run_steps.py",
        "shared/planloom/adapters/dynamodb_graphs.py",
        "shared/planloom/adapters/dynamodb_runs.py",
        "shared/planloom/adapters/run_files.py",
        "shared/planloom/adapters/step_functions_runs.py",
    }
)

STRATEGIC = "shared/planloom/planes/strategic"
#: Words that are right in one file: in texts that are sent to a model, in other languages, or as a standard term.
ALLOWED = {
    f"{STRATEGIC}/facts/dates_numeric.py": {"era"},
    f"{STRATEGIC}/facts/instructions.py": {"tells"},
    f"{STRATEGIC}/facts/language.py": {"door"},
    f"{STRATEGIC}/report/fold.py": {"folded"},
    f"{STRATEGIC}/spine/rows.py": {"go on", "stand"},
    f"{STRATEGIC}/stages/attack.py": {"stand"},
    f"{STRATEGIC}/stages/chapter_tables.py": {"stands"},
    f"{STRATEGIC}/stages/choice.py": {"from now on", "stand", "stands"},
    f"{STRATEGIC}/stages/edit_document.py": {"stand"},
    f"{STRATEGIC}/stages/outline_pages.py": {"stands"},
    f"{STRATEGIC}/stages/premise_attack.py": {"room"},
    f"{STRATEGIC}/stages/premortem.py": {"told"},
    f"{STRATEGIC}/stages/repair.py": {"stands"},
    f"{STRATEGIC}/stages/results.py": {"stand"},
    f"{STRATEGIC}/stages/review_answers.py": {"from now on", "stands"},
    f"{STRATEGIC}/stages/tasks.py": {"stand"},
    f"{STRATEGIC}/stages/whole_plan.py": {"for good", "stand", "stands"},
}

#: Words and phrases, as regular expressions without regard to case, and what to write instead.
BANNED = {
    r"mend(?:s|ed|ing)?": "fix, repair, correct",
    r"(?:un)?told|tells": "published, logged, passed; says, prints",
    r"who(?:m)?ever": "the caller, the process that",
    r"by now": "now; was changed since",
    r"all the same": "also, still",
    r"of (?:its|their) own accord": "automatically",
    r"lies": "is, is stored",
    r"stands?": "is",
    r"at rest": "ended",
    r"under way": "active, running",
    r"(?:hang|hangs|hung|hanging) up": "close the connection, cancel, disconnect",
    r"hands? (?:on|over|back)|handed (?:on|over|back)": "pass, return",
    r"(?:bring|brings|brought) home": "save",
    r"(?:go|goes|going) on": "continue",
    r"for good": "permanently",
    r"from now on": "then, after that",
    r"(?:is|are) another (?:by )?now": "was changed since",
    r"begins? so|those there are": "No key starts with; Use one of",
    r"(?:its|and) kin": "such as",
    r"heal(?:s|ed)?": "repair",
    r"rooms?": "package",
    r"doors?": "handler",
    r"mouths?": "transport",
    r"desks?": "inputs",
    r"shel(?:f|ves)": "archive",
    r"seats?": "slot",
    r"(?:its|their|his) turns?|takes? (?:a )?turns?": "slot, queue",
    r"(?:place|number \S+) in line": "position in the queue",
    r"house rules?": "rules",
    r"eras?": "version",
    r"folds?|folded": "apply",
    r"growing pauses": "increasing delays",
    r"words of the command": "command line",
}
PATTERNS = tuple(re.compile(rf"(?<![\w./`-])(?:{words})(?![\w/`-])", re.IGNORECASE) for words in BANNED)


def python_text(source: str) -> Iterator[tuple[int, str]]:
    """Yield the line and the text of each comment, docstring and message (a string with a blank) in *source*."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value.strip():
            yield node.lineno, node.value


def markdown_text(source: str) -> Iterator[tuple[int, str]]:
    """Yield the line and the text of each line of *source* without code, link targets and picture names."""
    in_code = False
    for number, line in enumerate(source.splitlines(), 1):
        if line.startswith("```"):
            in_code = not in_code
        if not in_code:
            yield number, re.sub(r"`[^`]*`|\]\([^)]*\)", " ", line)


#: Comments, class names, quoted texts and the content of elements.
TYPESCRIPT = re.compile(
    r"//[^\n]*|/\*.*?\*/|className=(?:\"[^\"]*\"|\{`[^`]*`\})"
    r"|(?P<quote>[\"'`])(?:(?!(?P=quote))[^\n])*(?P=quote)|(?<=>)[^<>{}]+(?=[<{])",
    re.DOTALL,
)


def typescript_text(source: str) -> Iterator[tuple[int, str]]:
    """Yield the line and the text of each comment, text with a blank and element content in *source*."""
    for found in TYPESCRIPT.finditer(source):
        text = found.group()
        if not text.startswith("className=") and (" " in text or not found["quote"]):
            yield source.count("\n", 0, found.start()) + 1, text


def text_of(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the line and the text of the parts of a file that people read."""
    source = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        yield from python_text(source)
    elif path.suffix == ".md":
        yield from markdown_text(source)
    elif path.suffix in (".ts", ".tsx"):
        yield from typescript_text(source)
    else:
        yield from enumerate(source.splitlines(), 1)


def banned_words(text: str) -> list[str]:
    """Return the words of *text* that are banned; words in capitals are names of keys and codes."""
    found = [match.group() for pattern in PATTERNS for match in pattern.finditer(text)]
    return [word for word in found if not word.isupper()]


def files() -> list[Path]:
    """Return the files that are checked."""
    found = {path for pattern in CHECKED for path in ROOT.glob(pattern)}
    return sorted(path for path in found if path.relative_to(ROOT).as_posix() not in NOT_CHECKED)


@pytest.mark.parametrize("path", files(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_text_has_no_banned_word(path: Path) -> None:
    allowed = ALLOWED.get(path.relative_to(ROOT).as_posix(), set())
    found = [(line, word) for line, text in text_of(path) for word in banned_words(text)]
    assert [(line, word) for line, word in found if word.lower() not in allowed] == []


@pytest.mark.parametrize("name", ALLOWED)
def test_allowed_words_are_used(name: str) -> None:
    used = {word.lower() for _, text in text_of(ROOT / name) for word in banned_words(text)}
    assert ALLOWED[name] <= used


@pytest.mark.parametrize("pattern", CHECKED)
def test_each_pattern_matches_files(pattern: str) -> None:
    assert list(ROOT.glob(pattern))


def test_banned_words_are_found_in_comments_docstrings_and_messages() -> None:
    source = '"""Whoever asks."""\nx = 1  # it lies there\nraise ValueError("Mend it.")\n'
    found = [word for _, text in python_text(source) for word in banned_words(text)]
    assert sorted(found) == ["Mend", "Whoever", "lies"]


def test_code_in_documents_is_not_checked() -> None:
    found = [
        word for _, text in markdown_text("```\nthe door\n```\nthe `seat` of a room\n") for word in banned_words(text)
    ]
    assert found == ["room"]
