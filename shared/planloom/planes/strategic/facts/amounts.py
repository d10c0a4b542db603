"""Amounts of money in a text: the number, its scale, its currency, and the two ends of a range."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

from planloom.planes.strategic.facts import amounts_table as table
from planloom.planes.strategic.facts import numbers
from planloom.planes.strategic.facts.numbers import Token
from planloom.planes.strategic.facts.spans import MOST_READ, plain


@dataclass(frozen=True, slots=True)
class Amount:
    """An amount of money, or a range, at ``text[start:end]``; ``currency`` is an ISO 4217 code.

    ``assumed``: the mark is shared by several currencies, and neither country nor language decides which is meant.
    """

    start: int
    end: int
    low: float
    high: float
    currency: str
    assumed: bool = False


@dataclass(frozen=True, slots=True)
class _Marked:
    """A number with the mark before or behind it, if any: a code, a symbol, the name of a family of currencies."""

    start: int
    end: int
    token: Token
    mark: str
    risky: bool = False


class _Mark(NamedTuple):
    """A mark that ends, or before the number begins, at ``at``; ``meaning``: a code, a family or empty."""

    at: int
    meaning: str
    scale: float = 1.0
    risky: bool = False


#: An ambiguous mark (COP 26) counts as a currency from this amount on.
_SURELY_MONEY = 100
_MOST = 1e18
#: What a letter before or behind a mark multiplies by: 5 M€, TEUR 500, 3 Mkr, €5m, $2bn.
_LETTERS = {"k": 1e3, "t": 1e3, "m": 1e6, "mm": 1e6, "mn": 1e6, "b": 1e9, "bn": 1e9, "mdr": 1e9}
_LETTER = re.compile(r" ?(?:bn|mn|mm|MM|BN|[kKmMbBT])(?!\w)")
_UNKNOWN = "?"
#: From here on, letters of a script without spaces.
_IDEOGRAPHS = "\u2e80"
#: Between a number and the name of its currency.
_LEAD = re.compile(r"(?:[ \n-](?:(?:de|di|of|av)\s|d')?)?")
_NAME = re.compile(r"[^\s\d.,;:!?()\"-]{1,30}(?:[ -][^\s\d.,;:!?()\"-]{1,30}){0,4}")
#: Whether a mark can follow at all, and whether one can precede: checked first, since most numbers have none.
_SOON = re.compile(r"(?:[.,]-)?[ \n-]?[^\s\d.,;:!?)]")
_JUST = re.compile(r"[^\d\s,;:!?(][ \n]?\Z")
_GAP = re.compile(r"[ -]")


def find_amounts(text: str, language: str, country: str | None = None) -> tuple[Amount, ...]:
    """Return the amounts of money in *text*, in order; a number without a known currency is none.

    *country* (ISO 3166-1) and *language* decide what ``$``, ``kr`` or ``pesos`` mean.
    """
    counted, text = numbers.tokens(text, language, country), plain(text[:MOST_READ])
    found = [_marked(text, token, language) for token in counted]
    pairs = numbers.pairs(found, lambda low, high: _is_range(text, low, high))
    return tuple(amount for low, high in pairs for amount in _amount(low, high, language, country))


def _amount(low: _Marked, high: _Marked, language: str, country: str | None) -> Iterator[Amount]:
    mark = high.mark if low.mark in table.FAMILIES and high.mark else low.mark or high.mark
    if not mark:
        return
    last = high.token.value
    first = min(numbers.lower_bound(low.token, high.token), last)
    if last < _MOST and not ((low.risky or high.risky) and last < _SURELY_MONEY):
        yield Amount(low.start, high.end, first, last, *_currency(mark, language, country))


def _is_range(text: str, low: _Marked, high: _Marked) -> bool:
    if not 0 <= high.start - low.end <= 20 or not _agree(low.mark, high.mark):
        return False
    first, last = low.token, high.token
    if (first.scale > 1 and last.scale == 1 and not high.mark) or numbers.lower_bound(first, last) >= last.value:
        return False
    link = numbers.link(text, low.end, high.start, low.start)
    # "€2 and €3 million": nobody lists two euros beside three million
    return link == "range" or (link == "list" and first.scale == 1 < last.scale and first.base < min(last.base, 1000))


def _agree(low: str, high: str) -> bool:
    """Return whether two marks, at least one of which says something, can mean the same currency."""
    if not low or not high:
        return bool(low or high)
    return low == high or (low in table.FAMILIES and high in table.FAMILIES[low].split())


def _currency(mark: str, language: str, country: str | None) -> tuple[str, bool]:
    """Return the code that *mark* means, and whether that is assumed."""
    if mark not in table.FAMILIES:
        return mark, False
    family = table.FAMILIES[mark].split()
    local = currency_of(country) if country else None
    if local in family:
        # a bare dollar in English is rarely a peso or a dollar of Asia, and nothing in the text says when it is
        return local, mark == "$" and language == "en" and family.index(local) > 3
    spoken = table.BY_LANGUAGE.get(language)
    if spoken in family:
        return spoken, False
    return family[0], len(family) > 1 and not (mark == "pound" and language == "en")


@cache
def currency_of(country: str) -> str | None:
    """Return the legal tender of a country today, by Babel."""
    from babel.core import get_global

    for code, _, until, tender in get_global("territory_currencies").get(country, ()):
        if until is None and tender:
            return str(code)
    return None


@cache
def codes() -> frozenset[str]:
    """Return the ISO 4217 codes that are legal tender somewhere today, by Babel."""
    from babel.core import get_global

    listed = get_global("territory_currencies").values()
    return frozenset(code for each in listed for code, _, until, tender in each if until is None and tender)


def _marked(text: str, token: Token, language: str) -> _Marked:
    """Return *token* as money: with the mark before or behind it, and what letters there multiply by."""
    before, scale = _before(text, token), 1.0
    letter = _LETTER.match(text, token.end) if token.scale == 1 else None
    if letter and (before.meaning or "T" not in letter.group()):
        scale = 1e12 if "T" in letter.group() else _LETTERS[letter.group().strip().lower()]
    end = letter.end() if scale > 1 and letter else token.end
    mark, behind = before, _behind(text, end, language)
    if before.meaning == _UNKNOWN:
        mark = _Mark(token.start, "")
    elif behind.meaning and _agree(before.meaning, behind.meaning):
        # "$50 AUD": the code says more than the sign
        mark, end = behind, behind.at
    scale *= token.scale * mark.scale
    base = token.base if token.other is None or scale > 1 else max(token.base, token.other)
    counted = replace(token, base=base, scale=scale)
    return _Marked(before.at, end, counted, mark.meaning, mark.risky and scale == 1)


def _before(text: str, token: Token) -> _Mark:
    just = _JUST.search(text, max(0, token.start - 2), token.start)
    found = _mark_before().search(text, max(0, token.start - 12), token.start) if just else None
    if found is None:
        return _Mark(token.start, "")
    before = text[found.start() - 1 : found.start()]
    if before.isalpha() and before < _IDEOGRAPHS:
        # letters before a sign that no table knows: do not guess
        return _Mark(token.start, _UNKNOWN)
    return _mark(found.start(), found)


def _behind(text: str, at: int, language: str) -> _Mark:
    if not _SOON.match(text, at):
        return _Mark(at, "")
    if found := _mark_behind().match(text, at):
        return _mark(found.end(), found)
    if named := _named(text, at, language):
        return _Mark(*named)
    if word := _word_behind().match(text, at):
        meaning = str(word.lastgroup)
        return _Mark(word.end(), meaning, risky=word[meaning].lower() in table.RISKY)
    return _Mark(at, "")


def _mark(at: int, found: re.Match[str]) -> _Mark:
    """Return the meaning of a mark as written: a code, with or without a sign, a symbol, or the name of a family."""
    written, scale = found["mark"], _LETTERS.get((found["scale"] or "").lower(), 1.0)
    bare, close = written.rstrip(" $€£.") or written, "".join(written.split())
    meaning = bare.upper() if bare.upper() in codes() else table.SYMBOLS.get(written) or table.SYMBOLS.get(close)
    named = "EUR" if bare.lower().startswith("euro") else bare.lower() if bare.lower() in table.FAMILIES else ""
    # $ and ¥ are families as they are written
    return _Mark(at, meaning or named or (written if written in table.FAMILIES else ""), scale, bare in table.RISKY)


def _named(text: str, at: int, language: str) -> tuple[int, str] | None:
    """Return end and code where a full name of a currency, by Babel, follows: Schweizer Franken, dollars canadiens."""
    lead = _LEAD.match(text, at)
    at = lead.end() if lead else at
    if language in ("ja", "zh", "ko", "th"):
        ends: Iterable[int] = range(min(len(text), at + 20), at, -1)
    elif words := _NAME.match(text, at):
        ends = [words.end(), *(at + gap.start() for gap in reversed(list(_GAP.finditer(words.group()))))]
    else:
        return None
    names = _names(language)
    found = next((end for end in ends if text[at:end].lower() in names), None)
    # what a number follows is the mark of that one: €2-€3
    return (
        None
        if found is None or text[found : found + 2].strip()[:1].isdigit()
        else (found, names[text[at:found].lower()])
    )


@cache
def _names(language: str) -> dict[str, str]:
    """Return code by name in small letters, and by symbols of more than one sign, as Babel knows them in *language*."""
    from babel import Locale

    locale = Locale.parse(language)
    names: dict[str, str] = {}
    plurals = locale._data["currency_names_plural"]
    for code in codes():
        symbol = str(locale.currency_symbols.get(code, ""))
        written = [*map(str, dict(plurals.get(code, {})).values()), locale.currencies.get(code, "")]
        # letters alone are the code or a word, and one sign may be that of several
        written += [symbol] if len(symbol) > 1 and not symbol.isalpha() else []
        names |= {name.lower(): code for name in written if name}
    for territory, name in locale.territories.items() if language == "en" else ():
        if (tender := currency_of(territory)) and tender in locale.currencies:
            # Fiji dollars, beside Fijian ones
            noun = locale.currencies[tender].split()[-1].lower()
            names |= {f"{name} {noun}{ending}".lower(): tender for ending in ("", "s")}
    # FCFA is the money of fourteen countries, of which Babel gives it to six
    return names | {mark.lower(): "cfa" for mark, meant in table.SYMBOLS.items() if meant == "cfa"}


@cache
def _mark_before() -> re.Pattern[str]:
    return re.compile(
        rf"(?P<scale>[kKMTm](?=[A-Z]{{3}}(?!\w)|[€$£]))?(?P<mark>(?:{_written('Fr')}|(?:US|AU|CA|NZ|HK|SG|NT) \$"
        rf"|[Ee]uros?|EUROS?)(?:(?<=[A-Z]{{3}}) ?[$€£])?)\s?\Z"
    )


@cache
def _mark_behind() -> re.Pattern[str]:
    return re.compile(
        rf"(?:[.,]-)?[ \n-]?\u200f?(?P<scale>mn|mdr|[kKtTmM])?(?P<mark>{_written()})(?![A-Za-zÀ-ɏͰ-ϿЀ-ӿ]|\s?\d)"
    )


def _written(*more: str) -> str:
    """Return the alternatives of codes and symbols, the longest first."""
    marks = sorted((*table.SYMBOLS, *codes(), "$", "¥", "Rs.", "Rs", *more), key=len, reverse=True)
    return "|".join((*map(re.escape, marks), f"(?i:{table.IN_SMALL})", r"[Kk]r\.?"))


@cache
def _word_behind() -> re.Pattern[str]:
    words = "|".join(f"(?P<{key}>{pattern})" for key, pattern in table.WORDS.items())
    return re.compile(rf"{_LEAD.pattern}(?:{words})(?![^\W\d_])", re.IGNORECASE)
