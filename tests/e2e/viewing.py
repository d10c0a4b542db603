"""The viewer as its users meet it: Chromium on the page that the embedded AWS hands out, with all that it said."""

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from planloom_cli.service import Address
from tests.e2e.conftest import call_http

ROOT = Path(__file__).parents[2]
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
AXE = ROOT / "viewer" / "node_modules" / "axe-core" / "axe.min.js"

#: Milliseconds; a machine that is busy with other tests takes its time.
PATIENCE = 240_000
#: What the browser itself says where a busy service answers 429 or 503; the page asks again.
BUSY = re.compile("status of (?:429|503)")


def require_browser_and_viewer() -> str:
    """Return Chromium's path; skip where it or the built viewer is missing, unless PLANLOOM_NO_SKIPS forbids that."""
    found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    built = (ROOT / "build" / "viewer" / "index.html").is_file()
    if found and built and find_spec("playwright"):
        return found
    why = "no Chromium, no Playwright or no built viewer: apt-get install chromium, make setup viewer"
    if os.environ.get("PLANLOOM_NO_SKIPS") == "1":
        pytest.fail(why)
    pytest.skip(why)


@contextmanager
def chromium() -> Iterator[Any]:
    """Run Chromium without a window."""
    path = require_browser_and_viewer()
    # beside these tests nothing needs it, so that the others run without it
    from playwright.sync_api import sync_playwright

    with sync_playwright() as running:
        opened = running.chromium.launch(executable_path=path, args=FLAGS)
        yield opened
        opened.close()


class Visitor:
    """Somebody with a browser tab on the viewer: what the page said and what it asked for is kept."""

    def __init__(self, browser: Any, address: Address, **view: Any) -> None:
        self.address = address
        self.context = browser.new_context(**({"viewport": {"width": 1360, "height": 860}} | view))
        self.context.set_default_timeout(PATIENCE)
        self.page = self.context.new_page()
        self.said: list[str] = []
        self.asked: list[str] = []
        self.page.on(
            "console", lambda message: self.said.append(message.text) if not BUSY.search(message.text) else None
        )
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.said.append(dialog.message), dialog.dismiss()))
        self.page.on("request", lambda request: self.asked.append(request.url))

    def open(self, place: str = "") -> None:
        """Go to a place of the viewer."""
        self.page.goto(f"{self.address.viewer_url}{place}")

    def sign_in(self, key: str | None = None) -> None:
        """Type the key and send it."""
        self.page.get_by_label("API key").fill(key or self.address.key)
        self.page.get_by_role("button", name="Sign in").click()

    def elsewhere(self) -> list[str]:
        """Return what the page asked for outside of its origin."""
        origin = "/".join(self.address.http_url.split("/")[:3])
        return [url for url in self.asked if not url.startswith((f"{origin}/", "data:", f"blob:{origin}/"))]

    def faults(self) -> list[str]:
        """Return what axe finds serious or worse on the page as it is, each with the first place of it."""
        # over the debugger: the page's own policy lets no script in from outside, which is as it should be
        self.page.evaluate(AXE.read_text(encoding="utf-8"))
        found = self.page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        return [
            f"{fault['id']}: {fault['nodes'][0]['html'][:200]} {fault['nodes'][0]['failureSummary'][:200]}"
            for fault in found["violations"]
            if fault["impact"] in ("serious", "critical")
        ]

    def close(self) -> None:
        """Close the tab and forget what it kept."""
        self.context.close()


def call(address: Address, method: str, path: str, body: Any = None) -> Any:
    """Call the HTTP API as another client would; return its JSON."""
    # not over MCP: while the browser runs, its event loop is the thread's only one
    return call_http(address, method, f"/v1/{path}", body)
