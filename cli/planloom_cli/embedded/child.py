"""The child process: ministack, which ends with its parent; run as a script, with a pipe from the parent as stdin."""

import os
import signal
import sys
import threading


def _end_with_parent() -> None:
    # The parent never writes: the pipe closes when the parent ends, for whatever reason. SIGTERM saves the state.
    # os.read does not use Python's buffer, whose lock would be held when the interpreter ends.
    os.read(0, 1)
    os.kill(os.getpid(), signal.SIGTERM)


def main() -> None:
    """Serve until SIGTERM."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    # Imported here because it reads the environment
    from ministack.app import main as serve  # type: ignore[import-untyped]

    sys.argv = ["ministack"]
    serve()


if __name__ == "__main__":
    main()
