"""Signed links: each lets one person respond to one approval, once, without an API key.

A link holds the approval's id, the person, the version and the end of its life, signed with HMAC-SHA256. Making it
again gives the same link, so that a message that is sent again is the same message. It is used up by a response: the
approval keeps the link's id with it.
"""

import base64
import hashlib
import hmac
import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from planloom.approvals.approval import Approval, Decision, Outcome, Response
from planloom.approvals.errors import ApprovalLinkRefused, ApprovalNotFound
from planloom.approvals.service import Approvals

#: Where links lead, with the token after it; below it no API key is needed.
LINKS = "/approve"
#: The life of a link to an approval that does not expire.
LIFE = timedelta(days=30)
#: Separates this use of the deployment's secret from others.
PURPOSE = b"planloom approval links 1"
LONGEST = 2_000


@dataclass(frozen=True)
class LinkClaims:
    """What a link says. ``link_id`` identifies it."""

    approval_id: str
    account: str
    person: str
    sha256: str
    expires_at: datetime
    link_id: str


@dataclass(frozen=True)
class OpenedLink:
    """What a genuine link leads to. ``used``: the response that it brought, None before that."""

    claims: LinkClaims
    approval: Approval
    used: Response | None


def make_link(approval: Approval, person: str, secret: bytes) -> str:
    """Return the token with which *person* may respond to *approval*; it goes into a URL as it is."""
    expires = approval.expires_at or approval.requested_at + LIFE
    claims = [approval.approval_id, approval.account, person, approval.subject.sha256, expires.timestamp()]
    content = json.dumps(claims, ensure_ascii=False, separators=(",", ":")).encode()
    return f"{_text(content)}.{_text(_signature(content, secret))}"


def read_link(token: str, secret: bytes) -> LinkClaims:
    """Return what a genuine link says, expired or not. Raises ApprovalLinkRefused (``not_genuine``)."""
    content, _, signature = token.partition(".")
    try:
        signed = _bytes(content)
        genuine = len(token) <= LONGEST and hmac.compare_digest(_signature(signed, secret), _bytes(signature))
    except ValueError:
        genuine = False
    if not genuine:
        raise ApprovalLinkRefused(
            "This link is not genuine, or was not copied whole. Open it from the message again.", reason="not_genuine"
        )
    approval_id, account, person, sha256, expires = json.loads(signed)
    link_id = hashlib.sha256(signed).hexdigest()[:32]
    return LinkClaims(approval_id, account, person, sha256, datetime.fromtimestamp(expires, UTC), link_id)


def open_link(approvals: Approvals, token: str, secret: bytes) -> OpenedLink:
    """Return what a link leads to, and change nothing: programs that scan mail open links.

    Raises ApprovalLinkRefused with the ``reason``: ``not_genuine``, ``expired``, ``gone``.
    """
    claims = read_link(token, secret)
    try:
        approval = approvals.get(claims.account, claims.approval_id)
    except ApprovalNotFound as error:
        raise ApprovalLinkRefused("What was to be approved was deleted.", reason="gone") from error
    used = next((each for each in approval.responses if each.link == claims.link_id), None)
    if used is None and claims.expires_at <= approvals.now():
        raise ApprovalLinkRefused(
            f"This link expired on {claims.expires_at:%d %B %Y at %H:%M} UTC. Ask for a new request.", reason="expired"
        )
    return OpenedLink(claims, approval, used)


def respond_by_link(
    approvals: Approvals, token: str, secret: bytes, decision: Decision, comment: str = ""
) -> tuple[OpenedLink, Outcome]:
    """Respond with a link, and return what it leads to afterwards with the outcome of the response.

    Raises ApprovalLinkRefused, also with the reason ``used``, and what planloom.approvals.approval.respond raises.
    """
    opened = open_link(approvals, token, secret)
    if opened.used is not None:
        raise ApprovalLinkRefused(
            "This link was used. The response that it brought counts, and cannot be changed with it.", reason="used"
        )
    claims = opened.claims
    response = Response(by=claims.person, decision=decision, comment=comment, sha256=claims.sha256, link=claims.link_id)
    approval, outcome = approvals.respond(claims.account, claims.approval_id, response)
    used = next((each for each in approval.responses if each.link == claims.link_id), None)
    return OpenedLink(claims, approval, used), outcome


def _signature(content: bytes, secret: bytes) -> bytes:
    key = hmac.digest(secret, PURPOSE, "sha256")
    return hmac.digest(key, content, "sha256")


def _text(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


def _bytes(text: str) -> bytes:
    """Return the bytes that *text* encodes, where it is the only text that encodes them. Raises ValueError."""
    found = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    if _text(found) != text:
        raise ValueError("not the canonical form")
    return found
