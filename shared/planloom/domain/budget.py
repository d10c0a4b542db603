"""A budget that adds up: shares become whole amounts, stated amounts stay as stated, each line falls into phases."""

from planloom.domain.frozen import Frozen


class Pay(Frozen):
    """What a line of pay is made of: people x months at full time x the rate that follows."""

    role: str
    people: int
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


class Funding(Frozen):
    """Where money comes from."""

    title: str
    amount: int
    condition: str
    source: str


class Budget(Frozen):
    """Lines + contingency = total, exactly; whole units of ``currency``.

    ``currency`` None: the prompt sets no total, and amounts are parts of 1,000.
    """

    currency: str | None
    total: int
    contingency: int
    lines: tuple[BudgetLine, ...]
    phases: tuple[str, ...]
    funding: tuple[Funding, ...] = ()
    estimate_class: int
