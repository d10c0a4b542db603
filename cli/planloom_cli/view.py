"""Open the viewer where people look at plans: in their browser."""

import webbrowser
from urllib.parse import quote

from planloom_cli.service import Address


def view_plan(address: Address, plan_id: str | None, browser: bool) -> str:
    """Return the viewer's address for *plan_id*, or for the list of plans; open it where *browser* is true.

    The key is not part of it: what stands in an address is kept in a browser's history.
    """
    place = f"#/open/{quote(plan_id, safe='')}" if plan_id else ""
    found = f"{address.viewer_url}{place}"
    if browser:
        webbrowser.open(found)
    return found
