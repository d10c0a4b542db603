"""What holds for all unit tests: they open no socket."""

import socket
from collections.abc import Iterator
from typing import Any, NoReturn

import pytest


@pytest.fixture(scope="module", autouse=True)
def no_sockets() -> Iterator[None]:
    """Refuse connections and servers, in fixtures too. The socket pairs of asyncio need neither."""

    def refuse(_: socket.socket, address: Any) -> NoReturn:
        raise AssertionError(f"A unit test opens a socket ({address}). Move it to tests/integration.")

    with pytest.MonkeyPatch.context() as patch:
        for name in ("connect", "connect_ex", "bind"):
            patch.setattr(socket.socket, name, refuse)
        yield
