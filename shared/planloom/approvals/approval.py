"""An approval: its record, and pure functions for everything that happens to it.

``planloom.approvals.service`` stores approvals and reports to the plane how they ended. A caller that applies one of
the functions here writes the result under a check of ``version``, which every change raises by one.
"""

import hashlib
import json
from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import AfterValidator, Field

from planloom.approvals.errors import (
    AnotherVersion,
    ApprovalClosed,
    InvalidApproval,
    NotAnApprover,
    SeparationOfDuties,
)
from planloom.core.frozen import Frozen

#: Persons in one list, and characters of a comment and of the content that is shown.
MOST_PEOPLE, LONGEST_COMMENT, LONGEST_CONTENT = 50, 2_000, 20_000
#: Files of one subject.
MOST_FILES = 100

Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


def _with_zone(at: datetime) -> datetime:
    if at.tzinfo is None:
        raise ValueError("a time needs a time zone")
    return at


Time = Annotated[datetime, AfterValidator(_with_zone)]
#: A person or role, as the plane names owners: ``founder``.
Person = Annotated[str, Field(min_length=1, max_length=200)]


class Decision(StrEnum):
    """What an approver says."""

    APPROVE = "approve"
    REQUEST_CHANGES = "request_changes"
    REJECT = "reject"


class ApprovalState(StrEnum):
    """``pending``, or how the approval ended. ``withdrawn``: the plane no longer needs it."""

    PENDING = "pending"
    APPROVED = "approved"
    CHANGES_REQUESTED = "changes_requested"
    REJECTED = "rejected"
    EXPIRED = "expired"
    WITHDRAWN = "withdrawn"


class Outcome(StrEnum):
    """What became of one call. Only ``recorded`` and ``decided`` changed the approval by the response."""

    RECORDED = "recorded"  # counted; more responses are needed
    DECIDED = "decided"  # counted, and with it the approval is decided
    REPEATED = "repeated"  # the same response came before: nothing more was counted
    ALREADY_ANSWERED = "already_answered"  # another response was given in this approver's name: that one counts
    ALREADY_DECIDED = "already_decided"  # too late: others decided before
    EXPIRED = "expired"  # too late: the time was over
    WITHDRAWN = "withdrawn"  # too late: the approval is no longer needed


class File(Frozen):
    """A file of what is approved, whose content the plane has stored and hashed."""

    name: str
    pointer: str
    sha256: Sha256
    size: int = Field(description="Bytes")


class Subject(Frozen):
    """What is approved. ``sha256`` pins it: see :func:`pin`. ``content`` is the text that approvers see of it."""

    plane: str
    run_id: str
    node_id: str
    title: str = Field(max_length=500)
    sha256: Sha256
    objective: str = Field(default="", max_length=LONGEST_CONTENT)
    instructions: str = Field(default="", max_length=LONGEST_CONTENT)
    content: str = Field(default="", max_length=LONGEST_CONTENT)
    complete: bool = Field(default=True, description="Whether content is all of it")
    files: tuple[File, ...] = Field(default=(), max_length=MOST_FILES)


class Rule(Frozen):
    """How many approvers must approve: ``any`` one, ``all``, or a ``quorum`` of ``count``."""

    kind: Literal["any", "all", "quorum"] = "any"
    count: int = Field(default=1, ge=1, le=MOST_PEOPLE, description="With quorum only")

    def needed(self, approvers: int) -> int:
        """Return how many of *approvers* must approve."""
        return {"any": 1, "all": approvers, "quorum": self.count}[self.kind]


class Escalation(Frozen):
    """From ``at`` on, each of ``to`` may decide alone, unless the approval was decided before."""

    at: Time
    to: tuple[Person, ...] = Field(min_length=1, max_length=MOST_PEOPLE)


class Delegation(Frozen):
    """``to`` may respond in place of ``approver``, who may still respond as well: the first response counts."""

    approver: Person
    to: Person
    at: Time


class Response(Frozen):
    """What one person says. ``approver``: in whose place, set when it is counted."""

    by: Person
    decision: Decision
    comment: str = Field(default="", max_length=LONGEST_COMMENT)
    sha256: Sha256 | None = Field(default=None, description="The version that the person saw; None: the pinned one")
    key: str = Field(default="", description="SHA-256 of the API key that brought it; empty for a signed link")
    key_shown: str = Field(default="", description="Beginning of that key, by which a list of keys shows it")
    link: str = Field(default="", description="Id of the signed link that brought it")
    approver: str = ""
    at: Time | None = None


