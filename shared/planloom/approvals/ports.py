"""What approvals need from outside: a table, and the ways in which others learn of a change."""

from collections.abc import Sequence
from datetime import datetime
from typing import Literal, NamedTuple, Protocol

from planloom.approvals.approval import Approval

#: What happened to an approval.
Change = Literal["requested", "delegated", "escalated", "ended"]


class Unpublished(NamedTuple):
    """Changes of an approval that led to *version*."""

    approval_id: str
    version: int
    changes: tuple[Change, ...]


class ApprovalStore(Protocol):
    """The approvals of all accounts. *changes* to be published are stored with them, until :meth:`published`."""

    def add(self, approval: Approval, changes: Sequence[Change] = ()) -> bool:
        """Store a new approval; return False, changing nothing, where its id is taken."""

    def get(self, approval_id: str) -> Approval | None:
        """Return an approval as it was stored last."""

    def replace(self, approval: Approval, before: int, changes: Sequence[Change] = ()) -> bool:
        """Store *approval* where the stored one has the version *before*; else return False, changing nothing."""

    def published(self, approval_id: str, version: int) -> None:
        """Forget the changes that led to *version* of an approval; no error where there are none."""

    def unpublished(self, before: datetime, limit: int) -> list[Unpublished]:
        """Return changes that were stored earlier than *before* and were not published."""

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
