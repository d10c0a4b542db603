"""Numbers in a text, in digits or words, with their scale and as ranges: ``1,250.5``, ``3 Mio.``, ``two to three``."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Literal

from planloom.planes.strategic.facts import numbers_table as table
from planloom.planes.strategic.facts.numbers_cjk import COUNTED_IN_MYRIADS, find_myriads
from planloom.planes.strategic.facts.numbers_words import find_words
from planloom.planes.strategic.facts.spans import MOST_READ, Found, fold, outside, plain


@dataclass(frozen=True, slots=True)
class Number:
    """A number, or a range of numbers, at ``text[start:end]``.

    ``also`` is the second reading of an upper bound whose one separator may be decimal or thousands (1.250), else None;
    ``percent``: a percent sign or word follows; ``spelled``: written in words.
    """

    start: int
    end: int
    low: float
    high: float
    also: float | None = None
    percent: bool = False
    spelled: bool = False


@dataclass(frozen=True, slots=True)
class Token:
    """One number as written: its value is ``base`` x ``scale``; ``other``: the base in its second reading."""

    start: int
    end: int
    base: float
    scale: float = 1.0
    other: float | None = None
    spelled: bool = False

    @property
    def value(self) -> float:
        """The number in its first reading."""
        return round(self.base * self.scale, 6)


#: Longer rows of digits are no numbers.
_MOST = 1e18
_DIGITS = re.compile(
    # 3 100-bed wards are three wards: a space sets thousands apart only where no hyphen and letter follow
    r"(?:(?<![\w.,:/#])(?<![^\W\d_]-)|(?<=\b(?:USD|EUR|GBP|CHF|INR|KES|AUD|CAD|SEK|NOK|DKK|PLN|CZK|TRY|ZAR|BRL|MXN|JPY|CNY|HKD|SGD|NZD|AED|SAR|NGN|IDR|HUF|RON|UAH))|(?<=\b(?:Rp|Rs|RM|kr|LE))|(?<=(?<![\w-])R))"
    r"(?:\d{1,3}(?: \d{3})+(?![\d'/]|-[^\W\d]|[.,:]\d{3}|[.,:]\d+[.,:]\d)(?:[.,]\d+)?|\d+(?:[.,']\d+)*)"
    r"(?![\d:]?:\d)"
)
#: The same where letters of a script without spaces, or a prefix of Arabic or Hebrew, may be next to a digit.
_DIGITS_ANYWHERE = re.compile(_DIGITS.pattern.replace(r"(?<![\w.,:/#])", r"(?<![\d.,:/#A-Za-zÀ-ɏͰ-ϿЀ-ӿ])", 1))
#: What makes a label or an ordinal of digits: 5G, 3D, 1st, 2e, 14th.
_LABEL = re.compile(
    r"(?:st|nd|rd|th|er|ère|re|e|ème|º|ª|o|a|:a|:e|-й|-го|-е|-я|[DGPQHXx])(?![^\W_])|[A-Z]\d|-[A-Z]{2,}\d|/\d", re.ASCII
)
_PERCENT = re.compile(
    r" ?(?:%|٪|percent\b|per cent\b|pct\b|Prozent\b|pour cent\b|por ciento\b|por cento\b|per cento\b"
    r"|prosen\w*|procent\w*|процент\w*|відсотк\w*|τοις εκατό|yüzde\b|persen\b|फ़?ीसदी|प्रतिशत|パーセント|퍼센트|בالمئة)",
    re.IGNORECASE,
)
#: A full stop is part of an abbreviation, not the end of the sentence, if the sentence continues.
_STOP = r"(?:(?<!\w{5})\.(?=\s?(?:[^\W\d_]|[€$£¥])))?"
#: Scripts whose letters may be next to a digit.
_NO_SPACES = frozenset({"ja", "zh", "ko", "th", "ar", "he", "hi"})
_LINK = re.compile(rf"\s?(?:-|~|から|부터|에서|至|到)\s?|\s(?:{table.TO})\s|\s(?P<and>{table.AND})\s", re.IGNORECASE)
_BETWEEN = re.compile(rf"(?<!\w)(?:{table.BETWEEN})\s\Z", re.IGNORECASE)


def find_numbers(text: str, language: str, country: str | None = None) -> tuple[Number, ...]:
    """Return the numbers of *text* in order, in digits or words, ranges as one; dates may be among them.

    *country* (ISO 3166-1) decides what a comma is where the language does not (1,250 in Mexico).
    """
    return tuple(_number(text, low, high) for low, high in ranges(text, tokens(text, language, country)))


@lru_cache(maxsize=4)
def tokens(text: str, language: str, country: str | None = None) -> tuple[Token, ...]:
    """Return the single numbers of *text*, in order and without overlaps."""
    text = plain(text[:MOST_READ])
    myriads = [Token(*each) for each in find_myriads(text)] if language in COUNTED_IN_MYRIADS else []
    words = [Token(*each, spelled=True) for each in find_words(text, language)]
    digits = outside(_digits(text, language, country), myriads, words)
    found = sorted([*myriads, *words, *digits], key=lambda token: token.start)
    scaled: list[Token] = []
    for token in found:
        if token.base < _MOST and (not scaled or token.start >= scaled[-1].end):
            scaled.append(_scaled(text, token, language))
    return tuple(scaled)


def ranges(text: str, found: tuple[Token, ...]) -> Iterator[tuple[Token, Token]]:
    """Yield pairs of the tokens in *found* that are the ends of a range, and a token twice where it is alone."""
    text = plain(text[:MOST_READ])
    return pairs(found, lambda low, high: _is_range(text, low, high))


def pairs(found: Iterable[Found], are_range: Callable[[Found, Found], bool]) -> Iterator[tuple[Found, Found]]:
    """Yield the neighbours that *are_range*, and each other one twice."""
    waiting: Found | None = None
    for each in found:
        if waiting is not None and are_range(waiting, each):
            yield waiting, each
            waiting = None
            continue
        if waiting is not None:
            yield waiting, waiting
        waiting = each
    if waiting is not None:
        yield waiting, waiting


def link(text: str, start: int, end: int, before: int) -> Literal["range", "list", ""]:
    """Return what ``text[start:end]`` makes of two numbers, the first of which begins at *before*: 2 to 3, 2 and 3."""
    sign = _PERCENT.match(text, start, end)
    found = _LINK.fullmatch(text, sign.end() if sign else start, end)
    if found is None:
        return ""
    return "list" if found["and"] and not _BETWEEN.search(text, max(0, before - 12), before) else "range"


def lower_bound(low: Token, high: Token) -> float:
    """Return the lower end of a range; ``2 to 3 million`` scales both ends, ``500 to 1 million`` does not."""
    return low.base * high.scale if low.scale == 1 < high.scale and low.base < high.base else low.value


def _is_range(text: str, low: Token, high: Token) -> bool:
    if high.start - low.end > 20 or (low.scale > 1 and high.scale == 1) or lower_bound(low, high) >= high.value:
        return False
    return link(text, low.end, high.start, low.start) == "range"


def _number(text: str, low: Token, high: Token) -> Number:
    also = None if high.other is None else round(high.other * high.scale, 6)
    percent = _PERCENT.match(plain(text[high.end : high.end + 14])) is not None
    return Number(low.start, high.end, lower_bound(low, high), high.value, also, percent, low.spelled and high.spelled)


def _digits(text: str, language: str, country: str | None) -> Iterator[Token]:
    pattern = _DIGITS_ANYWHERE if language in _NO_SPACES else _DIGITS
    found = list(pattern.finditer(text))
    decimal = _decimal_mark([m.group() for m in found], language, country)
    for match in found:
        if not _LABEL.match(text, match.end()) and (read := read_digits(match.group(), decimal)):
            yield Token(match.start(), match.end(), read[0], other=read[1])


def _decimal_mark(written: list[str], language: str, country: str | None) -> str:
    """Return what sets decimals apart: as numbers of the text prove, else as language and country have it."""
    proofs = {mark for each in written if (mark := _proof(each))}
    if len(proofs) == 1:
        return proofs.pop()
    return "," if language in table.COMMA_DECIMAL and country not in table.POINT_COUNTRIES else "."


def _proof(written: str) -> str:
    """``1.234,5`` and ``1.234.567`` prove a decimal comma, ``1,234.5`` and ``1,234,567`` a point."""
    marks: list[str] = re.findall(r"[.,]", written)
    if len(set(marks)) == 2:
        return marks[-1]
    grouped = len(marks) > 1 and all(len(group) == 3 for group in re.split(r"[.,]", written)[1:])
    return ("." if marks[0] == "," else ",") if grouped else ""


def read_digits(written: str, decimal: str) -> tuple[float, float | None] | None:
    """Return the value and, if there is one, the second reading; None where it is no number (``1.2.3``).

    *decimal* is the mark that the text uses for decimals, where the number itself does not say.
    """
    plain_groups = written.replace("'", "").replace(" ", "")
    marks = re.findall(r"[.,]", plain_groups)
    if not marks:
        return (float(plain_groups), None) if _grouped(re.split(r"[' ]", written)) else None
    if len(set(marks)) == 2 and marks.count(marks[-1]) == 1:
        whole, _, part = plain_groups.rpartition(marks[-1])
        return (float(f"{whole.replace(marks[0], '')}.{part}"), None) if _grouped(whole.split(marks[0])) else None
    groups = plain_groups.split(marks[0])
    if len(set(marks)) == 2 or (len(marks) > 1 and not _grouped(groups)):
        return None
    thousands = float("".join(groups))
    if len(marks) > 1:
        return thousands, None
    fraction = float(".".join(groups))
    if len(groups[1]) != 3 or len(groups[0]) > 3 or groups[0].startswith("0") or len(plain_groups) != len(written):
        return fraction, None
    if marks[0] != decimal:
        return thousands, None
    return (thousands, fraction) if decimal == "." and groups[1] == "000" else (fraction, thousands)


def _grouped(groups: list[str]) -> bool:
    """Return whether thousands are set apart as they can be: 1 234 567, or 12,34,567 in India."""
    if len(groups) == 1:
        return True
    inner = {len(group) for group in groups[1:-1]}
    return 0 < len(groups[0]) <= 3 and len(groups[-1]) == 3 and inner in (set(), {3}, {2})


def _scaled(text: str, token: Token, language: str) -> Token:
    """Return *token* with the halves and scale words behind it: 2½, 2 and a half million, 45k, 3 Mio."""
    end, base, scale = token.end, token.base, token.scale
    pattern, values = _suffix(language)
    if not (found := pattern.match(text, end)) or found.end() == end:
        return token
    if found["half"]:
        base += 0.5
    for word in (found["one"], found["letter"], found["two"]):
        scale *= values.get(fold(word), 1.0) if word else 1.0
    if found["late"]:
        base += 0.5
    if base == token.base and scale == token.scale:
        return token
    return replace(token, end=found.end(), base=base, scale=scale)


@cache
def _suffix(language: str) -> tuple[re.Pattern[str], dict[str, float]]:
    values = {word: value for value, words in table.SHORT_SCALES.items() for word in words.split()}
    for name in dict.fromkeys(("en", language)):
        for item in table.WORDS[name].scales.split() if name in table.WORDS else ():
            value, _, words = item.partition("=")
            values |= dict.fromkeys(words.split("/"), float(value))
    values |= table.OWN_SCALES.get(language, {})
    # one letter only directly behind the digits: 45k, but 5 m is a length
    words = "|".join(sorted(map(re.escape, (word for word in values if len(word) > 1)), key=len, reverse=True))
    edge = "" if language == "th" else r"(?!\w)"
    one = rf"(?:[ \n-]?(?P<one>{words}){edge}{_STOP}|(?P<letter>k)(?!\w))"
    two = rf"(?:[ -](?P<two>{words}){edge}{_STOP})?"
    pattern = rf"(?P<half>{table.HALF})?(?:{one}{two}(?P<late>{table.HALF})?)?"
    return re.compile(pattern, re.IGNORECASE), {fold(word): value for word, value in values.items()}
