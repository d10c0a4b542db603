"""Budgets of calls that several runs of an account share, by name; taking a call is atomic."""

from dataclasses import dataclass
from typing import Protocol

from planloom.core.frozen import Frozen
from planloom.runs.errors import BudgetNotFound


class Budget(Frozen):
    """A budget: at most ``calls`` are taken, ``taken`` of them were."""

    name: str
    calls: int
    taken: int = 0


class BudgetStore(Protocol):
    """The budgets of all accounts."""

    def set(self, account: str, name: str, calls: int) -> Budget:
        """Store or change a budget; what was taken stays."""

    def take(self, account: str, name: str) -> bool:
        """Take one call; return False, taking none, where none is left or there is no such budget."""

    def get(self, account: str, name: str) -> Budget | None:
        """Return a budget."""

    def of_account(self, account: str) -> list[Budget]:
        """Return all budgets of *account*, by name."""

    def delete(self, account: str, name: str) -> None:
        """Delete a budget; no error where there is none."""


@dataclass(frozen=True)
class Budgets:
    """The budgets of all accounts; every method names the account."""

    store: BudgetStore

    def set(self, account: str, name: str, calls: int) -> Budget:
        """Store or change a budget and return it."""
        return self.store.set(account, name, calls)

    def get(self, account: str, name: str) -> Budget:
        """Return a budget. Raises BudgetNotFound."""
        found = self.store.get(account, name)
        if found is None:
            known = ", ".join(each.name for each in self.store.of_account(account)) or "none"
            raise BudgetNotFound(f"There is no budget “{name[:64]}”. There are: {known}. budget_set makes one.")
        return found

    def all(self, account: str) -> list[Budget]:
        """Return the account's budgets, by name."""
        return self.store.of_account(account)

    def delete(self, account: str, name: str) -> None:
        """Delete a budget. Raises BudgetNotFound."""
        self.get(account, name)
        self.store.delete(account, name)
