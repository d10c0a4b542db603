"""The line on which a blocking request waits, so that whoever gives the request up can cut it from another thread."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Lock


class Line:
    """One request's way to its provider: free, taken by a connection, or cut for good."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._cut = False
        self._shut: Callable[[], object] | None = None

    def take(self, shut: Callable[[], object]) -> None:
        """Let *shut* close what the request waits on from now on. Raises ConnectionAbortedError once it is cut."""
        with self._lock:
            if self._cut:
                raise ConnectionAbortedError("the request was given up")
            self._shut = shut

    def free(self) -> None:
        """Say that the connection is no longer this request's: another may use it."""
        with self._lock:
            self._shut = None

    def cut(self) -> None:
        """Hang up, at once or as soon as there is a connection; nothing happens where the request is done."""
        with self._lock:
            self._cut = True
            if self._shut:
                self._shut()


_LINE: ContextVar[Line | None] = ContextVar("line", default=None)


def line() -> Line | None:
    """Return the line of the request that runs here; threads that work for it see the same one."""
    return _LINE.get()


@contextmanager
def cut_on_error() -> Iterator[None]:
    """Give the request within a line of its own, and cut it however the request fails: given up, or out of time."""
    own = Line()
    token = _LINE.set(own)
    try:
        yield
    except BaseException:
        own.cut()
        raise
    finally:
        _LINE.reset(token)
