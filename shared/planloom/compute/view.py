"""What checks of order and money look at: the spine with its schedule, its cash, and what goes before what."""

from collections.abc import Iterator
from functools import cached_property
from math import isfinite
from typing import Any

from planloom.compute.before import Before
from planloom.compute.cash import Cash, cash_of, packages_of
from planloom.compute.computed import Dated
from planloom.compute.effort import uses
from planloom.compute.schedule import Schedule
from planloom.domain.wording import amount_text
from planloom.spine.rows import Package, Role
from planloom.spine.spine import Spine


class PlanView:
    """A spine, computed: each part on first use, once."""

    def __init__(self, schedule: Schedule) -> None:
        self.schedule = schedule
        self.spine: Spine = schedule.spine
        self.before = Before(schedule.spine)
        self.rows: dict[str, Any] = dict(schedule.spine.by_id())

    def money(self, amount: float) -> str:
        """Return *amount* in the currency of the frame; ``no stated amount`` where it is not finite."""
        return amount_text(amount, self.spine.frame.currency) if isfinite(amount) else "no stated amount"

    @cached_property
    def cash(self) -> Cash:
        """Its cash."""
        return cash_of(self.schedule)

    def dated(self, id: str) -> Dated | None:
        """Return the days of package *id*; None where there is no such package."""
        return self.schedule.packages.get(id)

    def packages(self, *kinds: str) -> Iterator[tuple[Package, Dated]]:
        """Yield the packages of *kinds* with their days, in the order of the spine; all where none is named."""
        for package in self.spine.packages:
            dated = self.schedule.packages.get(package.id)
            if dated and (not kinds or package.kind in kinds):
                yield package, dated

    def work(self, role: str) -> list[tuple[Package, Dated]]:
        """Return the packages in which *role* works, with their days."""
        mine = frozenset(packages_of(self.spine, role))
        return [(package, dated) for package, dated in self.packages() if package.id in mine]

    def effort(self, role: str) -> float:
        """Return the person-days of *role* in all packages, as the load counts them."""
        return self._efforts.get(role, 0.0)

    @cached_property
    def _efforts(self) -> dict[str, float]:
        found: dict[str, float] = {}
        for package, dated in self.packages():
            for use in uses(package, max(1, dated.days), self._roles):
                found[use.role] = found.get(use.role, 0.0) + use.rate * dated.days
        return found

    @cached_property
    def _roles(self) -> dict[str, Role]:
        return {role.id: role for role in self.spine.roles}
