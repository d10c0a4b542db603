"""moto, one call at a time: no lock protects its dictionaries from threads that change them while others read."""

import threading
from typing import Any

from moto.core.botocore_stubber import BotocoreStubber

_LOCK = threading.RLock()
_process = BotocoreStubber.process_request


def _one_at_a_time(self: BotocoreStubber, request: Any) -> Any:
    # the handler of a function that moto invokes makes calls from other threads before it returns
    if "//lambda." in request.url:
        return _process(self, request)
    with _LOCK:
        return _process(self, request)


def make_moto_thread_safe() -> None:
    """Let calls to moto wait for each other, in this process."""
    BotocoreStubber.process_request = _one_at_a_time  # type: ignore[method-assign]
