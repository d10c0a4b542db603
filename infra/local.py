"""Synthesises the stack for the embedded AWS: ``python -m infra.local FOLDER`` writes FOLDER/cdk.out and FOLDER/code.

Each of about forty workers of the emulator unpacks the code of its Lambda. To save space, that code only points to
FOLDER/code, which all workers share. Dependencies are those of the emulator's interpreter or, with the option
``--as-deployed``, only those of the function's bundle.
"""

import json
import sys
from pathlib import Path

from infra.app import STACK_NAME, make_app
from infra.as_deployed import adapt, write_isolated
from infra.sources import ROOT, compile_sources, copy_sources, copy_viewer

POINTER = '''\
"""Points to the code of this deployment."""

import sys

sys.path.insert(0, {code!r})
__path__ = [{handlers!r}]
'''


def synthesise(folder: Path, *, as_deployed: bool = False) -> None:
    """Copy the code, and synthesise Lambdas that point to it. FOLDER must not move while it is deployed."""
    code = folder / "code"
    copy_sources(code)
    compile_sources(code)
    copy_viewer(code)
    if as_deployed:
        write_isolated(folder / "bundles", code)
    else:
        pointer = folder / "bundles" / "all" / "functions" / "__init__.py"
        pointer.parent.mkdir(parents=True)
        pointer.write_text(POINTER.format(code=str(code), handlers=str(code / "functions")), encoding="utf-8")
    context = json.loads((ROOT / "cdk.json").read_text(encoding="utf-8"))["context"]
    # the emulator's Bedrock only echoes, and AWS itself must not be called from here
    ours = {"local": True, "as_deployed": as_deployed, "bundles": str(folder / "bundles"), "bedrock": "off"}
    make_app(str(folder / "cdk.out"), context | ours).synth()
    if as_deployed:
        adapt(folder / "cdk.out" / f"{STACK_NAME}.template.json")


if __name__ == "__main__":
    synthesise(Path(sys.argv[1]).resolve(), as_deployed="--as-deployed" in sys.argv[2:])
