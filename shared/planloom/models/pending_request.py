"""Cancels a blocking request from another thread, by closing the connection that it waits on."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Lock


class PendingRequest:
    """A request that waits for a connection or on one, until it ends or is cancelled."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._cancelled = False
        self._close: Callable[[], object] | None = None

    def attach(self, close: Callable[[], object]) -> None:
        """Register *close*, which closes the request's connection. Raises ConnectionAbortedError if cancelled."""
        with self._lock:
            if self._cancelled:
                raise ConnectionAbortedError("the request was cancelled")
            self._close = close

    def detach(self) -> None:
        """Forget the connection: it is returned to the pool and another request may use it."""
        with self._lock:
            self._close = None

    def cancel(self) -> None:
        """Close the connection now, or as soon as there is one; does nothing if the request has ended."""
        with self._lock:
            self._cancelled = True
            if self._close:
                self._close()


_PENDING: ContextVar[PendingRequest | None] = ContextVar("pending_request", default=None)


def pending_request() -> PendingRequest | None:
    """Return the request of this context; threads that work for it return the same one."""
    return _PENDING.get()


@contextmanager
def cancel_on_error() -> Iterator[None]:
    """Give the request within a PendingRequest, and cancel it if it fails, is cancelled or times out."""
    own = PendingRequest()
    token = _PENDING.set(own)
    try:
        yield
    except BaseException:
        own.cancel()
        raise
    finally:
        _PENDING.reset(token)
