"""The input of all checks: the spine with its schedule, odds, loads and cash, and the order of its rows."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from functools import cached_property
from typing import Any

from planloom.planes.strategic.compute.cash import Cash, cash_of, packages_of, sums_of
from planloom.planes.strategic.compute.causes import drawn_lines
from planloom.planes.strategic.compute.computed import Dated, Drawn, Finding, Load, Odds
from planloom.planes.strategic.compute.effort import uses
from planloom.planes.strategic.compute.found import Place, finding, money_text
from planloom.planes.strategic.compute.load import days_beside
from planloom.planes.strategic.compute.schedule import Schedule
from planloom.planes.strategic.quality_score import Severity
from planloom.planes.strategic.spine.references import reached
from planloom.planes.strategic.spine.rows import Approval, Decision, Gate, Package, Role, Row
from planloom.planes.strategic.spine.spine import Spine


class PlanView:
    """A spine, computed: each part on first use, once."""

    def __init__(self, schedule: Schedule, odds: tuple[Odds, ...] = (), loads: tuple[Load, ...] = ()) -> None:
        self.schedule, self.odds, self.loads = schedule, odds, loads
        self.spine: Spine = schedule.spine
        self.before = Before(schedule.spine)
        self.rows: dict[str, Any] = dict(schedule.spine.by_id())
        self.roles: dict[str, Role] = {role.id: role for role in schedule.spine.roles}

    def money(self, amount: float) -> str:
        """Return *amount* in the currency of the frame; ``no stated amount`` where it is not finite."""
        return money_text(amount, self.spine.frame.currency)

    def finding(
        self, check: str, *places: Place | Row | str, severity: Severity | None = None, **values: Any
    ) -> Finding:
        """Return the finding of *check* at *places*, with amounts in the currency of the frame."""
        return finding(check, *places, currency=self.spine.frame.currency, severity=severity, **values)

    @cached_property
    def cash(self) -> Cash:
        """Its cash."""
        return cash_of(self.schedule)

    @cached_property
    def sums(self) -> Mapping[str, float]:
        """The sums of lines and sources, by name."""
        return sums_of(self.spine)

    @cached_property
    def drawn(self) -> tuple[Drawn, ...]:
        """The lines of contingency and reserve that risks draw on."""
        return drawn_lines(self.spine)

    def dated(self, id: str) -> Dated | None:
        """Return the days of package *id*; None where there is no such package."""
        return self.schedule.packages.get(id)

    def packages(self, *kinds: str) -> Iterator[tuple[Package, Dated]]:
        """Yield the packages of *kinds* with their days, in the order of the spine; all where none is named."""
        for package in self.spine.packages:
            dated = self.schedule.packages.get(package.id)
            if dated and (not kinds or package.kind in kinds):
                yield package, dated

    def answers(self) -> Iterator[tuple[Approval, date]]:
        """Yield the approvals that are needed in any case, with the days of their answers."""
        for approval in self.spine.approvals:
            if approval.id in self.schedule.approvals:
                yield approval, self.schedule.approvals[approval.id]

    def places(self, ids: Iterable[str], words: str) -> list[Place]:
        """Return the first two rows of *ids*, each with *words*."""
        return [(self.rows[id], words) for id in ids if id in self.rows][:2]

    def work(self, role: str) -> list[tuple[Package, Dated]]:
        """Return the packages in which *role* works, with their days."""
        mine = frozenset(packages_of(self.spine, role))
        return [(package, dated) for package, dated in self.packages() if package.id in mine]

    def effort(self, role: str) -> float:
        """Return the person-days of *role* in all packages, as the load counts them."""
        return sum(rate * self.schedule.packages[package.id].days for package, rate in self.taken[role])

    @cached_property
    def beside(self) -> Mapping[str, frozenset[int]]:
        """The days on which packages of each role are worked and others are not, as ordinals."""
        return days_beside(self.schedule)

    @cached_property
    def taken(self) -> Mapping[str, list[tuple[Package, float]]]:
        """The packages that take people of each role, with how many."""
        found: dict[str, list[tuple[Package, float]]] = defaultdict(list)
        for package, dated in self.packages():
            for name, rate in uses(package, max(1, dated.days), self.roles):
                found[name].append((package, rate))
        return found


class Before:
    """All that goes before each row, near and far: packages by their needs, and what frees them. A cycle ends where it
    began.
    """

    def __init__(self, spine: Spine) -> None:
        self._needs = {package.id: [need.id for need in package.needs] for package in spine.packages}
        self._near = {id: list(needs) for id, needs in self._needs.items()}
        self._near |= {approval.id: list(approval.papers) for approval in spine.approvals}
        self._near |= {gate.id: list(gate.needs) for gate in spine.gates}
        freeing: tuple[Decision | Gate | Approval, ...] = (*spine.decisions, *spine.gates, *spine.approvals)
        for row in freeing:
            for freed in row.frees:
                self._near.setdefault(freed, []).append(row.id)
        met = (id for demand in spine.demands for id in demand.met_by)
        #: The packages that something waits for, or that meet a demand.
        self.needed = frozenset(met).union(*self._near.values())
        self._far: dict[str, frozenset[str]] = {}

    def of(self, id: str) -> frozenset[str]:
        """Return the ids of all rows that go before the package, approval or gate *id*, without it."""
        if id not in self._far:
            self._far[id] = frozenset(reached(self._near, id) - {id})
        return self._far[id]

    def needed_by(self, package: str) -> frozenset[str]:
        """Return the ids of the packages that *package* needs, near and far, by its needs alone."""
        return frozenset(reached(self._needs, package) - {package})

    def of_all(self, ids: Iterable[str]) -> frozenset[str]:
        """Return *ids* and all that goes before any of them."""
        ids = tuple(ids)
        return frozenset(ids).union(*(self.of(id) for id in ids))
