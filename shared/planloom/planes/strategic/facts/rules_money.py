"""The role of each amount of a goal: the total only if words of a total are beside it and none contradicts."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from planloom.planes.strategic.facts.amounts import Amount
from planloom.planes.strategic.facts.fact import Money
from planloom.planes.strategic.facts.rules_page import Page, pattern_of, words_of

#: "no more than 2 million in all" says a total, with a word that would deny it elsewhere.
_BOUNDS = re.compile(
    r"(?:no|not|never|n't) (?:cost |be |go |spend )?(?:a cent )?(?:more|over|above|beyond|exceed\w*)(?: than)?"
    r"|nicht (?:mehr als|über)|pas (?:plus de|dépasser)|no (?:más de|superar)|não (?:mais de|passar)"
    r"|non (?:più di|oltre)|niet meer dan|inte mer än|ikke mere? end|ikke mer enn|nie więcej niż|не (?:более|больше)"
    r"|not a (?:cent|penny) more|pas un sou de plus|ni un \w+ más|kein\w* cent mehr|ani \w+ więcej(?: nie \w+)?"
    r"|δεν ξεπερν\w+|tidak lebih dari",
    re.IGNORECASE,
)
_MORE = re.compile(
    r"\b(?:an)?(?:other|further|extra|additional|weitere[ns]?|andere[ns]?|autres?|otr[oa]s?|altr[ioae]|outr[oa]s?|άλλ\w+|"
    r"ytterligare|yderligere|inn[ey]\w*|ще|ещё)\b",
    re.IGNORECASE,
)
#: A word this close after an amount describes it, even if another amount follows.
_CLOSE = 14
#: A word up to this far after its clause may still describe an amount.
_NEXT = 24
_VERB = re.compile(
    r"\b(?:costs?|is|are|takes?|needs?|was|were|has|kostet|coûte|cuesta|costa|custa|kost)\b", re.IGNORECASE
)
_YEAR = re.compile(r"(?<![\d.,])(?:19|20)\d\d(?![\d.,])")


@dataclass(frozen=True)
class _Read:
    """How certain it is that an amount is the total (0: not), and whether a funder gives it."""

    amount: Amount
    rank: int
    given: bool


def read_money(page: Page) -> tuple[Money, ...]:
    """Return the amounts in order; at most one is the total, and where funders add up to it, it spans them all."""
    read = [_read(page, i) for i in range(len(page.amounts))]
    total = _total(read)
    summed = None if any(r.rank for r in read) else _summed(page, read)
    made = [_money(page, r.amount, r.amount is total, given=r.given) for r in read]
    return tuple(sorted([*made, *([summed] if summed else [])], key=lambda m: (m.start, m.end)))


def candidates(page: Page) -> tuple[Amount, ...]:
    """Return the amounts that have a word of a total beside them, whether or not they agree."""
    return tuple(r.amount for r in (_read(page, i) for i in range(len(page.amounts))) if r.rank)


def _read(page: Page, at: int) -> _Read:
    amount, around = page.amounts[at], page.amounts
    first, last = page.sentence(amount.start)
    left = max(first, around[at - 1].end) if at else first
    right = min(last, around[at + 1].start) if at + 1 < len(around) else last
    start, end = page.clause(amount.start, amount.end)
    if amount.end <= right < end:
        # "180,000 and we have 60,000": the words between describe the second
        right = min(right, amount.end + _CLOSE)
    right = max(right, amount.end)
    start, end = max(start, left), min(end, right)
    rank, marker = _rank(page, amount, (left, right), (start, end))
    if rank and _denied(page, min(start, marker), end, amount):
        rank = 0
    if rank == 1 and len(around) > 1 and not _largest(page, amount, start, end):
        rank = 0
    if any(first <= a.start < last and a.currency == amount.currency and a.low > amount.high for a in around):
        # the whole is no less than what its sentence names beside it
        rank = 0
    given = page.has("give", start, end) and not page.has("seek", first, last)
    # a bare sign in an unknown country could be any of several currencies
    stated = not amount.assumed or page.country is not None
    return _Read(amount, rank if stated else 0, given and not _denied(page, start, end, amount, more=True))


def _largest(page: Page, amount: Amount, start: int, end: int) -> bool:
    """Return whether it is money that is put aside, and no other amount is as high."""
    return page.has("saved", start, end) and all(a is amount or a.high < amount.low for a in page.amounts)


def _rank(page: Page, amount: Amount, reach: tuple[int, int], clause: tuple[int, int]) -> tuple[int, int]:
    """Return 3 where the whole is named, 2 where a budget is, 1 where money is there; and where that word begins."""
    # "24.000 euro, tutto compreso": the words may follow after one comma
    near = min(reach[1], clause[1] + _NEXT)
    whole = page.find("whole", clause[0], clause[1]) or page.find("whole", reach[0], near)
    if whole:
        return 3, min(whole.start(), amount.start)
    budget = page.find("budget", reach[0], clause[1])
    if budget:
        part = _behind(page.language, "part").match(page.text, amount.end) and len(page.amounts) > 1
        return (0 if part else 2), min(budget.start(), amount.start)
    have = page.find("have", *clause)
    return (1, min(have.start(), amount.start)) if have else (0, amount.start)


def _denied(page: Page, start: int, end: int, amount: Amount, *, more: bool = False) -> bool:
    """Return whether words in ``text[start:end]`` give the amount another role, or a past year does.

    *more*: a further amount counts too, as where several funders give.
    """
    around = f"{page.text[start : amount.start]} · {page.text[amount.end : end]}"
    around = _BOUNDS.sub(lambda m: "·" * len(m.group()), around)
    around = _MORE.sub("", around) if more else around
    pattern = _not_total(page.language)
    past = any(int(m.group()) < page.today.year for m in _YEAR.finditer(around))
    return past or (pattern is not None and pattern.search(around) is not None)


def _total(read: Sequence[_Read]) -> Amount | None:
    top = max((r.rank for r in read), default=0)
    best = [r.amount for r in read if r.rank == top]
    if not top or len({(a.low, a.high, a.currency) for a in best}) > 1:
        return None
    higher = any(r.rank >= 2 and r.amount.high > best[0].high for r in read)
    return None if higher else best[0]


def _summed(page: Page, read: Sequence[_Read]) -> Money | None:
    """Return the total of a sentence in which several funders give an amount each, where only one sentence does."""
    found = list(_rows(page, read))
    if len(found) != 1:
        return None
    parts = [r.amount for r in found[0]]
    low, high = sum(a.low for a in parts), sum(a.high for a in parts)
    assumed = any(a.assumed for a in parts)
    span = page.span(page.clause(parts[0].start, parts[0].end)[0], parts[-1].end)
    return Money(**span, low=low, high=high, currency=parts[0].currency, role="total", assumed=assumed)


def _rows(page: Page, read: Sequence[_Read]) -> Iterator[list[_Read]]:
    for first, last in page.sentences:
        inside = [r for r in read if first <= r.amount.start < last]
        if len(inside) > 1 and inside[0].given and len({r.amount.currency for r in inside}) == 1:
            yielded = all(r.given or _elided(page, r.amount) for r in inside)
            yield from [inside] if yielded and not page.has("seek", first, last) else []


def _elided(page: Page, amount: Amount) -> bool:
    """Return whether the clause of *amount* is a funder and the amount: the verb is written once for all of them."""
    start, end = page.clause(amount.start, amount.end)
    before = page.text[start : amount.start]
    alone = not page.text[amount.end : end].strip() or page.has("give", start, end)
    return (
        alone
        and len(before.split()) <= 10
        and not _VERB.search(before)
        and not _denied(page, start, end, amount, more=True)
    )


def _money(page: Page, amount: Amount, is_total: bool, *, given: bool) -> Money:
    return Money(
        **page.span(amount.start, amount.end),
        low=amount.low,
        high=amount.high,
        currency=amount.currency,
        role="total" if is_total else "funding" if given else "other",
        assumed=amount.assumed,
    )


@cache
def _behind(language: str, cue: str) -> re.Pattern[str]:
    return pattern_of(words_of(language, cue) or "(?!)", language, before=r"\s?")


@cache
def _not_total(language: str) -> re.Pattern[str] | None:
    words = words_of(language, "money_not")
    return pattern_of(words.replace("n't|", "\\w+n't|"), language) if words else None
