"""Synthesise the stack for the embedded AWS: ``python -m infra.local FOLDER`` leaves FOLDER/cdk.out."""

import json
import sys
from pathlib import Path

from infra.node import use_bundled_node
from infra.package import stage_sources

ROOT = Path(__file__).parent.parent


def synthesise(folder: Path) -> None:
    """Stage the code without its dependencies, which come from the emulator's interpreter, and synthesise."""
    use_bundled_node()
    from infra.app import make_app

    stage_sources(ROOT, folder / "bundles" / "all")
    context = json.loads((ROOT / "cdk.json").read_text(encoding="utf-8"))["context"]
    make_app(str(folder / "cdk.out"), context | {"local": True, "bundles": str(folder / "bundles")}).synth()


if __name__ == "__main__":
    synthesise(Path(sys.argv[1]))
