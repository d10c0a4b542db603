"""Credits: what accounts pay runs with, if a deployment asks for it.

A run of a strategic plan reserves a credit for each stage that it may execute, and pays after its end for those that it
executed.
"""

from datetime import datetime
from typing import Literal

from pydantic import Field

from planloom.core.frozen import Frozen


class Reservation(Frozen):
    """Credits reserved for one run until it is settled. ``plane``: whose run it is; only that plane settles it."""

    account: str
    # reservations that were stored without a plane are of strategic plans
    plane: str = "strategic"
    plan_id: str
    run: int
    amount: int = Field(ge=1)
    at: datetime

    @property
    def name(self) -> str:
        """The same for the same run, so that it reserves once and settles once."""
        return f"{self.plan_id}-{self.run}"


class LedgerEntry(Frozen):
    """One entry of an account's ledger, never changed; ``amount`` is added to the balance, and may be negative."""

    entry_id: str
    account: str
    kind: Literal["added", "reserved", "settled", "released"]
    amount: int
    at: datetime
    note: str = Field(default="", max_length=200)
