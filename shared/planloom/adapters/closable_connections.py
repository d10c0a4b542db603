"""Connections of the SDK that can be hung up while a thread waits on them: its own clients only close idle ones."""

import socket
from contextlib import suppress
from typing import Any

from botocore.awsrequest import AWSHTTPConnectionPool, AWSHTTPSConnectionPool
from urllib3.connectionpool import HTTPConnectionPool

from planloom.models.line import line


class _Lines(HTTPConnectionPool):
    """Tells the request's line which connection it waits on, from taking it out of the pool to putting it back."""

    def _get_conn(self, timeout: float | None = None) -> Any:
        connection = super()._get_conn(timeout)
        if request := line():
            request.take(lambda: _shut(connection))
        return connection

    def _validate_conn(self, conn: Any) -> None:
        super()._validate_conn(conn)
        # it may have been given up while it connected, when there was nothing to shut yet
        if request := line():
            request.take(lambda: _shut(conn))

    def _put_conn(self, conn: Any) -> None:
        if request := line():
            request.free()
        super()._put_conn(conn)


class _Plain(_Lines, AWSHTTPConnectionPool):
    pass


class _Secure(_Lines, AWSHTTPSConnectionPool):
    pass


def make_closable(client: Any) -> Any:
    """Return *client* with connections that its requests' lines can cut."""
    # the SDK has no setting for it; tests/unit/services/test_ask_model.py sees when this way is no more
    client._endpoint.http_session._pool_classes_by_scheme.update(http=_Plain, https=_Secure)
    return client


def _shut(connection: Any) -> None:
    # not close(): that would leave the thread waiting on a descriptor that the next connection may get
    if connection.sock:
        with suppress(OSError):
            socket.socket.shutdown(connection.sock, socket.SHUT_RDWR)
