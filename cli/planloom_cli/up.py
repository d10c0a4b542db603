"""`planloom up`: runs the service in the foreground."""

import json
import signal
import threading
from pathlib import Path
from types import FrameType

import typer

from planloom_cli.client_config import client_config
from planloom_cli.local_service import local_service
from planloom_cli.service import Address


def keep_up(state: Path, port: int | None, as_json: bool, *, as_deployed: bool = False) -> None:
    """Start the service, print its URLs and key, and wait for Ctrl-C or SIGTERM; plans are kept."""
    ended = threading.Event()

    def end(_signal: int, _frame: FrameType | None) -> None:
        ended.set()

    def say(text: str) -> None:
        typer.echo(text, err=True)

    with local_service(state, port, say, as_deployed=as_deployed) as address:
        for each in (signal.SIGINT, signal.SIGTERM):
            signal.signal(each, end)
        typer.echo(_line(address) if as_json else _text(address, state))
        # with a timeout, since some systems handle a signal only between two waits
        while not ended.wait(1.0):
            pass
        say("Stopping the service; plans are kept.")


def _line(address: Address) -> str:
    return json.dumps({"mcp_url": address.mcp_url, "http_url": address.http_url, "key": address.key})


def _text(address: Address, state: Path) -> str:
    return (
        f"\nplanloom is running. Plans are stored in {state}\n\n"
        f"Viewer    {address.viewer_url}  (signs in with the API key)\n"
        f"MCP URL   {address.mcp_url}  (implementation plans: {address.implementation_url})\n"
        f"HTTP URL  {address.http_url}/v1/openapi.json\n"
        f"API key   {address.key}  (send it as X-API-Key)\n\n"
        f"{client_config(address)}\n\n"
        'In another terminal: planloom draft "Open a bakery in ..."      Ctrl-C stops the service.'
    )
