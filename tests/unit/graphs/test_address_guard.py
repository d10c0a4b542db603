"""URLs of tool servers: only public addresses, over https; this machine on a laptop alone."""

import asyncio

import pytest

from planloom.tools.address_guard import AddressRefused, check_url

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
