"""Calls of one HTTP API with JSON: its address is checked and kept, its headers may hold keys and are never shown."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx2

from planloom.tools.address_guard import AddressRefused, check_url
from planloom.tools.pinned_http import PinnedTransport
from planloom.tools.tool import NotReached

#: Seconds to connect and to wait for an answer; bytes of an answer that are read.
CONNECTING, ANSWERING, MOST_BYTES = 10.0, 30.0, 6_000_000


@dataclass(frozen=True)
class HttpAnswer:
    """What an API answered; ``body`` is its JSON, or its text where it is none."""

    status: int
    headers: Mapping[str, str]
    body: Any


@dataclass
class HttpApi:
    """The API at *url*. *loopback* admits this machine: on a laptop only. Close it after use."""

    url: str
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    loopback: bool = False
    seconds: float = ANSWERING
    _client: httpx2.AsyncClient | None = None
    _opening: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def request(
        self, method: str, path: str, query: Sequence[tuple[str, str]] = (), body: Any = None
    ) -> HttpAnswer:
        """Return the answer to one call; *path* is within the API's URL. Redirects are not followed.

        Raises NotReached where nothing was sent, ConnectionError and TimeoutError where nobody knows what was done.
        """
        client = await self._opened()
        try:
            url = f"{self.url.rstrip('/')}/{path.lstrip('/')}"
            # a server could send one byte at a time, for hours
            async with (
                asyncio.timeout(CONNECTING + self.seconds),
                client.stream(method, url, params=httpx2.QueryParams(list(query)), json=body) as answer,
            ):
                return HttpAnswer(answer.status_code, dict(answer.headers), await _read(answer))
        except httpx2.ConnectError as error:
            raise NotReached(f"{self.url} cannot be reached: {error}") from error
        except (httpx2.TimeoutException, TimeoutError) as error:
            raise TimeoutError(f"{self.url} did not answer within {self.seconds:g} seconds.") from error
        except httpx2.TransportError as error:
            raise ConnectionError(f"The connection to {self.url} broke: {error}") from error

    async def close(self) -> None:
        """End the connections."""
        if self._client is not None:
            await self._client.aclose()
            self._client = None

    async def _opened(self) -> httpx2.AsyncClient:
        async with self._opening:
            if self._client is None:
                try:
                    address = await check_url(self.url, loopback=self.loopback)
                except AddressRefused as error:
                    raise NotReached(str(error)) from error
                self._client = httpx2.AsyncClient(
                    headers={"Accept": "application/json", **self.headers},
                    timeout=httpx2.Timeout(self.seconds, connect=CONNECTING),
                    transport=PinnedTransport(address),
                    trust_env=False,
                )
            return self._client


async def _read(answer: httpx2.Response) -> Any:
    found = bytearray()
    async for chunk in answer.aiter_bytes():
        found += chunk
        if len(found) > MOST_BYTES:
            raise ConnectionError(f"The answer has more than {MOST_BYTES:,} bytes. Ask for smaller pages.")
    text = found.decode("utf-8", "replace")
    try:
        return json.loads(text)
    except ValueError:
        return text
    except RecursionError as error:
        raise ConnectionError("The answer is nested too deeply. Ask the API for flatter rows.") from error