class Approval(Frozen):
    """One approval. ``made_by`` names who made the subject, ``made_with`` the hashes of the API keys used for it."""

    approval_id: str
    account: str
    subject: Subject
    approvers: tuple[Person, ...] = Field(min_length=1, max_length=MOST_PEOPLE)
    rule: Rule = Rule()
    separate_duties: bool = Field(default=False, description="Who made the subject must not approve it")
    made_by: tuple[Person, ...] = Field(default=(), max_length=MOST_PEOPLE)
    made_with: tuple[Sha256, ...] = Field(default=(), max_length=MOST_PEOPLE)
    requested_at: Time
    expires_at: Time | None = None
    escalation: Escalation | None = None
    escalated: bool = False
    delegations: tuple[Delegation, ...] = ()
    responses: tuple[Response, ...] = ()
    state: ApprovalState = ApprovalState.PENDING
    decided_at: Time | None = None
    reason: str = Field(default="", description="Why it was withdrawn")
    version: int = 1


class Responded(NamedTuple):
    """What :func:`respond` returns: the approval after the response, and what became of the response."""

    approval: Approval
    outcome: Outcome


def pin(content: Any) -> str:
    """Return the SHA-256 that pins *content*: bytes, a text, or a JSON value in its canonical form."""
    if isinstance(content, str):
        content = content.encode()
    if not isinstance(content, bytes):
        content = json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()
    return hashlib.sha256(content).hexdigest()


def request(approval: Approval) -> Approval:
    """Return *approval* where enough people can decide it. Raises InvalidApproval."""
    people = _eligible(approval)
    needed = approval.rule.needed(len(approval.approvers))
    if len(set(approval.approvers)) < len(approval.approvers):
        raise InvalidApproval("An approver is named twice. Name each once.")
    if needed > len(people):
        raise InvalidApproval(
            f"{needed} approvals are needed, and {len(people)} of the approvers may give one. "
            "Name more approvers, or lower the quorum; who made the subject does not count."
        )
    if approval.expires_at is not None and approval.expires_at <= approval.requested_at:
        raise InvalidApproval("expires_at must be later than requested_at.")
    to = approval.escalation.to if approval.escalation else ()
    if separated(approval, to) or set(to) & set(approval.approvers):
        raise InvalidApproval("Escalate to people who are not approvers already and did not make the subject.")
    return approval


def respond(approval: Approval, response: Response, now: datetime) -> Responded:
    """Count *response*, once for each approver, and decide where the rule allows.

    The approval of the result is :func:`settled`: it may have expired or been escalated since it was read. Raises
    NotAnApprover, SeparationOfDuties, AnotherVersion; a late or second response raises nothing, its outcome says so.
    """
    approval = settled(approval, now)
    _check_may_respond(approval, response)
    before = {each.approver: each for each in approval.responses}
    free = [place for place in _places(approval, response.by) if place not in before]
    if approval.state is not ApprovalState.PENDING or not free:
        return Responded(approval, _not_counted(approval, response))
    # a delegate of several responds for all of them, and for themselves
    counted = [response.model_copy(update={"approver": place, "at": now}) for place in free]
    approval = _changed(approval, responses=(*approval.responses, *counted))
    state = _decided(approval)
    if state is ApprovalState.PENDING:
        return Responded(approval, Outcome.RECORDED)
    # the response and the decision are one change
    return Responded(
        approval.model_copy(update={"state": state, "decided_at": now}),
        Outcome.DECIDED,
    )


def settled(approval: Approval, now: datetime) -> Approval:
    """Return *approval* with what happened by itself until *now*: its expiry, or its escalation."""
    if approval.state is not ApprovalState.PENDING:
        return approval
    if approval.expires_at is not None and approval.expires_at <= now:
        return _changed(approval, state=ApprovalState.EXPIRED, decided_at=approval.expires_at)
    if approval.escalation and not approval.escalated and approval.escalation.at <= now:
        return _changed(approval, escalated=True)
    return approval


def due(approval: Approval) -> datetime | None:
    """Return when something happens to *approval* by itself next: call :func:`settled` then. None: never."""
    if approval.state is not ApprovalState.PENDING:
        return None
    escalation = approval.escalation.at if approval.escalation and not approval.escalated else None
    return min((at for at in (approval.expires_at, escalation) if at is not None), default=None)


def delegate(approval: Approval, by: str, to: str, now: datetime) -> Approval:
    """Let *to* respond in place of the approver *by*; a later delegation replaces an earlier one.

    Raises NotAnApprover, SeparationOfDuties, InvalidApproval, ApprovalClosed.
    """
    approval = settled(approval, now)
    if approval.state is not ApprovalState.PENDING:
        raise ApprovalClosed(f"The approval is {approval.state.value.replace('_', ' ')}: it cannot be delegated.")
    if by not in _deciders(approval):
        raise NotAnApprover(f"{by[:200]} is no approver of this. Approvers: {', '.join(approval.approvers)}.")
    if any(each.approver == by for each in approval.responses):
        raise ApprovalClosed(f"{by} has responded: the response counts, and cannot be delegated.")
    if to in _deciders(approval) or not 0 < len(to) <= 200:
        raise InvalidApproval("Delegate to a person who is not an approver of this already.")
    if separated(approval, (to,)):
        raise SeparationOfDuties(f"{to} made what is to be approved and must not approve it. Name another person.")
    others = tuple(each for each in approval.delegations if each.approver != by)
    return _changed(approval, delegations=(*others, Delegation(approver=by, to=to, at=now)))


