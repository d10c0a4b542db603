"""The state folder: all that the embedded AWS keeps, and the lock that lets one process work on it at a time."""

import fcntl
import json
import os
import shutil
from pathlib import Path

from planloom_cli.embedded.errors import FolderInUse, FolderUnusable


class StateFolder:
    """Paths below *root*; the folder and what is in it is for its owner's eyes alone."""

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
        """Take the folder and return the lock's descriptor, for the child to share.

        The kernel drops the lock with the last process that holds it, so that a crash leaves no stale one.
        Raises FolderInUse, FolderUnusable.
        """
        try:
            self.root.mkdir(parents=True, exist_ok=True, mode=0o700)
            descriptor = os.open(self._lock, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise FolderUnusable(f"The folder {self.root} cannot be used ({error.strerror}). Name another.") from error
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            raise FolderInUse(self._who()) from None
        self._held = descriptor
        self.sign(os.getpid(), None)
        return descriptor

    def is_locked(self) -> bool:
        """Return whether a process holds the lock; who asks takes it from nobody."""
        try:
            descriptor = os.open(self._lock, os.O_RDONLY)
        except OSError:
            return False
        try:
            # shared, so that two who ask at the same time do not take each other for the holder
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        finally:
            os.close(descriptor)
        return False

    def sign(self, pid: int, port: int | None) -> None:
        """Write into the lock who holds it, for the message that another process will print."""
        assert self._held is not None
        os.ftruncate(self._held, 0)
        os.pwrite(self._held, json.dumps({"pid": pid, "port": port}).encode(), 0)

    def unlock(self) -> None:
        """Give the folder back."""
        if self._held is not None:
            os.close(self._held)
            self._held = None

    def clear_temporary(self) -> Path:
        """Return an empty folder for temporary files: a killed worker leaves its code behind."""
        shutil.rmtree(self.temporary, ignore_errors=True)
        self.temporary.mkdir(mode=0o700)
        return self.temporary

    def mark_running(self) -> bool:
        """Note that state is being changed; return whether it was so already: the last one that ran was killed."""
        was = self._running.exists()
        self._running.touch()
        return was

    def mark_saved(self) -> None:
        """Note that all state is on disk."""
        self._running.unlink(missing_ok=True)

    @property
    def last_port(self) -> int | None:
        """The port of the last start, so that URLs stay as they were."""
        try:
            return int(self._port.read_text())
        except (OSError, ValueError):
            return None

    def remember_port(self, port: int) -> None:
        """Keep *port* for the next start."""
        self._port.write_text(f"{port}\n")

    def _who(self) -> str:
        try:
            holder = json.loads(self._lock.read_text())
            at = f" on port {holder['port']}" if holder["port"] else ""
            by = f"process {holder['pid']} (planloom{at})"
        except (OSError, ValueError, KeyError):
            by = "another process"
        return f"The folder {self.root} is in use by {by}. Use what runs there, stop it, or name another with --state."
