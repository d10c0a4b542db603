"""Synthesise the stack for the embedded AWS: ``python -m infra.local FOLDER`` leaves FOLDER/cdk.out and FOLDER/code.

A worker of the emulator unpacks its Lambda's code for itself, and there are forty workers. So what they unpack only
points to FOLDER/code, which they share; dependencies come from the emulator's interpreter.
"""

import json
import sys
from pathlib import Path

from infra.app import make_app
from infra.sources import ROOT, compile_sources, copy_sources, copy_viewer

POINTER = '''\
"""Points to the code of this deployment."""

import sys

sys.path.insert(0, {code!r})
__path__ = [{doors!r}]
'''


def synthesise(folder: Path) -> None:
    """Stage the code, and synthesise Lambdas that point to it. FOLDER must not move as long as it is deployed."""
    code = folder / "code"
    copy_sources(code)
    compile_sources(code)
    copy_viewer(code)
    pointer = folder / "bundles" / "all" / "functions" / "__init__.py"
    pointer.parent.mkdir(parents=True)
    pointer.write_text(POINTER.format(code=str(code), doors=str(code / "functions")), encoding="utf-8")
    context = json.loads((ROOT / "cdk.json").read_text(encoding="utf-8"))["context"]
    make_app(str(folder / "cdk.out"), context | {"local": True, "bundles": str(folder / "bundles")}).synth()


if __name__ == "__main__":
    synthesise(Path(sys.argv[1]).resolve())
