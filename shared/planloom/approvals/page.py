"""The web page of a signed link: what is to be approved, and a form that confirms a response."""

import base64
import hashlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, Template

from planloom.approvals.approval import LONGEST_COMMENT, Approval, ApprovalState, Decision, File, Outcome, Response
from planloom.approvals.signed_links import OpenedLink
from planloom.approvals.wording import rule_text

HERE = Path(__file__).parent
DECISIONS = ((Decision.APPROVE, "Approve"), (Decision.REQUEST_CHANGES, "Request changes"), (Decision.REJECT, "Reject"))
SAID = {Decision.APPROVE: "approved", Decision.REQUEST_CHANGES: "requested changes", Decision.REJECT: "rejected"}
ENDED = {
    ApprovalState.APPROVED: "This was approved.",
    ApprovalState.CHANGES_REQUESTED: "Changes were requested.",
    ApprovalState.REJECTED: "This was rejected.",
    ApprovalState.EXPIRED: "The time to respond is over.",
    ApprovalState.WITHDRAWN: "This approval is no longer needed.",
}
NOT_COUNTED = {
    Outcome.REPEATED: "You gave this response before. It counts once.",
    Outcome.ALREADY_ANSWERED: "Another response was given in your place before. That one counts, and yours does not.",
    Outcome.ALREADY_DECIDED: "Your response does not count: others decided before.",
    Outcome.EXPIRED: "Your response does not count: the time to respond is over.",
    Outcome.WITHDRAWN: "Your response does not count: this approval is no longer needed.",
}


def request_page(opened: OpenedLink, files: Sequence[tuple[File, str]] = ()) -> str:
    """Return the page that a link opens: with a form, unless the link was used or the approval has ended.

    *files* are those of what is approved, each with the URL of its content; they are shown with the form.
    """
    approval, person = opened.approval, opened.claims.person
    if opened.used is not None:
        return _page("Your response was recorded", _counted(opened.used, approval), "good", approval, person)
    if approval.state is not ApprovalState.PENDING:
        return _page("Nothing left to decide", ENDED[approval.state], "", approval, person)
    return _page("Do you approve this?", "", "", approval, person, files=files, asks=True)


def response_page(opened: OpenedLink, outcome: Outcome) -> str:
    """Return the page that follows a response."""
    if outcome in NOT_COUNTED:
        notice = NOT_COUNTED[outcome]
        return _page("Your response was not counted", notice, "bad", opened.approval, opened.claims.person)
    return request_page(opened)


def refusal_page(message: str, *, link_works: bool = False) -> str:
    """Return the page of a refusal, of the link or of a response to it; *message* says why and what to do."""
    return _page("Your response was not counted" if link_works else "This link does not work", message, "bad")


@cache
def policy() -> str:
    """Return the Content-Security-Policy of the pages: their own style, and forms to where they came from."""
    digest = base64.b64encode(hashlib.sha256(_style().encode()).digest()).decode()
    return (
        f"default-src 'none'; style-src 'sha256-{digest}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    )


def _counted(used: Response, approval: Approval) -> str:
    said = f"You {SAID[used.decision]}. " + (
        "" if used.at is None else f"It counts since {used.at:%d %B %Y, %H:%M} UTC."
    )
    if approval.state is ApprovalState.PENDING:
        return f"{said} Other approvers have yet to respond."
    return f"{said} {ENDED[approval.state]}"


def _page(
    heading: str,
    notice: str,
    tone: str,
    approval: Approval | None = None,
    person: str = "",
    *,
    files: Sequence[tuple[File, str]] = (),
    asks: bool = False,
) -> str:
    given: dict[str, Any] = {
        "heading": heading,
        "notice": notice,
        "tone": tone,
        "approval": approval,
        "person": person,
        "files": files,
        "asks": asks,
        "rule": rule_text(approval) if approval else "",
        "said": SAID,
        "decisions": DECISIONS,
        "longest_comment": LONGEST_COMMENT,
        "style": _style(),
    }
    return _template().render(given)


@cache
def _style() -> str:
    return (HERE / "page.css").read_text(encoding="utf-8")


@cache
def _template() -> Template:
    from markupsafe import Markup

    environment = Environment(loader=FileSystemLoader(HERE), autoescape=True, trim_blocks=True, lstrip_blocks=True)
    # the style is ours: escaped, its hash would not fit
    environment.filters["style"] = Markup
    return environment.get_template("page.html.j2")
