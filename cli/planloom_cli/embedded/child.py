"""The child process: ministack, which ends with its parent; run as a script, with a pipe from the parent as stdin.

With arguments, Lambdas are started by the first one, an executable, as forks of a server that gets the others.
"""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path


def _end_with_parent() -> None:
    # The parent never writes: the pipe closes when the parent ends, for whatever reason. SIGTERM saves the state.
    # os.read does not use Python's buffer, whose lock would be held when the interpreter ends.
    os.read(0, 1)
    os.kill(os.getpid(), signal.SIGTERM)


def _fork_workers(starter: str, *of_server: str) -> None:
    server = str(Path(__file__).with_name("fork_server.py"))
    # the pipe closes when this process ends
    subprocess.Popen([sys.executable, "-P", server, *of_server], stdin=subprocess.PIPE)  # noqa: S603 - our own script
    # the emulator runs the workers of Python functions with its own interpreter
    sys.executable = starter


def main() -> None:
    """Serve until SIGTERM."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if sys.argv[1:] and os.access(sys.argv[1], os.X_OK):
        _fork_workers(*sys.argv[1:])
    # Imported here because it reads the environment
    from ministack.app import main as serve  # type: ignore[import-untyped]

    sys.argv = ["ministack"]
    serve()


if __name__ == "__main__":
    main()
