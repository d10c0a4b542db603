"""The final spine beside what is computed of it, with the words that tables of several sections share."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any

from planloom.core.wording import amount_text, day_text
from planloom.planes.strategic.compute.computed import Computed, Dated, Odds
from planloom.planes.strategic.spine.fields import title
from planloom.planes.strategic.spine.rows import Package
from planloom.planes.strategic.spine.spine import Spine
from planloom.planes.strategic.stages import text

#: The letters of the rows that readers know by id: tasks, decisions and gates. Others are called by their names.
NUMBERED = "PDG"
#: The kinds of cost lines in the order of the table, as readers see them.
KINDS = {
    "one_off": "One-off",
    "staff": "Staff",
    "running": "Running",
    "tax": "Taxes and fees",
    "contingency": "Contingency",
    "reserve": "Reserve",
}


@dataclass(frozen=True, eq=False)
class ComputedPlan:
    """A spine and its computed values, by id. Texts for what is not known are empty."""

    spine: Spine
    computed: Computed

    @cached_property
    def rows(self) -> Mapping[str, Any]:
        """The rows by id."""
        return self.spine.by_id()

    @cached_property
    def dated(self) -> Mapping[str, Dated]:
        """The scheduled packages by id."""
        return {package.id: package for package in self.computed.packages}

    @cached_property
    def sums(self) -> Mapping[str, float]:
        """The sums of lines and sources by name."""
        return {found.name: found.amount for found in self.computed.sums}

    @cached_property
    def end(self) -> Odds | None:
        """The odds of the whole."""
        return next((odds for odds in self.computed.odds if odds.what == "end"), None)

    @cached_property
    def in_order(self) -> tuple[Package, ...]:
        """The packages in order of their start, then of their id's number."""
        return tuple(sorted(self.spine.packages, key=self._starts))

    def title(self, row_id: str) -> str:
        """Return the words of a row; the id itself where no row has it."""
        return title(self.rows[row_id]) if row_id in self.rows else row_id

    def named(self, row_id: str) -> str:
        """Return id and words: ``P12 Tender the hall``."""
        return f"{row_id} {title(self.rows[row_id])}" if row_id in self.rows else row_id

    def known_as(self, row_id: str) -> str:
        """Return what readers know a row by: id and words of tasks, decisions and gates, words of others."""
        return self.named(row_id) if row_id[:1] in NUMBERED else self.title(row_id)

    def called(self, row_ids: Iterable[str]) -> str:
        """Return rows on one line: tasks, decisions and gates by id, others by short names."""
        return ", ".join(n if n[:1] in NUMBERED else text.shortened(self.title(n)) for n in row_ids if n)

    def money(self, amount: float) -> str:
        """Return *amount* in the currency of the plan."""
        return amount_text(amount, self.spine.frame.currency)

    def some(self, amount: float) -> str:
        """Return *amount* in the currency of the plan; empty for 0."""
        return self.money(amount) if amount else ""

    def cost_of(self, package: Package) -> float:
        """Return what the lines of *package* pay for it; a line of several packages is shared out evenly."""
        lines = (line for line in self.spine.lines if package.id in line.all_packages)
        return sum(line.amount / len(line.all_packages) for line in lines)

    def _starts(self, package: Package) -> tuple[date, int, str]:
        found = self.dated.get(package.id)
        digits = "".join(c for c in package.id if c.isdigit())
        return (found.start if found else date.max, int(digits or 0), package.id)


def day(value: date | None) -> str:
    """Return a day as plans print it; empty for None."""
    return day_text(value) if value else ""


def short_day(value: date | None) -> str:
    """Return a day as tables print it: ``1 Dec 2027``; empty for None."""
    return f"{value.day} {value:%b %Y}" if value else ""


def month(value: date) -> str:
    """Return the month of a day: ``May 2027``."""
    return f"{value:%B %Y}"


def ids(found: Iterable[str]) -> str:
    """Return ids on one line."""
    return ", ".join(found)


def amount(value: float) -> str:
    """Return an amount without its currency, which the head of its column names; empty for 0."""
    return amount_text(value, "") if value else ""


def mark(basis: str) -> str:
    """Return where a value comes from as tables print it; empty for an assumed one: tables say that once."""
    return {"assumed": "", "verify": "to verify"}.get(basis, basis)


def number(value: float) -> str:
    """Return a number with at most one place: ``1,250``, ``2.5``."""
    return f"{value:,.1f}".removesuffix(".0")


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a Markdown table without the columns that are empty in every row; empty where there are no rows."""
    found = [tuple(row) for row in rows]
    used = [n for n in range(len(head)) if any(str(row[n]) for row in found)]
    return text.table([head[n] for n in used], [[row[n] for n in used] for row in found])
