"""Connections of the SDK that can be closed while a thread waits on them: its own clients close only idle ones."""

import socket
from contextlib import suppress
from typing import Any

from botocore.awsrequest import AWSHTTPConnectionPool, AWSHTTPSConnectionPool
from urllib3.connectionpool import HTTPConnectionPool

from planloom.models.pending_request import pending_request


class _TrackedPool(HTTPConnectionPool):
    """Registers with the request which connection it waits on, from taking it out of the pool to putting it back."""

    def _get_conn(self, timeout: float | None = None) -> Any:
        connection = super()._get_conn(timeout)
        if request := pending_request():
            request.attach(lambda: _shut(connection))
        return connection

    def _validate_conn(self, conn: Any) -> None:
        super()._validate_conn(conn)
        # the request may have been cancelled while it connected, when there was no socket to shut down
        if request := pending_request():
            request.attach(lambda: _shut(conn))

    def _put_conn(self, conn: Any) -> None:
        if request := pending_request():
            request.detach()
        super()._put_conn(conn)


class _Plain(_TrackedPool, AWSHTTPConnectionPool):
    pass


class _Secure(_TrackedPool, AWSHTTPSConnectionPool):
    pass


def make_closable(client: Any) -> Any:
    """Return *client* with connections that a cancelled request closes."""
    # the SDK has no setting for this; test_ask_model.py fails if a new version works differently
    client._endpoint.http_session._pool_classes_by_scheme.update(http=_Plain, https=_Secure)
    return client


def _shut(connection: Any) -> None:
    # not close(): that would leave the thread waiting on a descriptor that the next connection may get
    if connection.sock:
        with suppress(OSError):
            socket.socket.shutdown(connection.sock, socket.SHUT_RDWR)
