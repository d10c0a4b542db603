"""What a Lambda may import, at once or on a later call: read from the sources, function by function."""

import ast
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

from packaging.utils import canonicalize_name

from infra.sources import ROOT
from planloom.planes.strategic.pipeline_map import CURRENT
from planloom.planes.strategic.stages.pipeline import stage_named

#: Imports stages on demand: a worker those whose results its stage reads, all others every stage; none of them runs.
REGISTRY = "planloom.planes.strategic.stages.pipeline"
#: Builds the clients of models, for handlers that call them; all others only list the models.
MODEL_CLIENTS = "planloom.models.chats"
#: Called by the stage alone that reads goals; all others read its result.
READING = "planloom.planes.strategic.facts.public_holidays"
#: Imports every plane when PLANES is read, which the API alone does.
PLANES = "planloom.planes"

#: The handlers that call a model, besides those of stages, which declare it.
ASKING = frozenset({"read_goal", "run_worker"})

#: What every bundle holds of our own.
OURS = ("planloom", "functions")


@dataclass(frozen=True)
class Import:
    """One name that a module imports; *lazily*: when a function of it is called."""

    name: str
    lazily: bool


@dataclass(frozen=True)
class Function:
    """A Lambda: its handler as the stack names it, and the stage that it runs, if any."""

    handler: str
    stage: str = ""

    @property
    def name(self) -> str:
        return self.stage or self.handler.split(".")[1]

    @property
    def asks_model(self) -> bool:
        return stage_named(self.stage).asks_model if self.stage else self.name in ASKING


def distributions(function: Function) -> dict[str, set[str]]:
    """Return the distributions that *function* may import, each with our modules that import it."""
    found: dict[str, set[str]] = {}
    for module, name in third_party(function):
        for distribution in _installed()[name]:
            found.setdefault(canonicalize_name(distribution), set()).add(module)
    return found


def third_party(function: Function) -> Iterator[tuple[str, str]]:
    """Yield our modules that *function* reaches, with each package from outside that they import."""
    called, loaded = reached(function)
    for module in sorted(called | loaded):
        for each in imports_of(module):
            package = each.name.partition(".")[0]
            counts = not each.lazily or (module in called and _follows(function, module))
            if counts and package not in OURS and package not in sys.stdlib_module_names:
                yield module, package


def reached(function: Function) -> tuple[set[str], set[str]]:
    """Return the modules whose code *function* may call, and those that are only loaded with the registry's stages."""
    called: set[str] = set()
    todo = [function.handler.removesuffix(".handler")]
    if function.stage:
        todo.append(stage_named(function.stage).draft.__module__)
    while todo:
        module = todo.pop()
        if module in called:
            continue
        called.add(module)
        if module != REGISTRY:
            todo += _ours(module, lazily=_follows(function, module))
    loaded: set[str] = set()
    todo = [REGISTRY, *_stages(function)] if REGISTRY in called else []
    while todo:
        module = todo.pop()
        if module not in loaded:
            loaded.add(module)
            todo += _ours(module, lazily=False)
    return called, loaded - called


def _stages(function: Function) -> list[str]:
    read = ("start", *stage_named(function.stage).needs) if function.stage else (step.name for step in CURRENT)
    return [stage_named(name).draft.__module__ for name in read]


def _follows(function: Function, module: str) -> bool:
    if module == PLANES:
        return function.name == "api"
    if module == READING:
        return function.stage == "start"
    return function.asks_model or module != MODEL_CLIENTS


def _ours(module: str, *, lazily: bool) -> list[str]:
    names = (each.name for each in imports_of(module) if lazily or not each.lazily)
    return [part for name in names if name.startswith(OURS) for part in _with_parents(name)]


def _with_parents(name: str) -> Iterator[str]:
    parts = name.split(".")
    for length in range(1, len(parts) + 1):
        # the last part may be a class or a function of the module before
        if _file_of(joined := ".".join(parts[:length])):
            yield joined


@cache
def imports_of(module: str) -> tuple[Import, ...]:
    """Return what *module* imports, also by ``importlib.import_module("name")``; not what type checkers alone read."""
    path = _file_of(module)
    assert path, module
    return tuple(_imports(ast.parse(path.read_text(encoding="utf-8")), lazily=False))


def _imports(node: ast.AST, *, lazily: bool) -> Iterator[Import]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            continue
        yield from (Import(name, lazily) for name in _names(child))
        inside = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        yield from _imports(child, lazily=lazily or inside)


def _names(node: ast.AST) -> list[str]:
    match node:
        case ast.Import():
            return [alias.name for alias in node.names]
        case ast.ImportFrom(module=str(module), level=0):
            return [f"{module}.{alias.name}" for alias in node.names]
        case ast.ImportFrom():
            raise ValueError(f"a relative import, line {node.lineno}: name the module in full")
        case ast.Call(func=ast.Attribute(attr="import_module"), args=[ast.Constant(value=str(name)), *_]):
            return [name]
        case ast.Call(func=ast.Attribute(attr="import_module")):
            raise ValueError(f"an import by a computed name, line {node.lineno}")
    return []


@cache
def _installed() -> Mapping[str, list[str]]:
    return packages_distributions()


@cache
def _file_of(module: str) -> Path | None:
    base = ROOT.joinpath("shared" if module.startswith("planloom") else "", *module.split("."))
    candidates = (base.with_suffix(".py"), base / "__init__.py")
    return next((path for path in candidates if path.is_file()), None)