def withdraw(approval: Approval, reason: str, now: datetime) -> Approval:
    """End a pending approval that is no longer needed, as where its subject was replaced; others stay as they are."""
    approval = settled(approval, now)
    if approval.state is not ApprovalState.PENDING:
        return approval
    return _changed(approval, state=ApprovalState.WITHDRAWN, decided_at=now, reason=reason)


def covers(approval: Approval, sha256: str) -> bool:
    """Return whether *approval* was given for the version *sha256*: another version needs another approval."""
    return approval.state is ApprovalState.APPROVED and approval.subject.sha256 == sha256


def people(approval: Approval) -> tuple[str, ...]:
    """Return who may approve now: approvers, delegates, and those to whom it was escalated."""
    found = (*_deciders(approval), *(each.to for each in approval.delegations))
    return tuple(dict.fromkeys(each for each in found if not separated(approval, (each,))))


def separated(approval: Approval, persons: Iterable[str]) -> list[str]:
    """Return those of *persons* who must not approve because they made the subject."""
    return [each for each in persons if each in approval.made_by] if approval.separate_duties else []


_LATE = {ApprovalState.EXPIRED: Outcome.EXPIRED, ApprovalState.WITHDRAWN: Outcome.WITHDRAWN}


def _not_counted(approval: Approval, response: Response) -> Outcome:
    given = {(each.by, each.decision, each.comment) for each in approval.responses}
    if (response.by, response.decision, response.comment) in given:
        return Outcome.REPEATED
    if approval.state is ApprovalState.PENDING:
        return Outcome.ALREADY_ANSWERED
    return _LATE.get(approval.state, Outcome.ALREADY_DECIDED)


def _changed(approval: Approval, **update: Any) -> Approval:
    return approval.model_copy(update={**update, "version": approval.version + 1})


def _eligible(approval: Approval) -> list[str]:
    barred = separated(approval, approval.approvers)
    return [each for each in approval.approvers if each not in barred]


def _deciders(approval: Approval) -> tuple[str, ...]:
    escalated = approval.escalation.to if approval.escalation and approval.escalated else ()
    return tuple(dict.fromkeys((*approval.approvers, *escalated)))


def _places(approval: Approval, by: str) -> list[str]:
    """Return in whose place *by* responds: their own, and those of approvers who delegated to them."""
    own = [by] if by in _deciders(approval) else []
    return own + [each.approver for each in approval.delegations if each.to == by]


def _check_may_respond(approval: Approval, response: Response) -> None:
    if not _places(approval, response.by):
        raise NotAnApprover(
            f"{response.by} is no approver of this. Approvers: {', '.join(people(approval))}. "
            "An approver can delegate to another person."
        )
    approves = response.decision is Decision.APPROVE
    same_key = approves and approval.separate_duties and response.key and response.key in approval.made_with
    if (approves and separated(approval, (response.by,))) or same_key:
        who = f"The API key of {response.by}" if same_key else response.by
        raise SeparationOfDuties(
            f"{who} made what is to be approved and must not approve it. Ask another approver, or use another key; "
            "rejecting and requesting changes are allowed."
        )
    if response.sha256 not in (None, approval.subject.sha256):
        raise AnotherVersion(
            "What you saw is another version than the one to be approved (sha256 differs). Read the approval again.",
            sha256=approval.subject.sha256,
        )


def _decided(approval: Approval) -> ApprovalState:
    """Return the state that the responses lead to."""
    said = {each.approver: each.decision for each in approval.responses}
    alone = approval.escalation.to if approval.escalation and approval.escalated else ()
    for person in alone:
        if person in said:
            return _ENDS[said[person]]
    eligible = _eligible(approval)
    given = [said[each] for each in approval.approvers if each in said]
    needed = approval.rule.needed(len(approval.approvers))
    if [said.get(each) for each in eligible].count(Decision.APPROVE) >= needed:
        return ApprovalState.APPROVED
    against = [each for each in given if each is not Decision.APPROVE]
    left = [each for each in eligible if said.get(each, Decision.APPROVE) is Decision.APPROVE]
    # with "any", the first response decides; else a refusal decides once the approvals can no longer be had
    if not against or (approval.rule.kind != "any" and len(left) >= needed):
        return ApprovalState.PENDING
    return ApprovalState.REJECTED if Decision.REJECT in against else ApprovalState.CHANGES_REQUESTED


_ENDS = {
    Decision.APPROVE: ApprovalState.APPROVED,
    Decision.REQUEST_CHANGES: ApprovalState.CHANGES_REQUESTED,
    Decision.REJECT: ApprovalState.REJECTED,
}
