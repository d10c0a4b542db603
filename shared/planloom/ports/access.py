"""Who may look, and how many at once: shared links, and seats for calls that are held open."""

from datetime import datetime
from typing import Protocol

from planloom.domain.shares import Share


class ShareStore(Protocol):
    """Shared links, by the hash of their token."""

    def add(self, share: Share) -> None:
        """Store *share*; it goes by itself some time after it has expired."""
        ...

    def get(self, digest: str) -> Share | None:
        """Return the share of that hash, or None where there is none or it was revoked."""
        ...

    def revoke_all(self, plan_id: str) -> int:
        """Revoke every share of the plan; return how many there were."""
        ...


class Seats(Protocol):
    """For calls that are held open, where few may be at once."""

    def take(self, seats: int, now: datetime, until: datetime) -> int | None:
        """Take one of *seats* until then; None where all are taken by others whose time has not run out."""
        ...

    def leave(self, seat: int, until: datetime) -> None:
        """Give *seat* back, unless it ran out and another has it."""
        ...
