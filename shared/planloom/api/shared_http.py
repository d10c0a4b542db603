"""Reports that were shared, opened by their link without a key."""

import html
import re

from fastapi import APIRouter, Response
from fastapi.responses import HTMLResponse, PlainTextResponse

from planloom import wiring
from planloom.planes.strategic.services.share_report import shared_report

router = APIRouter()

_POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">')
#: The report comes from the origin of the API and of the viewer: in a sandbox it has none, and reaches neither.
#: It comes before the report's own policy: of two directives of one name, the first counts.
SANDBOX = "frame-ancestors 'none'; sandbox allow-scripts allow-modals allow-popups"
HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Robots-Tag": "noindex, nofollow, noarchive",
}


@router.get("/shared/{token}", include_in_schema=False)
def open_shared(token: str) -> Response:
    """Show the report that the link opens."""
    report = shared_report(wiring.ports().plan_records, wiring.ports().shares, token)
    if report is None:
        return PlainTextResponse(
            "This link does not work (any more): it has expired, was revoked, or was not copied whole.\n", 404, HEADERS
        )
    return HTMLResponse(report, headers=HEADERS | {"Content-Security-Policy": f"{SANDBOX}; {_policy(report)}"})


def _policy(report: bytes) -> str:
    """Return the policy that the report was made with: it names the hashes of its own style and script."""
    found = _POLICY.search(report[:4000].decode(errors="replace"))
    policy = html.unescape(found[1]) if found else ""
    # it goes into a header, where a comma starts another policy and a line break another header
    fits = policy.isascii() and policy.isprintable() and "," not in policy
    return policy if policy and fits else "default-src 'none'"
