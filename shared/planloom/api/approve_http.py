"""Signed links to approvals, opened without a key: a page that shows what is to be approved, and a form that confirms.

A GET changes nothing, since programs that scan mail open links.
"""

from urllib.parse import parse_qs

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse

from planloom.approvals.approval import LONGEST_COMMENT, Decision
from planloom.approvals.errors import ApprovalLinkRefused, NotAnApprover, SeparationOfDuties
from planloom.approvals.signed_links import LINKS, open_link, respond_by_link
from planloom.core.errors import InvalidArgument, PlanloomError
from planloom.wiring import approvals as wiring_approvals
from planloom.wiring import notifications as wiring_notifications

router = APIRouter()

HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Robots-Tag": "noindex, nofollow, noarchive",
}
#: HTTP status by the reason why a link is refused.
STATUS = {"not_genuine": 404, "expired": 410, "gone": 410, "used": 409}
#: A comment in a form takes at most nine bytes a character.
LONGEST_FORM = 9 * LONGEST_COMMENT + 1_000


@router.get(f"{LINKS}/{{token}}", include_in_schema=False)
def open_approval(token: str) -> Response:
    """Show what the link leads to, and what became of it."""
    from planloom.approvals.page import request_page

    try:
        opened = open_link(wiring_approvals.approvals(), token, wiring_notifications.link_secret())
    except ApprovalLinkRefused as error:
        return _refused(error)
    return _page(request_page(opened, wiring_approvals.files_of(opened)))


@router.post(f"{LINKS}/{{token}}", include_in_schema=False)
async def confirm_approval(token: str, request: Request) -> Response:
    """Count the response in the form."""
    from planloom.approvals.page import response_page

    try:
        decision, comment = _form(await request.body())
        service, secret = wiring_approvals.approvals(), wiring_notifications.link_secret()
        opened, outcome = respond_by_link(service, token, secret, decision, comment)
    except (ApprovalLinkRefused, InvalidArgument, NotAnApprover, SeparationOfDuties) as error:
        return _refused(error)
    counted = opened.used is not None
    return _page(response_page(opened, outcome), 200 if counted else 409)


def _form(body: bytes) -> tuple[Decision, str]:
    """Return the decision and the comment of a form. Raises InvalidArgument."""
    if len(body) > LONGEST_FORM:
        raise InvalidArgument("The form is too long. Go back and shorten the comment.")
    fields = {name: values[-1] for name, values in parse_qs(body.decode(errors="replace")).items()}
    try:
        decision = Decision(fields.get("decision", ""))
    except ValueError as error:
        raise InvalidArgument("No response was chosen. Go back and choose one.") from error
    # a browser counts a line break as one character, and sends two
    comment = fields.get("comment", "").replace("\r\n", "\n").strip()
    if len(comment) > LONGEST_COMMENT:
        raise InvalidArgument(f"The comment is longer than {LONGEST_COMMENT:,} characters. Go back and shorten it.")
    return decision, comment


def _refused(error: PlanloomError) -> Response:
    from planloom.approvals.page import refusal_page

    if isinstance(error, ApprovalLinkRefused):
        status = STATUS[error.details["reason"]]
    else:
        status = 422 if isinstance(error, InvalidArgument) else 403
    return _page(refusal_page(error.message, link_works=not isinstance(error, ApprovalLinkRefused)), status)


def _page(content: str, status: int = 200) -> Response:
    from planloom.approvals.page import policy

    return HTMLResponse(content, status, HEADERS | {"Content-Security-Policy": policy()})
