"""`planloom view`: opens the viewer in the browser."""

import webbrowser
from urllib.parse import quote

from planloom_cli.service import Address


def view_plan(address: Address, plan_id: str | None, browser: bool) -> str:
    """Return the URL of the viewer for *plan_id*, or for the list of plans; open it if *browser* is true.

    The URL does not contain the key, since browsers store URLs in their history.
    """
    fragment = f"#/open/{quote(plan_id, safe='')}" if plan_id else ""
    url = f"{address.viewer_url}{fragment}"
    if browser:
        webbrowser.open(url)
    return url
