"""Which version of a stage says and makes what: a hash of its source, kept beside its version.

    python -m tests.unit.strategic.stages.versions [--raise] [--same STAGE ...]

renews the table. It refuses where the source of a stage changed (instructions, schemas, Markdown, what an answer is
sent back with; of stage 030 the checks as well) and its version did not: ``--raise`` raises it in the source,
``--same`` takes the change of a stage that alters nothing of what a plan sends or shows.
"""

import argparse
import ast
import hashlib
import json
import re
import sys
from functools import cache
from pathlib import Path

from planloom.planes.strategic import stages
from planloom.planes.strategic.stages.pipeline import PIPELINE

TABLE = Path(__file__).with_name("versions.json")
FOLDER = Path(stages.__file__).parent
#: What every call begins with, and what an answer is sent back with, belongs to every stage that asks.
SHARED = ("stages/writing_rules", "stages/context", "quality/answers")
#: Packages of which a stage is built; what the others compute is no text of the stage's.
PACKAGES = ("stages", "quality")
#: The stages' own files, and what all of them import.
MODULES = {stage.name: stage.draft.__module__.rpartition(".")[2] for stage in PIPELINE}
APART = frozenset({*MODULES.values(), "context", "writing_rules", "missing", "pipeline", "results", "stage", "text"})


def source_hash(name: str) -> str:
    """Return the hash of the source of stage *name* and of the parts it is built of; comments and layout left out."""
    path = FOLDER / f"{MODULES[name]}.py"
    own = {path} | _parts(path)
    asks = any(re.search(r"\bcontext\.ask(?:_part)?\(", each.read_text(encoding="utf-8")) for each in own)
    files = sorted(own | ({FOLDER.parent / f"{each}.py" for each in SHARED} if asks else set()))
    return hashlib.sha256("".join(map(_code, files)).encode()).hexdigest()[:16]


def kept() -> dict[str, tuple[int, str]]:
    """Return the table: version and hash by stage name."""
    return {name: (version, digest) for name, (version, digest) in json.loads(TABLE.read_text()).items()}


def unraised(table: dict[str, tuple[int, str]]) -> list[str]:
    """Return the stages whose source differs from *table* while their version does not."""
    return [
        stage.name
        for stage in PIPELINE
        if stage.name in table and table[stage.name][0] >= stage.version and table[stage.name] != entry(stage.name)
    ]


def entry(name: str) -> tuple[int, str]:
    """Return what the table should say of stage *name*."""
    version = next(stage.version for stage in PIPELINE if stage.name == name)
    return version, source_hash(name)


def _parts(path: Path) -> set[Path]:
    found: set[Path] = set()
    todo = [path]
    while todo:
        for part in _imported(todo.pop()) - found:
            found.add(part)
            todo.append(part)
    return found


def _imported(path: Path) -> set[Path]:
    found: set[str] = set()
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.ImportFrom) and node.module:
            # a module, or modules of a package
            found |= {node.module, *(f"{node.module}.{name.name}" for name in node.names)}
    files = (module.removeprefix("planloom.planes.strategic.").replace(".", "/") for module in found)
    parts = (file.rpartition("/") for file in files)
    names = (f"{package}/{name}" for package, _, name in parts if package in PACKAGES and name not in APART)
    return {path for name in names if (path := FOLDER.parent / f"{name}.py").exists()}


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def _code(path: Path) -> str:
    source = path.read_text(encoding="utf-8")
    dropped: set[int] = set()
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0] if node.body else None
            if isinstance(node, ast.Module | ast.FunctionDef | ast.AsyncFunctionDef) and _is_text(first):
                # the docstring of an answer's class is sent: it is in the schema
                dropped |= set(range(first.lineno, (first.end_lineno or first.lineno) + 1))
    lines = (line for n, line in enumerate(source.splitlines(), 1) if n not in dropped)
    code = (line for line in lines if not line.lstrip().startswith("#") and "version=" not in line)
    return "".join("".join(line.split()) for line in code)


def _is_text(node: ast.stmt | None) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def main() -> None:
    """Renew the table, or name the stages whose version must be raised first."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--same", nargs="*", default=[], metavar="STAGE", help="stages that say and make what they did")
    parser.add_argument("--raise", action="store_true", dest="raised", help="raise versions in the source, then renew")
    given = parser.parse_args()
    behind = [name for name in unraised(kept() if TABLE.exists() else {}) if name not in set(given.same)]
    if behind and not given.raised:
        sys.exit(f"Raise the version of (or say --raise): {', '.join(behind)}")
    for name in behind:
        raise_version(FOLDER / f"{MODULES[name]}.py")
    entries = {stage.name: [stage.version + (stage.name in behind), source_hash(stage.name)] for stage in PIPELINE}
    lines = (f"  {json.dumps(name)}: {json.dumps(each)}" for name, each in entries.items())
    TABLE.write_text("{\n" + ",\n".join(lines) + "\n}\n")


def raise_version(path: Path) -> None:
    """Raise the version of the stage in *path* by one."""
    source = path.read_text(encoding="utf-8")
    path.write_text(re.sub(r"(?m)^    version=(\d+)", lambda found: f"    version={int(found[1]) + 1}", source))


if __name__ == "__main__":
    main()
