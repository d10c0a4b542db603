"""Approvals in memory."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from planloom.approvals.approval import Approval, ApprovalState, Subject, pin
from planloom.approvals.ports import Change
from planloom.approvals.service import Approvals

NOW = datetime(2027, 3, 1, 9, tzinfo=UTC)
HOUR = timedelta(hours=1)
BRIEF = pin("the brief")


@dataclass
class FakeApprovalStore:
    approvals: dict[str, Approval] = field(default_factory=dict)

    def add(self, approval: Approval) -> bool:
        if approval.approval_id in self.approvals:
            return False
        self.approvals[approval.approval_id] = approval
        return True

    def get(self, approval_id: str) -> Approval | None:
        return self.approvals.get(approval_id)

    def replace(self, approval: Approval, before: int) -> bool:
        known = self.approvals.get(approval.approval_id)
        if known is None or known.version != before:
            return False
        self.approvals[approval.approval_id] = approval
        return True

    def newest_of(
        self, account: str, pending: bool, limit: int, before: str | None = None
    ) -> list[tuple[str, Approval]]:
        found = [
            (f"{each.requested_at.isoformat()}#{each.approval_id}", each)
            for each in self.approvals.values()
            if each.account == account and (each.state is ApprovalState.PENDING) is pending
        ]
        found.sort(key=lambda each: each[0], reverse=True)
        return [each for each in found if before is None or each[0] < before][:limit]

    def delete(self, approval_id: str) -> None:
        self.approvals.pop(approval_id, None)


@dataclass
class Published:
    """A listener that keeps what it was called with."""

    changes: list[tuple[str, Change]] = field(default_factory=list)

    def __call__(self, approval: Approval, change: Change) -> None:
        self.changes.append((approval.state.value, change))


@dataclass
class Clock:
    time: datetime = NOW

    def __call__(self) -> datetime:
        return self.time


def subject(**fields: str) -> Subject:
    given = {"plane": "workflows", "run_id": "r1", "node_id": "approve-brief", "title": "Brief", "sha256": BRIEF}
    return Subject.model_validate(given | fields)


def an_approval(approval_id: str = "a1", **fields: object) -> Approval:
    given = {
        "approval_id": approval_id,
        "account": "acme",
        "subject": subject(),
        "approvers": ("founder",),
        "requested_at": NOW,
        **fields,
    }
    return Approval.model_validate(given)


def approvals(*listeners: Published, clock: Clock | None = None, store: FakeApprovalStore | None = None) -> Approvals:
    return Approvals(store=store or FakeApprovalStore(), listeners=listeners, now=clock or Clock())
