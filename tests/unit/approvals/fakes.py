"""Approvals in memory."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from planloom.approvals.approval import Approval, ApprovalState, Subject, pin
from planloom.approvals.ports import Change, Unpublished
from planloom.approvals.service import Approvals
from tests.unit.runs.fakes import Writes

NOW = datetime(2027, 3, 1, 9, tzinfo=UTC)
HOUR = timedelta(hours=1)
BRIEF = pin("the brief")


@dataclass
class FakeApprovalStore:
    """*writes* counts the changes, so that a test can kill the process at each of them."""

    approvals: dict[str, Approval] = field(default_factory=dict)
    left: dict[tuple[str, int], tuple[datetime, tuple[Change, ...]]] = field(default_factory=dict)
    writes: Writes = field(default_factory=Writes)

    def add(self, approval: Approval, changes: Sequence[Change] = ()) -> bool:
        if approval.approval_id in self.approvals:
            return False
        self.writes.next(lambda: self._put(approval, changes))
        return True

    def get(self, approval_id: str) -> Approval | None:
        return self.approvals.get(approval_id)

    def replace(self, approval: Approval, before: int, changes: Sequence[Change] = ()) -> bool:
        known = self.approvals.get(approval.approval_id)
        if known is None or known.version != before:
            return False
        self.writes.next(lambda: self._put(approval, changes))
        return True

    def _put(self, approval: Approval, changes: Sequence[Change]) -> None:
        self.approvals[approval.approval_id] = approval
        if changes:
            at = approval.decided_at or approval.requested_at
            self.left[approval.approval_id, approval.version] = (at, tuple(changes))

    def published(self, approval_id: str, version: int) -> None:
        if (approval_id, version) in self.left:
            self.writes.next(lambda: self.left.pop((approval_id, version)))

    def unpublished(self, before: datetime, limit: int) -> list[Unpublished]:
        found = [Unpublished(*key, changes) for key, (at, changes) in sorted(self.left.items()) if at < before]
        return found[:limit]

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


@dataclass
class Caller:
    """Who calls with an API key of the account."""

    account: str = "acme"
    key: str = "ann"
    base_url: str = ""


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
    return Approvals(store or FakeApprovalStore(), listeners, clock or Clock(), lambda digest: f"pex_{digest[:3]}")
