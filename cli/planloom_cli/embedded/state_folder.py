"""The state folder of the embedded AWS, and the lock that allows one process at a time to use it."""

import fcntl
import json
import os
import shutil
from pathlib import Path

from planloom_cli.embedded.errors import FolderInUse, FolderUnusable


class StateFolder:
    """Paths below *root*; the folder is readable only by its owner."""

    def __init__(self, root: Path) -> None:
        self.root = root.expanduser().resolve()
        self.aws = self.root / "aws"
        self.files = self.root / "files"
        self.botocore = self.root / "botocore"
        self.temporary = self.root / "tmp"
        self.assemblies = self.root / "assemblies"
        self.log = self.root / "aws.log"
        self._port = self.root / "port"
        self._running = self.root / "running"
        self._lock = self.root / "lock"
        self._held: int | None = None

    def lock(self) -> int:
        """Lock the folder and return the file descriptor of the lock, which the child inherits.

        The kernel releases the lock when the last process that holds it ends, so that a crash leaves no stale lock.
        Raises FolderInUse, FolderUnusable.
        """
        try:
            self.root.mkdir(parents=True, exist_ok=True, mode=0o700)
            descriptor = os.open(self._lock, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise FolderUnusable(
                f"The folder {self.root} cannot be used ({error.strerror}). Name another one with --state."
            ) from error
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            raise FolderInUse(self._in_use_message()) from None
        self._held = descriptor
        self.sign(os.getpid(), None)
        return descriptor

    def is_locked(self) -> bool:
        """Return whether a process holds the lock, without affecting it."""
        try:
            descriptor = os.open(self._lock, os.O_RDONLY)
        except OSError:
            return False
        try:
            # a shared lock: two processes that check at the same time do not see each other as the holder
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        finally:
            os.close(descriptor)
        return False

    def sign(self, pid: int, port: int | None) -> None:
        """Write the holder of the lock into its file, for the error message of other processes."""
        assert self._held is not None
        os.ftruncate(self._held, 0)
        os.pwrite(self._held, json.dumps({"pid": pid, "port": port}).encode(), 0)

    def unlock(self) -> None:
        """Release the lock."""
        if self._held is not None:
            os.close(self._held)
            self._held = None

    def clear_temporary(self) -> Path:
        """Return the empty folder for temporary files; killed workers leave files in it."""
        shutil.rmtree(self.temporary, ignore_errors=True)
        self.temporary.mkdir(mode=0o700)
        return self.temporary

    def mark_running(self) -> bool:
        """Mark the state as not saved; return whether it was already: the last process was killed."""
        was_killed = self._running.exists()
        self._running.touch()
        return was_killed

    def mark_saved(self) -> None:
        """Mark the state as saved."""
        self._running.unlink(missing_ok=True)

    @property
    def last_port(self) -> int | None:
        """The port of the last start, so that URLs stay the same."""
        try:
            return int(self._port.read_text())
        except (OSError, ValueError):
            return None

    def remember_port(self, port: int) -> None:
        """Save *port* for the next start."""
        self._port.write_text(f"{port}\n")

    def _in_use_message(self) -> str:
        try:
            holder = json.loads(self._lock.read_text())
            at = f" on port {holder['port']}" if holder["port"] else ""
            by = f"process {holder['pid']} (planloom{at})"
        except (OSError, ValueError, KeyError):
            by = "another process"
        return f"The folder {self.root} is in use by {by}. Stop that process, or name another folder with --state."
