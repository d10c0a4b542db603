"""The TypeScript client, ready to run: its packages from the lock file, on the Node that came with the Python ones."""

import json
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.e2e import npm

SOURCES = Path(__file__).parent / "typescript_client"
RUN_WITHIN = 300.0


@dataclass(frozen=True)
class TypeScriptClient:
    """The client in its folder, with all that it imports."""

    folder: Path

    def run(self, url: str, key: str, prompt: str = "") -> dict[str, Any]:
        """Run it to its end and return what it printed."""
        ended = subprocess.run(
            [npm.NODE, "client.mjs", url, key],
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
    """Install its packages, unless that was done before."""
    folder = npm.install(SOURCES)
    shutil.copy(SOURCES / "client.mjs", folder)
    return TypeScriptClient(folder)
