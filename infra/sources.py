"""Copies our sources for the Lambdas, compiled so that cold starts are faster."""

import compileall
import shutil
import subprocess
import sys
from pathlib import Path
from py_compile import PycInvalidationMode
from typing import Literal

ROOT = Path(__file__).parent.parent

#: What a Lambda imports decides which bundle it gets; for AWS, infra.package builds each.
Bundle = Literal["base", "api", "compute", "stage", "worker"]

SKIPPED = shutil.ignore_patterns("__pycache__", "*.pyc")


def copy_sources(target: Path) -> None:
    """Copy the package and the handlers into *target*, side by side, as imports expect them."""
    shutil.copytree(ROOT / "shared" / "planloom", target / "planloom", ignore=SKIPPED)
    shutil.copytree(ROOT / "functions", target / "functions", ignore=SKIPPED)


def copy_viewer(target: Path) -> None:
    """Copy the built viewer into *target*; without one, its handler says how to build it."""
    built = ROOT / "build" / "viewer"
    if built.is_dir():
        shutil.copytree(built, target / "viewer")


def compile_sources(target: Path, python: str | None = None) -> None:
    """Compile all of *target*, for this interpreter or for *python* (``3.13``).

    Compiled files are not checked against their sources, since a zip has no usable times. If the other Python is not
    installed, it prints a warning and compiles nothing: the sources work, with slower cold starts.
    """
    if python is None or sys.version_info[:2] == tuple(int(part) for part in python.split(".")):
        compileall.compile_dir(target, quiet=1, invalidation_mode=PycInvalidationMode.UNCHECKED_HASH)
        return
    other = _interpreter(python)
    if other is None:
        sys.stderr.write(f"python{python} does not run here: {target.name} is not compiled, and starts slower\n")
        return
    command = [other, "-m", "compileall", "-q", "-j", "0", "--invalidation-mode", "unchecked-hash", str(target)]
    subprocess.run(command, check=True)  # noqa: S603 - an interpreter, on our own files


def _interpreter(python: str) -> str | None:
    found = shutil.which(f"python{python}")
    # Version managers put a command on the path that only lists the installed versions
    works = found and subprocess.run([found, "--version"], capture_output=True, check=False).returncode == 0  # noqa: S603
    return found if works else None
