"""URLs of tool servers: only public addresses, over https; this machine on a laptop alone."""

import asyncio
from collections import deque

import httpx2
import pytest

from planloom.tools.address_guard import AddressRefused, check_url
from planloom.tools.pinned_http import PinnedTransport

NAMES = {
    "tools.example": ["93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946"],
    "inside.example": ["10.0.0.5"],
    "half.example": ["93.184.216.34", "192.168.1.1"],
    "metadata.example": ["169.254.169.254"],
    "localhost": ["127.0.0.1", "::1"],
    "2130706433": ["127.0.0.1"],
    "0x7f.1": ["127.0.0.1"],
}


async def resolve(host: str, port: int) -> list[str]:
    if host in NAMES:
        return NAMES[host]
    if host.replace(".", "").isdigit() or ":" in host:
        return [host]
    raise OSError(host)


def check(url: str, loopback: bool = False) -> str:
    return asyncio.run(check_url(url, loopback=loopback, resolve=resolve)).ip


def test_a_public_server_is_pinned_to_its_first_address() -> None:
    assert check("https://tools.example/mcp") == "93.184.216.34"
    assert check("https://tools.example.:8443/mcp") == "93.184.216.34"


@pytest.mark.parametrize(
    "url",
    [
        "http://tools.example/mcp",
        "ftp://tools.example/",
        "file:///etc/passwd",
        "https://",
        "https://key:secret@tools.example/",
        "https://inside.example/",
        "https://half.example/",
        "https://metadata.example/latest/meta-data/",
        "https://169.254.169.254/latest/meta-data/",
        "https://localhost/",
        "https://127.0.0.1/",
        "https://2130706433/",
        "https://0x7f.1/",
        "https://0.0.0.0/",
        "https://100.64.0.1/",
        "https://[::1]/",
        "https://[::]/",
        "https://[::ffff:10.0.0.1]/",
        "https://[2002:7f00:0001::]/",
        "https://[64:ff9b::a00:1]/",
        "https://[fd00::1]/",
        "https://[fe80::1%25eth0]/",
        "https://[ff02::1]/",
        "https://nowhere.example/",
        "https://tools.example:99999/",
        "https://tools.example/\n",
    ],
)
def test_what_is_not_public_is_refused(url: str) -> None:
    with pytest.raises(AddressRefused):
        check(url)


def test_on_a_laptop_this_machine_is_admitted_and_the_rest_of_its_network_is_not() -> None:
    assert check("http://localhost:8080/mcp", loopback=True) == "127.0.0.1"
    for url in ("http://10.0.0.5/", "https://169.254.169.254/", "http://tools.example/"):
        with pytest.raises(AddressRefused):
            check(url, loopback=True)


@pytest.mark.parametrize(
    ("trick", "url"),
    [
        ("decimal", "https://2852039166/latest/meta-data/"),
        ("octal", "https://0251.0376.0251.0376/"),
        ("octal without dots", "https://017700000001/"),
        ("hexadecimal", "https://0xa9fea9fe/"),
        ("hexadecimal in parts", "https://0x7f.0x0.0x0.0x1/"),
        ("short", "https://127.1/"),
        ("wide digits", "https://\uff11\uff12\uff17.0.0.1/"),
        ("ideographic dots", "https://127\u30020\u30020\u30021/"),
        ("dot at the end", "https://169.254.169.254./"),
        ("user name", "https://tools.example@169.254.169.254/"),
        ("user name and port", "https://tools.example:443@10.0.0.5/"),
        ("host behind a fragment", "https://169.254.169.254#@tools.example/"),
        ("host behind a backslash", "https://169.254.169.254\\@tools.example/"),
        ("port of the service", "https://10.0.0.5:443/"),
        ("port 0", "https://127.0.0.1:0/"),
        ("two ports", "https://127.0.0.1:80:443/"),
        ("unspecified", "https://[::]:443/"),
        ("loopback written out", "https://[0:0:0:0:0:0:0:1]/"),
        ("mapped", "https://[::ffff:169.254.169.254]/"),
        ("mapped in hexadecimal", "https://[::ffff:a9fe:a9fe]/"),
        ("compatible", "https://[::127.0.0.1]/"),
        ("unique local", "https://[fc00::1]/"),
        ("unique local of a cloud's metadata", "https://[fd00:ec2::254]/"),
        ("link-local", "https://[fe80::1]/"),
        ("site-local", "https://[fec0::1]/"),
        ("6to4", "https://[2002:a9fe:a9fe::1]/"),
        ("Teredo", "https://[2001:0:7f00:1::]/"),
        ("NAT64", "https://[64:ff9b::a9fe:a9fe]/"),
        ("NAT64 of a network of one's own", "https://[64:ff9b:1::a00:1]/"),
    ],
)
def test_no_way_of_writing_an_address_leads_inside(trick: str, url: str) -> None:
    # as the system reads numbers; not refused because the host has no address
    with pytest.raises(AddressRefused, match=r"is no public address|holds a user name|cannot be read"):
        asyncio.run(check_url(url))


@pytest.fixture
def connected(monkeypatch: pytest.MonkeyPatch) -> list[httpx2.Request]:
    """The requests that would have been sent, to the host in their URL."""
    sent: list[httpx2.Request] = []

    async def send(_: httpx2.AsyncHTTPTransport, request: httpx2.Request) -> httpx2.Response:
        sent.append(request)
        return httpx2.Response(307, headers={"location": "https://169.254.169.254/latest/meta-data/"}, request=request)

    monkeypatch.setattr(httpx2.AsyncHTTPTransport, "handle_async_request", send)
    return sent


def test_a_name_that_resolves_otherwise_after_the_check_is_not_asked_again(connected: list[httpx2.Request]) -> None:
    answers = deque([["93.184.216.34"], ["127.0.0.1"]])

    async def rebound(host: str, port: int) -> list[str]:
        return answers.popleft()

    async def ask() -> None:
        address = await check_url("https://tools.example/mcp", resolve=rebound)
        async with httpx2.AsyncClient(transport=PinnedTransport(address)) as client:
            await client.get("https://tools.example/mcp")

    asyncio.run(ask())
    (request,) = connected
    assert (request.url.host, request.headers["host"]) == ("93.184.216.34", "tools.example")
    assert request.extensions["sni_hostname"] == "tools.example"
    assert len(answers) == 1


def test_a_redirect_leads_to_no_other_host_or_port(connected: list[httpx2.Request]) -> None:
    async def ask(url: str) -> None:
        address = await check_url("https://tools.example/mcp", resolve=resolve)
        async with httpx2.AsyncClient(transport=PinnedTransport(address), follow_redirects=True) as client:
            await client.get(url)

    with pytest.raises(httpx2.ConnectError, match=r"redirects to 169\.254\.169\.254"):
        asyncio.run(ask("https://tools.example/mcp"))
    with pytest.raises(httpx2.ConnectError):
        asyncio.run(ask("https://tools.example:6379/"))
    assert [request.url.host for request in connected] == ["93.184.216.34"]
