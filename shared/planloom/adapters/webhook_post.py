"""Posts to the URLs of webhooks: to the address that was checked, without proxies, redirects or cookies."""

import asyncio
import ssl
from collections.abc import Callable, Mapping
from queue import Empty, SimpleQueue
from threading import Thread
from urllib.parse import urlsplit

from urllib3 import HTTPConnectionPool, HTTPSConnectionPool, Timeout
from urllib3.exceptions import HTTPError

from planloom.notifications.webhook import Attempt
from planloom.tools.address_guard import AddressRefused, CheckedAddress, check_url

#: Seconds to connect, and to wait for each part of the response.
CONNECTING, ANSWERING = 3.0, 7.0
#: Seconds that all of it may take.
LONGEST = 10.0
#: The receiver asks for no more messages of this kind.
GONE = 410


class WebhookPoster:
    """Implements planloom.notifications.ports.Poster on urllib3. *loopback* admits this machine: on a laptop only."""

    def __init__(self, *, loopback: bool) -> None:
        self._loopback = loopback

    def check(self, url: str) -> None:
        asyncio.run(check_url(url, loopback=self._loopback))

    def post(self, url: str, headers: Mapping[str, str], body: bytes) -> Attempt:
        try:
            # checked at each attempt: the name may lead elsewhere than when the webhook was added
            address = asyncio.run(check_url(url, loopback=self._loopback))
        except AddressRefused as error:
            return Attempt(error=str(error)[:500])
        return _within(LONGEST, lambda: _tried(address, headers, body))


def _within(seconds: float, post: Callable[[], Attempt]) -> Attempt:
    """Return what *post* returns, or that it took too long: a receiver could send one byte at a time, for hours."""
    found: SimpleQueue[Attempt] = SimpleQueue()
    Thread(target=lambda: found.put(post()), daemon=True).start()
    try:
        return found.get(timeout=seconds)
    except Empty:
        return Attempt(error=f"The receiver did not respond within {seconds:g} seconds.")


def _tried(address: CheckedAddress, headers: Mapping[str, str], body: bytes) -> Attempt:
    try:
        return _posted(address, headers, body)
    except (HTTPError, OSError) as error:
        return Attempt(error=f"The receiver did not respond: {_reason(error)}"[:500])


def _posted(address: CheckedAddress, headers: Mapping[str, str], body: bytes) -> Attempt:
    parts = urlsplit(address.url)
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    with _pool(address, parts.scheme) as pool:
        response = pool.request(
            "POST",
            target,
            body=body,
            headers={**headers, "host": parts.netloc},
            redirect=False,
            retries=False,
            preload_content=False,
        )
        status = response.status
        # what it says does not matter, and may be without end
        response.close()
    if 200 <= status < 300:
        return Attempt(status=status)
    said = "redirected, which is not followed" if 300 <= status < 400 else f"responded with status {status}"
    return Attempt(status=status, error=f"The receiver {said}.", refused=status == GONE)


def _pool(address: CheckedAddress, scheme: str) -> HTTPConnectionPool:
    timeout = Timeout(connect=CONNECTING, read=ANSWERING)
    if scheme == "http":
        return HTTPConnectionPool(address.ip, address.port, timeout=timeout, maxsize=1)
    return HTTPSConnectionPool(
        address.ip,
        address.port,
        timeout=timeout,
        maxsize=1,
        ssl_context=ssl.create_default_context(),
        # the certificate must be that of the name, though the connection is made to the address
        server_hostname=address.host,
        assert_hostname=address.host,
    )


def _reason(error: Exception) -> str:
    # urllib3 wraps: the innermost reason is what a person can use
    reason = getattr(error, "reason", None) or error
    return (
        str(getattr(reason, "args", [reason])[-1] if isinstance(reason, HTTPError) else reason) or type(error).__name__
    )
