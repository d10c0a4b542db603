"""What accounts have: keys and credits."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Protocol

from planloom.accounts.credits import LedgerEntry, Reservation
from planloom.accounts.keys import ApiKey
from planloom.accounts.rules import Rules
from planloom.core.clock import Clock


class KeyStore(Protocol):
    """API keys, by hash: a key itself is shown once and stored nowhere."""

    def add(self, key: ApiKey) -> bool:
        """Store *key*; return False if that hash is taken."""
        ...

    def of_account(self, account: str) -> list[ApiKey]:
        """Return the account's keys, revoked ones too, oldest first."""
        ...

    def revoke(self, digest: str, at: datetime) -> bool:
        """Revoke the key of that hash; return False where there is none. One that is revoked keeps its time."""
        ...

    def use(self, digest: str, day: date) -> None:
        """Note that somebody came with the key of that hash on *day*; an earlier day than is noted changes nothing."""
        ...

    def get(self, digest: str) -> ApiKey | None:
        """Return the key of that hash as last written, or None."""
        ...


class CreditStore(Protocol):
    """Balances, each with an append-only ledger; every change is whole, and done once under its name."""

    def balance(self, account: str) -> int:
        """Return what the account can spend: what was added less what is reserved and what was paid."""
        ...

    def entries(self, account: str) -> list[LedgerEntry]:
        """Return the account's ledger, oldest first; its amounts add up to the balance."""
        ...

    def add(self, entry: LedgerEntry) -> bool:
        """Add *entry*, of kind ``added``; return False, changing nothing, where one of its id is there."""
        ...

    def reserve(self, reservation: Reservation) -> bool:
        """Hold the amount: where the run holds some already, what is missing to it; nothing where it was settled.

        Returns False, changing nothing, where the balance is too low.
        """
        ...

    def settle(self, plan_id: str, run: int, paid: int, at: datetime) -> bool:
        """Pay *paid* of what the run reserved, at most all of it, and give the rest back.

        Returns False, changing nothing, where nothing is reserved for it or it was settled before.
        """
        ...

    def release(self, held: Reservation, at: datetime) -> bool:
        """Give back all that a run held that never began, so that it may reserve again.

        Returns False, changing nothing, where the reservation was changed since it was read.
        """
        ...

    def reserved(self) -> list[Reservation]:
        """Return what is reserved and not settled, of all accounts."""
        ...


@dataclass(frozen=True)
class Billing:
    """Credits of accounts, and whether this deployment asks for them."""

    credits: CreditStore
    rules: Rules
    now: Clock
