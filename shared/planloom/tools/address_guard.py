"""Which addresses a tool server may have: none inside the network that the service itself runs in (SSRF)."""

import asyncio
import ipaddress
import socket
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from urllib.parse import urlsplit

IpAddress = ipaddress.IPv4Address | ipaddress.IPv6Address
#: Returns the addresses of a host name, as texts. Raises OSError where it has none.
Resolve = Callable[[str, int], Awaitable[list[str]]]

#: The address of the metadata services of clouds; link-local, named here for the message.
METADATA = ipaddress.ip_address("169.254.169.254")
#: Every public IPv6 address is in it. Outside are forms that is_global admits: IPv4 addresses in ::/96, and the NAT64
#: prefix of a network of one's own, 64:ff9b:1::/48.
GLOBAL_UNICAST = ipaddress.ip_network("2000::/3")
#: Longer URLs are refused.
LONGEST_URL = 2_000


class AddressRefused(ValueError):
    """The URL leads, or may lead, to a place that a tool server must not have; the message says why."""


@dataclass(frozen=True)
class CheckedAddress:
    """A URL whose host was resolved and admitted; connections are made to ``ip``, whatever DNS says later."""

    url: str
    host: str
    port: int
    ip: str


async def resolve(host: str, port: int) -> list[str]:
    """Return the addresses of *host* as the system resolves it."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


async def check_url(url: str, *, loopback: bool = False, resolve: Resolve = resolve) -> CheckedAddress:
    """Return the address that *url* leads to. Raises AddressRefused.

    Every address of the host must be public. *loopback* admits this machine, over http too: on a laptop only.
    """
    scheme, host, port = _parts(url)
    try:
        ips = [ipaddress.ip_address(text.partition("%")[0]) for text in await resolve(host, port)]
    except (OSError, ValueError, UnicodeError) as error:
        raise AddressRefused(f"The host {host} has no address. Check its name.") from error
    if not ips:
        raise AddressRefused(f"The host {host} has no address. Check its name.")
    for ip in ips:
        _check_ip(host, ip, loopback)
    if scheme == "http" and not all(_plain(ip).is_loopback for ip in ips):
        raise AddressRefused("The URL must begin with https://: headers with keys are sent to it.")
    return CheckedAddress(url, host, port, str(ips[0]))


def _parts(url: str) -> tuple[str, str, int]:
    """Return scheme, host and port of *url*."""
    if len(url) > LONGEST_URL or any(char.isspace() or ord(char) < 0x20 for char in url):
        raise AddressRefused(f"The URL is longer than {LONGEST_URL} characters or holds white space.")
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").rstrip("."), parts.port
    except ValueError as error:
        raise AddressRefused(f"The URL cannot be read: {error}.") from error
    if parts.scheme not in ("http", "https") or not host:
        raise AddressRefused("The URL must begin with https:// and name a host.")
    if parts.username is not None or parts.password is not None:
        raise AddressRefused("The URL holds a user name or password. Put credentials into headers instead.")
    return parts.scheme, host, port or (443 if parts.scheme == "https" else 80)


def _check_ip(host: str, ip: IpAddress, loopback: bool) -> None:
    plain = _plain(ip)
    if plain.is_loopback and loopback:
        return
    global_unicast = plain.version == 4 or plain in GLOBAL_UNICAST
    if plain == METADATA or not (plain.is_global and global_unicast) or plain.is_multicast:
        raise AddressRefused(f"{host} leads to {plain}, which is no public address. Tool servers must be public.")


def _plain(ip: IpAddress) -> IpAddress:
    """Return the IPv4 address that an IPv6 address carries (mapped, 6to4, NAT64), or *ip* itself."""
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.ipv4_mapped:
            return ip.ipv4_mapped
        if ip.sixtofour:
            return ip.sixtofour
        if ip in ipaddress.ip_network("64:ff9b::/96"):
            return ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
    return ip
