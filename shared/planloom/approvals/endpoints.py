"""What callers can do with approvals of any plane, over HTTP; planes have tools for their own."""

from typing import TYPE_CHECKING

from planloom.approvals import errors, requests, responses
from planloom.approvals.approval import ApprovalState, Response, people
from planloom.approvals.entities import ENTITIES
from planloom.approvals.signed_links import LINKS, make_link, read_link
from planloom.core.endpoint import GET, POST, Caller, Effect, Endpoint
from planloom.core.plane import Plane

if TYPE_CHECKING:
    from planloom.approvals.service import Approvals

APPROVALS = "/v1/approvals"


def _list(request: requests.ListApprovals, account: str, approvals: "Approvals") -> responses.ApprovalList:
    found, after = approvals.newest(
        account,
        pending=request.state == "pending",
        person=request.person,
        plane=request.plane,
        limit=request.limit,
        before=request.before,
    )
    return responses.ApprovalList(approvals=[responses.approval_info(each) for each in found], next=after)


def _get(request: requests.ApprovalRequest, account: str, approvals: "Approvals") -> responses.ApprovalInfo:
    return responses.approval_info(approvals.get(account, request.approval_id))


def _respond(request: requests.RespondToApproval, caller: Caller, approvals: "Approvals") -> responses.ResponseResult:
    response = Response(
        by=request.by, decision=request.decision, comment=request.comment, sha256=request.sha256, key=caller.key
    )
    return responses.response_result(*approvals.respond(caller.account, request.approval_id, response))


def _delegate(request: requests.DelegateApproval, account: str, approvals: "Approvals") -> responses.ApprovalInfo:
    return responses.approval_info(approvals.delegate(account, request.approval_id, request.by, request.to))


def _link(
    request: requests.LinkToApproval, caller: Caller, approvals: "Approvals", link_secret: bytes
) -> responses.ApprovalLink:
    approval = approvals.get(caller.account, request.approval_id)
    if approval.state is not ApprovalState.PENDING:
        raise errors.ApprovalClosed("The approval has ended: no link to it is needed.")
    if request.person not in people(approval):
        raise errors.NotAnApprover(f"{request.person} may not respond. Who may: {', '.join(people(approval))}.")
    if approval.separate_duties and caller.key in approval.made_with:
        raise errors.SeparationOfDuties("The API key that made the subject gets no link. Use another key.")
    token = make_link(approval, request.person, link_secret)
    url = f"{caller.base_url}{LINKS}/{token}"
    return responses.ApprovalLink(person=request.person, url=url, expires_at=read_link(token, link_secret).expires_at)


ENDPOINTS = (
    Endpoint(
        name="approval_list",
        title="List approvals",
        description="Lists approvals, newest first: those that wait for a decision, or those that have ended.",
        group="approvals",
        http=GET(APPROVALS),
        tool=False,
        request=requests.ListApprovals,
        response=responses.ApprovalList,
        handler=_list,
    ),
    Endpoint(
        name="approval_get",
        title="Read an approval",
        description="Returns an approval: what is to be approved with its SHA-256, by whom, until when, and responses.",
        group="approvals",
        http=GET(f"{APPROVALS}/{{approval_id}}"),
        tool=False,
        request=requests.ApprovalRequest,
        response=responses.ApprovalInfo,
        errors=(errors.ApprovalNotFound,),
        handler=_get,
    ),
    Endpoint(
        name="approval_respond",
        title="Respond to an approval",
        description="""\
Approves, rejects or requests changes in the name of an approver or delegate. Each approver counts once. outcome says
whether the response was counted; a late or second one is no error.""",
        group="approvals",
        http=POST(f"{APPROVALS}/{{approval_id}}/respond"),
        tool=False,
        request=requests.RespondToApproval,
        response=responses.ResponseResult,
        errors=(
            errors.ApprovalNotFound,
            errors.NotAnApprover,
            errors.SeparationOfDuties,
            errors.AnotherVersion,
            errors.ApprovalBusy,
        ),
        effect=Effect.CHANGES,
        repeatable=True,
        handler=_respond,
    ),
    Endpoint(
        name="approval_delegate",
        title="Delegate an approval",
        description="Lets another person respond in place of an approver, who may still respond: the first one counts.",
        group="approvals",
        http=POST(f"{APPROVALS}/{{approval_id}}/delegate"),
        tool=False,
        request=requests.DelegateApproval,
        response=responses.ApprovalInfo,
        errors=(
            errors.ApprovalNotFound,
            errors.NotAnApprover,
            errors.SeparationOfDuties,
            errors.InvalidApproval,
            errors.ApprovalClosed,
            errors.ApprovalBusy,
        ),
        effect=Effect.CHANGES,
        repeatable=True,
        handler=_delegate,
    ),
    Endpoint(
        name="approval_link",
        title="Link to an approval",
        description="""\
Returns a signed link with which one person may respond once, without an API key. Opening it approves nothing: the page
shows what is to be approved and asks to confirm.""",
        group="approvals",
        http=POST(f"{APPROVALS}/{{approval_id}}/link"),
        tool=False,
        request=requests.LinkToApproval,
        response=responses.ApprovalLink,
        errors=(
            errors.ApprovalNotFound,
            errors.NotAnApprover,
            errors.SeparationOfDuties,
            errors.ApprovalClosed,
        ),
        effect=Effect.READS,
        handler=_link,
    ),
)

#: The table of endpoints; approvals have no MCP endpoint of their own.
TABLE = Plane(
    name="approvals",
    title="planloom: approvals",
    mcp_path="",
    server_name="",
    instructions="",
    endpoints=ENDPOINTS,
    entities=ENTITIES,
    error_statuses={
        errors.ApprovalNotFound: 404,
        errors.InvalidApproval: 422,
        errors.NotAnApprover: 403,
        errors.SeparationOfDuties: 403,
        errors.AnotherVersion: 409,
        errors.ApprovalClosed: 409,
        errors.ApprovalLinkRefused: 403,
        errors.ApprovalBusy: 503,
    },
)
