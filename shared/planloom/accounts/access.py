"""Where shared links are stored."""

from typing import Protocol

from planloom.accounts.shares import Share


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
