"""A budget that adds up: weights become whole amounts, stated amounts stay as stated, each line falls into phases."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from planloom.domain.frozen import Frozen

#: What actual cost may turn out to be beside an estimate, in percent (low, high), by class. AACE 18R-97.
ACCURACY: dict[int, tuple[tuple[int, int], tuple[int, int]]] = {
    5: ((-50, -20), (30, 100)),
    4: ((-30, -15), (20, 50)),
    3: ((-20, -10), (10, 30)),
}


class Pay(Frozen):
    """What a line of pay is made of: ids of posts, their heads, and full-time months of all heads together."""

    posts: tuple[str, ...]
    heads: int
    fte_months: float


class BudgetLine(Frozen):
    """One line; ``by_phase`` sums to ``amount``, in the order of ``Budget.phases``."""

    id: str
    title: str
    amount: int
    by_phase: tuple[int, ...]
    basis: str
    stated: bool = False
    pay: Pay | None = None

    @property
    def rate(self) -> int:
        """The pay per full-time month that the amount implies, rounded; 0 for a line that is not pay."""
        return round(self.amount / self.pay.fte_months) if self.pay and self.pay.fte_months else 0


class Funding(Frozen):
    """Where money comes from, and what it hangs on."""

    title: str
    amount: int
    condition: str
    basis: str


class Budget(Frozen):
    """Lines + contingency = total, exactly; whole units of ``currency``.

    ``currency`` None: the prompt sets no total, and amounts are parts of 1,000. ``overrun``: by how much the
    stated amounts exceed the total; they are then cut in proportion and there is no contingency.
    """

    currency: str | None
    total: int
    contingency: int
    contingency_stated: bool = False
    lines: tuple[BudgetLine, ...]
    phases: tuple[str, ...]
    funding: tuple[Funding, ...] = ()
    estimate_class: int
    overrun: int = 0

    @property
    def phase_totals(self) -> tuple[int, ...]:
        """The sum of the lines in each phase; contingency belongs to none until it is released."""
        return tuple(sum(column) for column in zip(*(line.by_phase for line in self.lines), strict=True))

    @property
    def gap(self) -> int:
        """What funding leaves open: positive is a gap, negative more than the total."""
        return self.total - sum(source.amount for source in self.funding)


@dataclass(frozen=True)
class LineDraft:
    """A line before the arithmetic. ``fixed`` and ``cap`` bind its amount; ``seed`` spreads it over the phases."""

    id: str
    title: str
    weight: float
    seed: tuple[float, ...]
    basis: str
    fixed: int | None = None
    cap: int | None = None
    pay: Pay | None = None


def apportion(total: int, weights: Sequence[float]) -> tuple[int, ...]:
    """Split *total* by *weights* into whole, non-negative parts that sum to it: largest remainder, ties in order.

    Weights that are all zero count as equal. Raises ValueError for no weights, or a negative weight or total.
    """
    if not weights or min(weights) < 0 or total < 0:
        raise ValueError("apportion needs weights, and neither a weight nor the total below zero")
    shares = [Fraction(w) for w in weights] if any(weights) else [Fraction(1)] * len(weights)
    whole = sum(shares)
    exact = [total * share / whole for share in shares]
    parts = [int(e) for e in exact]
    by_remainder = sorted(range(len(parts)), key=lambda i: (parts[i] - exact[i], i))
    for i in by_remainder[: total - sum(parts)]:
        parts[i] += 1
    return tuple(parts)


def share_out(total: int, contingency: int, drafts: Sequence[LineDraft]) -> tuple[int, tuple[int, ...], int]:
    """Return (contingency, amount per draft, overrun), where contingency + amounts = *total*.

    Fixed amounts stay as they are while the total bears them, at the cost of contingency; caps hold while another
    line can take what they cut off. The rest goes by weight.
    """
    fixed = [d.fixed or 0 for d in drafts]
    stated = sum(fixed)
    if stated > total:
        return 0, apportion(total, fixed), stated - total
    contingency = min(contingency, total - stated)
    amounts = list(fixed)
    free = [i for i, d in enumerate(drafts) if d.fixed is None]
    if not free:
        return total - stated, tuple(amounts), 0
    rest = total - contingency - stated
    while True:
        parts = dict(zip(free, apportion(rest, [drafts[i].weight for i in free]), strict=True))
        over = [i for i in free if (cap := drafts[i].cap) is not None and parts[i] > cap]
        if not over or len(over) == len(free):
            break
        for i in over:
            amounts[i] = drafts[i].cap or 0
            rest -= amounts[i]
            free.remove(i)
    for i, part in parts.items():
        amounts[i] = part
    return contingency, tuple(amounts), 0


def spread(
    amounts: Sequence[int], seeds: Sequence[Sequence[float]], held: Sequence[bool], columns: Sequence[float]
) -> tuple[tuple[int, ...], ...]:
    """Spread each amount over phases; row i sums to ``amounts[i]``.

    A held row follows its seed alone, as pay follows its people; the others follow seed times *columns*, the share
    of each phase. A row whose seed lies in phases of no share follows its seed.
    """
    rows = []
    for amount, seed, alone in zip(amounts, seeds, held, strict=True):
        weights = list(seed) if alone else [s * c for s, c in zip(seed, columns, strict=True)]
        rows.append(apportion(amount, weights if any(weights) else list(seed)))
    return tuple(rows)


def make_budget(
    *,
    currency: str | None,
    total: int,
    contingency: int,
    contingency_stated: bool,
    drafts: Sequence[LineDraft],
    phases: Sequence[tuple[str, float]],
    funding: Sequence[Funding] = (),
    estimate_class: int,
) -> Budget:
    """Work *drafts* out; *phases* are ids with their share of the lines. Raises ValueError without drafts or phases."""
    held_back, amounts, overrun = share_out(total, contingency, drafts)
    matrix = spread(
        amounts, [d.seed for d in drafts], [d.pay is not None for d in drafts], [share for _, share in phases]
    )
    lines = tuple(
        BudgetLine(
            id=d.id,
            title=d.title,
            amount=amount,
            by_phase=row,
            basis=d.basis,
            stated=d.fixed is not None,
            pay=d.pay,
        )
        for d, amount, row in zip(drafts, amounts, matrix, strict=True)
    )
    return Budget(
        currency=currency,
        total=total,
        contingency=held_back,
        contingency_stated=contingency_stated,
        lines=lines,
        phases=tuple(phase for phase, _ in phases),
        funding=tuple(funding),
        estimate_class=estimate_class,
        overrun=overrun,
    )
