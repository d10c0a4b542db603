"""Credits: what accounts pay runs with, where a deployment asks for it. One credit is one stage made.

A run reserves a credit for each stage that it may have to make, and when it has ended pays for those that it made.
"""

from datetime import datetime
from typing import Literal

from pydantic import Field

from planloom.domain.frozen import Frozen


class Reservation(Frozen):
    """Credits held for one run until it is settled."""

    account: str
    plan_id: str
    run: int
    amount: int = Field(ge=1)
    at: datetime

    @property
    def name(self) -> str:
        """The same run always has the same name, so that it reserves once and settles once."""
        return f"{self.plan_id}-{self.run}"


class LedgerEntry(Frozen):
    """One line of an account's ledger, never changed; ``amount`` is what the balance rose by, below 0 what it fell."""

    entry_id: str
    account: str
    kind: Literal["added", "reserved", "settled", "released"]
    amount: int
    at: datetime
    note: str = Field(default="", max_length=200)
