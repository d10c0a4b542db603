"""HTTP to an address that was checked, and to no other (SSRF)."""

import httpx2

from planloom.tools.address_guard import CheckedAddress


class PinnedTransport(httpx2.AsyncHTTPTransport):
    """Connects to the address that was checked, whatever the host's name resolves to by then."""

    def __init__(self, address: CheckedAddress) -> None:
        super().__init__(trust_env=False)
        self._address = address

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        if request.url.host != self._address.host or (request.url.port or 0) not in (0, self._address.port):
            raise httpx2.ConnectError(f"The server redirects to {request.url.host}, which was not checked.")
        request.extensions = {**request.extensions, "sni_hostname": self._address.host}
        # the header Host was set from the name already
        request.url = request.url.copy_with(host=self._address.ip)
        return await super().handle_async_request(request)
