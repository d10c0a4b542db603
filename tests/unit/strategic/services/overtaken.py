"""A port that is overtaken: something else happens before one of its calls, once."""

from collections.abc import Callable
from typing import Any


class Overtaken:
    """A proxy of *port*; *first* happens before the first call of *name* that is about *what* (any, without it)."""

    def __init__(self, port: Any, name: str, first: Callable[[], object], what: object = None) -> None:
        self._port = port
        self._name = name
        self._left = [first]
        self._what = what

    def __getattr__(self, called: str) -> Any:
        found = getattr(self._port, called)

        def call(*args: Any, **options: Any) -> Any:
            if called == self._name and self._what in (None, *args) and self._left:
                self._left.pop()()
            return found(*args, **options)

        return call
