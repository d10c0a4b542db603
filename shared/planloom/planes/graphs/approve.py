"""Approvals of destructive steps: the worker asks for one, and it is answered as any other approval of the account."""

import json
from typing import Any

from planloom.approvals.approval import LONGEST_CONTENT, Approval, ApprovalState, Decision, Response, Subject, pin
from planloom.approvals.errors import ApprovalNotFound
from planloom.approvals.ports import Change, Listener
from planloom.approvals.service import Approvals
from planloom.core.endpoint import Caller
from planloom.planes.graphs.document import Step
from planloom.planes.graphs.work import GraphWork
from planloom.runs.control import Runs
from planloom.runs.errors import StepNotWaiting
from planloom.runs.records import ACTIVE, Run
from planloom.tools.tool import Catalog

PLANE = "graphs"
#: The approver of every step: steps name no persons, and every key of the account may answer. The response says which
#: key did.
OWNER = "owner"
#: How many pending approvals are read at once when a run ends.
PAGE = 100


def is_destructive(step: Step, tools: Catalog) -> bool:
    """Return whether a trusted server calls the tool of *step* destructive."""
    found = tools.find(step.tool, step.server)
    return len(found) == 1 and bool(found[0].destructive) and not found[0].read_only


def approval_of(run: Run, step: Step, call: dict[str, Any]) -> Approval:
    """Return the approval that *step* needs, which pins *call*: the tool and its arguments."""
    content = json.dumps(call, ensure_ascii=False, indent=2)
    return Approval(
        approval_id=_id(run.run_id, run.number, step.index),
        account=run.account,
        subject=Subject(
            plane=PLANE,
            run_id=run.run_id,
            node_id=step.index,
            title=f"{step.title or step.tool}: {run.title}".removesuffix(": ")[:500],
            sha256=pin(call),
            content=content[:LONGEST_CONTENT],
            complete=len(content) <= LONGEST_CONTENT,
        ),
        approvers=(OWNER,),
        requested_at=run.created_at,
        expires_at=run.deadline,
    )


def ask(approvals: Approvals, approval: Approval) -> Approval:
    """Return *approval* as it is now; it is requested where that has not been done."""
    try:
        return approvals.get(approval.account, approval.approval_id)
    except ApprovalNotFound:
        now = approvals.now()
        # a deadline that has passed ends the run
        expires = approval.expires_at if approval.expires_at and approval.expires_at > now else None
        return approvals.request(approval.model_copy(update={"requested_at": now, "expires_at": expires}))


def answer(approvals: Approvals, runs: Runs, caller: Caller, run_id: str, step: str, approved: bool) -> Run:
    """Approve or reject a step that waits; the first answer counts, and the key of *caller* is kept with it.

    Raises RunNotFound, StepNotWaiting.
    """
    account = caller.account
    run = runs.get(account, run_id)
    decision = Decision.APPROVE if approved else Decision.REJECT
    response = Response(by=OWNER, decision=decision, key=caller.key)
    approval_id = _id(run_id, run.number, step)
    not_waiting = StepNotWaiting(f"Step {step[:64]} of this run does not wait for an approval.")
    if run.state not in ACTIVE:
        raise not_waiting
    try:
        found = approvals.respond(account, approval_id, response).approval
    except ApprovalNotFound as error:
        raise not_waiting from error
    if found.state is not (ApprovalState.APPROVED if approved else ApprovalState.REJECTED):
        raise not_waiting
    return runs.get(account, run_id)


def wakes(runs: Runs) -> Listener:
    """Return what lets a run look at an approval that was answered."""

    def listener(approval: Approval, change: Change) -> None:
        if change == "ended" and approval.state is not ApprovalState.WITHDRAWN:
            runs.wake(approval.subject.run_id)

    return listener


def withdraw(approvals: Approvals, run: Run) -> None:
    """Withdraw the approvals that *run* no longer waits for: all where it ended, else those of its earlier numbers."""
    before = None
    while True:
        found, before = approvals.newest(run.account, plane=PLANE, limit=PAGE, before=before)
        for each in found:
            subject = each.subject
            still = run.state in ACTIVE and each.approval_id == _id(run.run_id, run.number, subject.node_id)
            if subject.run_id == run.run_id and not still:
                approvals.withdraw(run.account, each.approval_id, "The run does not wait for it any more.")
        if before is None:
            return


def pending(approvals: Approvals, run: Run) -> list[Approval]:
    """Return the approvals that *run* waits for now."""
    found, _ = approvals.newest(run.account, plane=PLANE, limit=PAGE)
    return [each for each in found if each.approval_id == _id(run.run_id, run.number, each.subject.node_id)]


def ids(run: Run, runs: Runs) -> list[str]:
    """Return the ids that approvals of *run* may have."""
    if run.plane != PLANE:
        return []
    work = GraphWork.model_validate(runs.files.work(run.run_id, run.work).document)
    tools = Catalog(work.tools)
    steps = [step.index for step in work.graph.steps if is_destructive(step, tools)]
    return [_id(run.run_id, number, step) for number in range(1, run.number + 1) for step in steps]


def _id(run_id: str, number: int, step: str) -> str:
    # a resume asks anew
    return f"{run_id}:{number}:{step}"
