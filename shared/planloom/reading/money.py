"""Read the money of a prompt: every amount with its currency, its role and what it is for."""

from collections.abc import Iterator
from itertools import islice

from planloom.domain.facts import Money
from planloom.reading.amounts import Amount, currency_meant, find_amounts
from planloom.reading.money_roles import Sense, sense_of
from planloom.reading.page import MOST_FACTS, Page


def read_money(page: Page, objective: tuple[int, int], subject: str, home: str | None) -> tuple[Money, ...]:
    """Return the amounts of the prompt in order.

    One amount at most is the total: the surest, and of two equally sure ones the larger. *home* is the country whose
    dollars, kroner or pesos are meant where the prompt does not say.
    """
    found = list(islice(find_amounts(page.text, page.language), MOST_FACTS))
    senses = list(_senses(page, found, objective, subject.lower()))
    total = _total_of(found, senses)
    return tuple(_money(page, a, s, home, total) for a, s in zip(found, senses, strict=True))


def _senses(page: Page, found: list[Amount], objective: tuple[int, int], subject: str) -> Iterator[Sense]:
    floor = 0
    for amount in found:
        before = page.before(amount.start)
        if amount.start - len(before) < floor:
            # What stands before the amount before speaks of that one.
            before = page.text[floor : amount.start].lower()
        aimed_at = objective[0] <= amount.start < objective[1]
        yield sense_of(before, page.after(amount.end), aimed_at=aimed_at, makes=subject)
        floor = amount.end


def _total_of(found: list[Amount], senses: list[Sense]) -> Amount | None:
    """Return the amount that is the budget of the whole, or None."""
    totals = [i for i, sense in enumerate(senses) if sense.role == "total"]
    if totals:
        return found[max(totals, key=lambda i: (senses[i].weight, found[i].high, -i))]
    funding = [i for i, sense in enumerate(senses) if sense.role == "funding"]
    # "Funding is a grant of USD 420,000": the only source is the budget.
    return found[funding[0]] if len(funding) == 1 and senses[funding[0]].weight else None


def _money(page: Page, amount: Amount, sense: Sense, home: str | None, total: Amount | None) -> Money:
    currency, assumed = currency_meant(amount.mark, home)
    role = sense.role
    if total is not None and (role == "total" or amount is total):
        same = (amount.low, amount.high) == (total.low, total.high)
        role = "total" if same else "part" if amount.high < total.high else "other"
    return Money(
        **page.span(amount.start, amount.end),
        low=amount.low,
        high=amount.high,
        currency=currency,
        role=role,
        noun=sense.noun[:80],
        assumed=assumed,
    )
