"""The shape of the code: modules, lines and imports per package, and what it took to add an operation.

python -m bench.shape [REVISION] [--operation COMMIT]

Without REVISION the files on disk are read, otherwise those of that git revision. COMMIT is one that added an
operation: its files are listed by kind.
"""

import argparse
import ast
import math
import statistics
import subprocess
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).parents[1]
#: Where Python is, and the part of a path that is no part of the module's name.
SOURCES = {"shared/": "shared/", "functions/": "", "cli/": "cli/", "infra/": ""}
#: Of the packages below it each is one of its own.
SPLIT = frozenset({"planloom", "planloom.planes"})


@dataclass(frozen=True)
class Module:
    """One Python file: its dotted *name*, its source lines, blank ones included, and the modules that it imports."""

    name: str
    lines: int
    imports: frozenset[str]

    @property
    def package(self) -> str:
        """The package that it counts for."""
        return package_of(self.name)


def package_of(name: str) -> str:
    """Return the package that the module *name* counts for."""
    parts = name.split(".")
    count = 1
    while ".".join(parts[:count]) in SPLIT and count < len(parts):
        count += 1
    return ".".join(parts[:count])


def modules(files: Iterable[tuple[str, str]]) -> list[Module]:
    """Return the modules of *files*, pairs of a path and its text."""
    found = []
    for path, text in files:
        cut = next((cut for start, cut in SOURCES.items() if path.startswith(start)), None)
        if cut is not None:
            name = path.removeprefix(cut).removesuffix(".py").replace("/", ".").removesuffix(".__init__")
            found.append(Module(name, len(text.splitlines()), frozenset(_imported(ast.parse(text)))))
    return found


def _imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def edges(found: Iterable[Module]) -> Counter[tuple[str, str]]:
    """Return how many imports lead from one package to another."""
    found = list(found)
    known = {module.name for module in found}
    counts: Counter[tuple[str, str]] = Counter()
    for module in found:
        # of "from a.b import c" the module is a.b.c, or a.b where c is a name in it
        there = {name if name in known else name.rpartition(".")[0] for name in module.imports}
        counts.update((module.package, package_of(name)) for name in there & known)
    return Counter({edge: count for edge, count in counts.items() if edge[0] != edge[1]})


def circle(counts: Iterable[tuple[str, str]]) -> list[str]:
    """Return packages that import each other in a circle; none where there is none."""
    needs = defaultdict(set)
    for importer, imported in counts:
        needs[importer].add(imported)
    try:
        TopologicalSorter(needs).prepare()
    except CycleError as error:
        members: list[str] = error.args[1]
        return members
    return []


def on_disk() -> Iterator[tuple[str, str]]:
    """Return path and text of each Python file, as they are on disk."""
    for start in SOURCES:
        for path in sorted((ROOT / start).rglob("*.py")):
            yield path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")


def at(revision: str) -> Iterator[tuple[str, str]]:
    """Return path and text of each Python file of a git revision."""
    for path in _git("ls-tree", "-r", "--name-only", revision, *SOURCES).splitlines():
        if path.endswith(".py"):
            yield path, _git("show", f"{revision}:{path}")


def _git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True, text=True).stdout


def kinds(paths: Iterable[str]) -> Mapping[str, list[str]]:
    """Return *paths* by kind: code, tests, documents and the rest."""
    found = defaultdict(list)
    for path in paths:
        starts = {"tests/": "tests", "docs/": "documents", "viewer/": "viewer", **dict.fromkeys(SOURCES, "code")}
        found[next((kind for start, kind in starts.items() if path.startswith(start)), "other")].append(path)
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("revision", nargs="?")
    parser.add_argument("--operation", metavar="COMMIT")
    arguments = parser.parse_args()
    found = modules(at(arguments.revision) if arguments.revision else on_disk())
    console = Console(width=100)
    console.print(_table(found))
    counts = edges(found)
    for (importer, imported), count in sorted(counts.items()):
        console.print(f"{importer} -> {imported}: {count}", highlight=False)
    console.print(f"{sum(counts.values())} imports between {len({e for pair in counts for e in pair})} packages")
    console.print(f"circle: {' -> '.join(circle(counts)) or 'none'}")
    if arguments.operation:
        paths = _git("show", "--format=", "--name-only", arguments.operation).split()
        for kind, names in sorted(kinds(paths).items()):
            console.print(f"{kind}: {len(names)} files: {', '.join(names)}", highlight=False)


def _table(found: Iterable[Module]) -> Table:
    by_package: dict[str, list[int]] = defaultdict(list)
    for module in found:
        by_package[module.package].append(module.lines)
    table = Table("package", "modules", "lines", "median", "p90", "longest")
    for package, lines in [
        *sorted(by_package.items()),
        ("all", [line for each in by_package.values() for line in each]),
    ]:
        ninth = sorted(lines)[math.ceil(0.9 * len(lines)) - 1]
        figures = (len(lines), sum(lines), statistics.median(lines), ninth, max(lines))
        table.add_row(package, *(f"{figure:,.0f}" for figure in figures))
    return table


if __name__ == "__main__":
    main()
