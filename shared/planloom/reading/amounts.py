"""Find amounts of money: the number, its scale, its currency, and the two ends of a range."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from planloom.reading.numbers import number, scale_of, value_of
from planloom.reading.tables.countries import currency_of
from planloom.reading.tables.currencies import CODES, FAMILIES, RISKY_MARKS, SHARED, SHARED_WORDS, SYMBOLS, WORDS
from planloom.reading.tables.number_words import SCALES

#: A risky code (COP 26) counts as a currency from this amount on.
_SURELY_MONEY = 100
_LINK = re.compile(r"\s?-\s?|\s+(?:to|bis|til|till|a|à|up to|through)\s+|\s+(?P<and>and|und|og|y|et)\s+", re.IGNORECASE)
_BETWEEN = re.compile(r"\b(?:between|zwischen|mellem|entre|mellom|mellan)\s+$", re.IGNORECASE)


@dataclass(frozen=True)
class Amount:
    """An amount of money as written; ``mark`` is the currency's mark, to be settled by :func:`currency_meant`."""

    start: int
    end: int
    low: float
    high: float
    mark: str


@dataclass(frozen=True)
class _Token:
    start: int
    end: int
    value: float
    scale: float
    pre: str
    post: str

    @property
    def mark(self) -> str:
        # "$50 AUD": the code says more than the sign.
        return self.post if self.pre in SHARED and self.post in CODES else self.pre or self.post

    @property
    def amount(self) -> float:
        return round(self.value * self.scale, 6)


def find_amounts(text: str, language: str) -> Iterator[Amount]:
    """Yield the amounts of money in *text*, in order; numbers without a known currency are left out."""
    waiting: _Token | None = None
    for token in _tokens(text, language):
        if waiting is None:
            waiting = token
        elif _is_range(text, waiting, token):
            yield from _one(waiting, token)
            waiting = None
        else:
            yield from _one(waiting, waiting)
            waiting = token
    if waiting is not None:
        yield from _one(waiting, waiting)


def currency_meant(mark: str, home: str | None) -> tuple[str, bool]:
    """Return the ISO code that *mark* means and whether that is inferred; *home* is the prompt's country, if any."""
    word = mark.lower()
    if mark.rstrip("$ ") in CODES:
        return mark.rstrip("$ "), False
    if mark in SYMBOLS or word in WORDS:
        return SYMBOLS.get(mark) or WORDS[word], False
    family, default = (mark, SHARED[mark]) if mark in SHARED else SHARED_WORDS[word]
    local = currency_of().get(home or "", "")
    return (local if local in FAMILIES[family] else default), True


def _one(low: _Token, high: _Token) -> Iterator[Amount]:
    mark = low.mark or high.mark
    if not mark:
        return
    first = low.amount
    if low.scale == 1 and high.scale > 1 and low.value < high.value:
        first = low.value * high.scale
    ends = sorted((first, high.amount))
    risky = mark in RISKY_MARKS and ends[1] < _SURELY_MONEY
    if not risky and ends[1] < 1e18:
        yield Amount(low.start, high.end, ends[0], ends[1], mark)


def _is_range(text: str, low: _Token, high: _Token) -> bool:
    link = _LINK.fullmatch(text, low.end, high.start)
    if link is None or not (low.mark or high.mark) or (low.mark and high.mark and not _same(low, high)):
        return False
    if low.scale > 1 and high.scale == 1 and not high.mark:
        return False
    if not link.group("and") or _BETWEEN.search(text, max(0, low.start - 12), low.start):
        return True
    # "€2 and €3 million": nobody lists two euros beside three million.
    return low.scale == 1 and high.scale > 1 and low.value < min(high.value, 1000)


def _same(low: _Token, high: _Token) -> bool:
    return low.mark.lower().rstrip("s$.") == high.mark.lower().rstrip("s$.") or (bool(low.pre) and low.pre == high.pre)


def _tokens(text: str, language: str) -> Iterator[_Token]:
    at, pattern = 0, _pattern(language)
    while found := pattern.search(text, at):
        at = found.end()
        pre, post = found["pre"] or "", found["post"] or ""
        scale = scale_of(found["scale"])
        # "€1.250 million" has decimals, "€1.250" has thousands.
        value = value_of(found["number"], language, money=scale == 1 and bool(pre or post))
        yield _Token(found.start(), at, value, scale, pre, post)


@cache
def _pattern(language: str) -> re.Pattern[str]:
    codes = "|".join(sorted(CODES))
    before = "|".join(sorted(map(re.escape, (*SYMBOLS, *SHARED)), key=len)[::-1])
    before = rf"(?:{codes}) ?\$|{before}|{codes}"
    return re.compile(
        rf"(?:(?<![^\W_])(?P<pre>{before})\s?|(?<![\w.,$€£]))(?P<number>{number('_', language)})"
        rf"{_SCALE}{_post()}(?![^\W\d_]|[.,]?\d)"
    )


@cache
def _post() -> str:
    signs = "|".join(sorted(map(re.escape, (*SYMBOLS, *SHARED, *CODES)), key=len)[::-1])
    # "200 pounds of flour" is a weight.
    words = "|".join(sorted(map(re.escape, (*WORDS, *SHARED_WORDS)), key=len)[::-1])
    return rf"(?:[ \n-]?(?:(?P<post>{signs}|(?i:{words})(?! of ))(?![^\W_]|\$)))?"


_SCALE = (
    r"(?:[ \n-]?(?P<scale>(?i:mio|mill|mrd|mia|tsd|mln|mn)\.(?=\s[^\W\d_]|\s?[€$£])|(?i:"
    + "|".join(sorted((w for w in SCALES if len(w) > 2 and w != "hundred"), key=len, reverse=True))
    + r")(?!\w)"
    r"|(?:bn|tn|mn|mm|MM|BN|[kKmMbB])(?![^\W_A-Z]|[A-Z](?![A-Z]{2}\b))|(?(pre)T\b)))?"
)
