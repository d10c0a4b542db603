"""What approvals need from outside: a table, and the ways in which others learn of a change."""

from typing import Literal, Protocol

from planloom.approvals.approval import Approval

#: What happened to an approval.
Change = Literal["requested", "delegated", "escalated", "ended"]


class ApprovalStore(Protocol):
    """The approvals of all accounts."""

    def add(self, approval: Approval) -> bool:
        """Store a new approval; return False, changing nothing, where its id is taken."""

    def get(self, approval_id: str) -> Approval | None:
        """Return an approval as it was stored last."""

    def replace(self, approval: Approval, before: int) -> bool:
        """Store *approval* where the stored one has the version *before*; else return False, changing nothing."""

    def newest_of(
        self, account: str, pending: bool, limit: int, before: str | None = None
    ) -> list[tuple[str, Approval]]:
        """Return approvals of *account*, newest first; those that are pending, or those that are not.

        Each has the position that *before* takes for those after it.
        """

    def delete(self, approval_id: str) -> None:
        """Delete an approval; no error where there is none."""


class Listener(Protocol):
    """A plane, or what sends messages. It may be called more than once for one change."""

    def __call__(self, approval: Approval, change: Change) -> None:
        """Take note that *change* happened to *approval*."""
