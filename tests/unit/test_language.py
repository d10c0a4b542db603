"""The text of code, messages and documents is plain English: words of an old dialect must not come back."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
NAME = tokenize.NAME

#: Files whose text is checked, as glob patterns below the root. Of tests only comments and docstrings: their other
#: texts are goals of callers and answers of models.
CHECKED = (
    "shared/planloom/**/*.py",
    "functions/**/*.py",
    "infra/**/*.py",
    "cli/planloom_cli/**/*.py",
    "bench/**/*.py",
    "examples/**/*.py",
    "tests/**/*.py",
    "viewer/src/**/*.ts",
    "viewer/src/**/*.tsx",
    "docs/**/*.md",
    "statemachine/*.yaml",
    "Makefile",
)
NOT_CHECKED = frozenset({"docs/measurements.md", "tests/unit/test_language.py"})

STRATEGIC = "shared/planloom/planes/strategic"
#: Words that are right in one file: in texts that are sent to a model, in other languages, or as a standard term.
ALLOWED = {
    "bench/facts_speed.py": {"seats"},
    f"{STRATEGIC}/facts/dates_numeric.py": {"era"},
    f"{STRATEGIC}/facts/instructions.py": {"tells"},
    f"{STRATEGIC}/facts/language.py": {"door"},
    f"{STRATEGIC}/report/fold.py": {"folded"},
    f"{STRATEGIC}/spine/rows.py": {"go on", "stand"},
    f"{STRATEGIC}/stages/attack.py": {"stand"},
    f"{STRATEGIC}/stages/chapter_tables.py": {"stands"},
    f"{STRATEGIC}/stages/choice.py": {"stand"},
    f"{STRATEGIC}/stages/revision.py": {"stand", "stands"},
    f"{STRATEGIC}/stages/outline_pages.py": {"stands"},
    f"{STRATEGIC}/stages/premise_attack.py": {"room"},
    f"{STRATEGIC}/stages/premortem.py": {"told"},
    f"{STRATEGIC}/stages/repair.py": {"stands"},
    f"{STRATEGIC}/stages/results.py": {"stand"},
    f"{STRATEGIC}/stages/review_answers.py": {"from now on", "stands"},
    f"{STRATEGIC}/stages/tasks.py": {"stand"},
    f"{STRATEGIC}/stages/whole_plan.py": {"room", "stands"},
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
PATTERN = re.compile(rf"(?<![\w./`-])(?:{'|'.join(BANNED)})(?![\w/`-])", re.IGNORECASE)
#: Words that are part of no name of a variable, function or class.
BANNED_NAMES = frozenset(
    {"desk", "door", "doors", "knot", "knots", "mend", "mended", "mouth", "shelf", "tell", "told", "whoever"}
)
#: Names of fields in stored plans.
STORED = {f"{STRATEGIC}/spine/rows.py": ["told"]}
#: A token of Python that may hold a number sign; to split a file into all of its tokens takes ten times as long.
STRING_OR_COMMENT = re.compile(
    r"\"{3}(?:[^\\]|\\.)*?\"{3}|'{3}(?:[^\\]|\\.)*?'{3}|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|#[^\n]*", re.DOTALL
)
NAME_PARTS = re.compile(r"[A-Z]?[a-z]+")


def python_text(source: str, messages: bool = True) -> Iterator[tuple[int, str]]:
    """Yield the line and the text of each comment and docstring, and of each message (a string with a blank)."""
    for token in STRING_OR_COMMENT.finditer(source):
        if token.group().startswith("#"):
            yield source.count("\n", 0, token.start()) + 1, token.group()
    for node in ast.walk(ast.parse(source)):
        if messages and isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value.strip():
            yield node.lineno, node.value
        elif not messages and isinstance(node, DOCUMENTED) and (found := ast.get_docstring(node)):
            yield node.body[0].lineno, found


def banned_names(source: str) -> list[str]:
    """Return the names in *source* with a banned word in them."""
    names = {token.string for token in tokenize.generate_tokens(io.StringIO(source).readline) if token.type == NAME}
    return sorted(name for name in names if BANNED_NAMES & {part.lower() for part in NAME_PARTS.findall(name)})


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
        yield from python_text(source, messages=not path.is_relative_to(ROOT / "tests"))
    elif path.suffix == ".md":
        yield from markdown_text(source)
    elif path.suffix in (".ts", ".tsx"):
        yield from typescript_text(source)
    else:
        yield from enumerate(source.splitlines(), 1)


def banned_words(text: str) -> list[str]:
    """Return the words of *text* that are banned; words in capitals are names of keys and codes."""
    return [match.group() for match in PATTERN.finditer(text) if not match.group().isupper()]


def files() -> list[Path]:
    """Return the files that are checked."""
    found = {path for pattern in CHECKED for path in ROOT.glob(pattern)}
    return sorted(path for path in found if path.relative_to(ROOT).as_posix() not in NOT_CHECKED)


@pytest.mark.parametrize("path", files(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_text_has_no_banned_word(path: Path) -> None:
    allowed = ALLOWED.get(path.relative_to(ROOT).as_posix(), set())
    found = [(line, word) for line, text in text_of(path) for word in banned_words(text)]
    assert [(line, word) for line, word in found if word.lower() not in allowed] == []


@pytest.mark.parametrize("pattern", [each for each in CHECKED if each.endswith(".py") and "tests" not in each])
def test_names_have_no_banned_word(pattern: str) -> None:
    found = {
        path.relative_to(ROOT).as_posix(): banned_names(path.read_text(encoding="utf-8")) for path in ROOT.glob(pattern)
    }
    assert {path: names for path, names in found.items() if names != STORED.get(path, [])} == {}


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
