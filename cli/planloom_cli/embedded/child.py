"""The child process: ministack, which leaves when its parent does; run as a script, with the parent at its stdin."""

import os
import signal
import sys
import threading


def _leave_with_parent() -> None:
    # The parent never writes: the end of the pipe is the parent's end, however it came about. SIGTERM saves the state.
    # Read past Python's buffer, whose lock would be held when the interpreter ends.
    os.read(0, 1)
    os.kill(os.getpid(), signal.SIGTERM)


def main() -> None:
    """Serve until SIGTERM."""
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    # Imported late, for it reads the environment
    from ministack.app import main as serve  # type: ignore[import-untyped]

    sys.argv = ["ministack"]
    serve()


if __name__ == "__main__":
    main()
