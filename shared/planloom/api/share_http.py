"""Shared reports over HTTP: made and revoked with a key, opened without one."""

import html
import re
from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Body, Request, Response
from fastapi.responses import HTMLResponse, PlainTextResponse
from pydantic import Field

from planloom import wiring
from planloom.api.answers import AnswerModel
from planloom.api.http_caller import Account, key_in_header
from planloom.api.public_url import base_url
from planloom.api.refusals import refusals
from planloom.services.share_report import DAYS, MOST_DAYS, share_report, shared_report, unshare_report

router = APIRouter(tags=["sharing"])

_POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">')
#: The report comes from the origin of the API and of the viewer: in a sandbox it has none, and reaches neither.
#: It stands before the report's own policy: of two directives of one name, the first counts.
SANDBOX = "frame-ancestors 'none'; sandbox allow-scripts allow-modals allow-popups"
HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Robots-Tag": "noindex, nofollow, noarchive",
}


class ShareRequest(AnswerModel):
    """Body of POST /v1/plans/{plan_id}/share."""

    days: int = Field(default=DAYS, ge=1, le=MOST_DAYS, description="How long the link works")


class PlanShare(AnswerModel):
    """A shared link, shown once."""

    plan_id: str
    url: str = Field(description="Opens the report without a key, for whoever has it. It cannot be shown again")
    created_at: datetime
    expires_at: datetime


class PlanUnshared(AnswerModel):
    """Answer to revoking."""

    plan_id: str
    revoked: int = Field(description="How many links there were")


def shared(request: Request, account: str, plan_id: str, days: int) -> PlanShare:
    """Make a link and show it; for both mouths."""
    token, share = share_report(wiring.world(), account, plan_id, days)
    return PlanShare(
        plan_id=share.plan_id,
        url=f"{base_url(request.scope)}/shared/{token}",
        created_at=share.created_at,
        expires_at=share.expires_at,
    )


@router.post(
    "/v1/plans/{plan_id}/share",
    status_code=201,
    operation_id="plan_share",
    response_model=PlanShare,
    responses=refusals(401, 403, 404, 409, 422, 500, 503),
    dependencies=[key_in_header],
)
def share(
    account: Account, plan_id: str, request: Request, body: Annotated[ShareRequest | None, Body()] = None
) -> PlanShare:
    """Make a link that opens the report of a completed plan without a key, until it expires or is revoked."""
    return shared(request, account, plan_id, (body or ShareRequest()).days)


@router.delete(
    "/v1/plans/{plan_id}/share",
    operation_id="plan_unshare",
    response_model=PlanUnshared,
    responses=refusals(401, 403, 404, 422, 500),
    dependencies=[key_in_header],
)
def unshare(account: Account, plan_id: str) -> PlanUnshared:
    """Revoke every shared link of a plan; they stop working at once."""
    return PlanUnshared(plan_id=plan_id, revoked=unshare_report(wiring.world(), account, plan_id))


@router.get("/shared/{token}", include_in_schema=False)
def open_shared(token: str) -> Response:
    """Show the report that the link opens."""
    report = shared_report(wiring.world(), token)
    if report is None:
        return PlainTextResponse(
            "This link does not work (any more): it has expired, was revoked, or was not copied whole.\n", 404, HEADERS
        )
    return HTMLResponse(report, headers=HEADERS | {"Content-Security-Policy": f"{SANDBOX}; {_policy(report)}"})


def _policy(report: bytes) -> str:
    """Return the policy that the report was made with: it names the hashes of its own style and script."""
    found = _POLICY.search(report[:4000].decode(errors="replace"))
    policy = html.unescape(found[1]) if found else ""
    # it stands in a header: a comma would begin another policy there, a new line another header
    fits = policy.isascii() and policy.isprintable() and "," not in policy
    return policy if policy and fits else "default-src 'none'"
