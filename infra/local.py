"""Synthesise the stack for the embedded AWS: ``python -m infra.local FOLDER`` leaves FOLDER/cdk.out."""

import json
import sys
from pathlib import Path

from infra.app import make_app
from infra.sources import ROOT, compile_sources, copy_sources


def synthesise(folder: Path) -> None:
    """Stage the code without its dependencies, which come from the emulator's interpreter, and synthesise."""
    code = folder / "bundles" / "all"
    copy_sources(code)
    compile_sources(code)
    context = json.loads((ROOT / "cdk.json").read_text(encoding="utf-8"))["context"]
    make_app(str(folder / "cdk.out"), context | {"local": True, "bundles": str(folder / "bundles")}).synth()


if __name__ == "__main__":
    synthesise(Path(sys.argv[1]))
