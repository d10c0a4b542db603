"""Builds the bundles of the Lambdas for AWS: ``python -m infra.package`` writes build/bundles, one folder per bundle.

A bundle holds our sources and what its handlers import, from requirements.lock with hashes, for Lambda's Python on ARM.
"""

import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import requires
from pathlib import Path
from typing import get_args

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from infra.sources import ROOT, Bundle, compile_sources, copy_sources
from planloom.planes.strategic.facts.language import NAMES

#: The largest unpacked bundle: half of Lambda's limit, since a cold start reads it.
LIMIT_MB = 120

#: How Lambda's Python differs from ours for pip and its markers.
PYTHON = "3.13"
PLATFORMS = ("manylinux2014_aarch64", "manylinux_2_17_aarch64", "manylinux_2_28_aarch64")
MARKERS = {
    "python_version": PYTHON,
    "python_full_version": f"{PYTHON}.0",
    "platform_machine": "aarch64",
    "sys_platform": "linux",
    "os_name": "posix",
    "platform_system": "Linux",
    "implementation_name": "cpython",
    "platform_python_implementation": "CPython",
}

#: The extras of pyproject.toml that a bundle needs in addition to the packages of every Lambda.
EXTRAS: dict[Bundle, tuple[str, ...]] = {
    "base": (),
    "api": ("api", "graphs"),
    "compute": ("report",),
    "stage": ("models",),
    "worker": ("graphs", "planner"),
}

#: All of botocore's service models that we call; the others are 100 MB.
SERVICES = (
    "scheduler",
    "bedrock-runtime",
    "dynamodb",
    "events",
    "lambda",
    "s3",
    "secretsmanager",
    "sqs",
    "ssm",
    "stepfunctions",
    "sts",
)


#: All of Babel's languages that a goal is read in, as each country writes them; the others are 23 MB. What they
#: inherit is in root.
LOCALES = frozenset({*NAMES, "root", "no"})


def main() -> None:
    """Build all bundles; print the size of each, and fail if one exceeds the limit."""
    for bundle in get_args(Bundle):
        target = ROOT / "build" / "bundles" / bundle
        build(bundle, target)
        megabytes = size(target) / 1e6
        sys.stdout.write(f"{bundle:<8}{megabytes:7.1f} MB unpacked\n")
        if megabytes > LIMIT_MB:
            raise SystemExit(f"{bundle} is over the limit of {LIMIT_MB} MB")


def build(bundle: Bundle, target: Path) -> None:
    """Write the bundle for Lambda into *target*, replacing its content."""
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    wanted = target.with_suffix(".txt")
    wanted.write_text(pinned(bundle, MARKERS), encoding="utf-8")
    _install(wanted, target)
    trim(target)
    copy_sources(target)
    compile_sources(target, PYTHON)


def pinned(bundle: Bundle, markers: Mapping[str, str]) -> str:
    """Return the requirements of *bundle* for *markers*, with versions and hashes."""
    locked = read_lock(ROOT / "requirements.lock")
    return "".join(locked[name] for name in closure(needed(EXTRAS[bundle]), markers))


def needed(extras: Iterable[str]) -> list[Requirement]:
    """Return the dependencies in pyproject.toml with *extras*."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = [*project["dependencies"], *(r for e in extras for r in project["optional-dependencies"][e])]
    return [Requirement(line) for line in asked]


def closure(requirements: Iterable[Requirement], markers: Mapping[str, str] = MARKERS) -> list[str]:
    """Return the names of *requirements* and of all they need where *markers* hold, by default in Lambda, sorted.

    Read from what is installed here, which the same lock file made; only the markers differ.
    """
    seen: set[tuple[str, str]] = set()
    todo = [(r.name, extra) for r in requirements for extra in ("", *sorted(r.extras))]
    while todo:
        name, extra = todo.pop()
        if (key := (canonicalize_name(name), extra)) in seen:
            continue
        seen.add(key)
        for line in requires(name) or ():
            found = Requirement(line)
            if found.marker is None and extra:
                continue
            if found.marker is None or found.marker.evaluate({**markers, "extra": extra}):
                todo += [(found.name, each) for each in ("", *sorted(found.extras))]
    return sorted({name for name, _ in seen})


def read_lock(path: Path) -> dict[str, str]:
    """Return the lock file's entries, version and hashes, by name; without markers, which closure has judged."""
    entries: dict[str, str] = {}
    for entry in re.split(r"(?m)^(?=[a-zA-Z0-9])", path.read_text(encoding="utf-8")):
        if pinned := re.match(r"([\w.-]+)==[\w.+!-]+", entry):
            hashes = re.findall(r"--hash=\S+", entry)
            entries[canonicalize_name(pinned[1])] = " \\\n    ".join([pinned[0], *hashes]) + "\n"
    return entries


def trim(target: Path) -> None:
    """Drop what no Lambda reads: other services' models, other locales, tests, type stubs, scripts, compiled files."""
    data = target / "botocore" / "data"
    for folder in data.iterdir():
        if folder.is_dir() and folder.name not in SERVICES:
            shutil.rmtree(folder)
    for path in (target / "babel" / "locale-data").glob("*.dat"):
        if path.stem.partition("_")[0] not in LOCALES:
            path.unlink()
    for path in list(_superfluous(target)):
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)


def size(target: Path) -> int:
    """Return the unpacked size of *target* in bytes."""
    return sum(path.stat().st_size for path in target.rglob("*") if path.is_file())


def _superfluous(target: Path) -> Iterator[Path]:
    yield from target.rglob("__pycache__")
    yield from target.rglob("*.pyi")
    yield from (path for path in target.rglob("tests") if path.is_dir())
    yield from (target / name for name in ("bin",) if (target / name).exists())


def _install(wanted: Path, target: Path) -> None:
    command = [
        *(sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"),
        *("--target", str(target), "--no-deps", "--require-hashes", "--only-binary", ":all:", "--no-compile"),
        *("--implementation", "cp", "--python-version", PYTHON),
        *(part for platform in PLATFORMS for part in ("--platform", platform)),
        *("--requirement", str(wanted)),
    ]
    subprocess.run(command, check=True)  # noqa: S603 - our own interpreter, our own lock file


if __name__ == "__main__":
    main()
