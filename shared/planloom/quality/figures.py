"""What a claim says of a number, as words to look for: the unit, the noun, and the values that agree with it."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from planloom.domain.claims import Claim
from planloom.reading.numbers import value_of

#: Values that differ by less of the larger one are the same, rounded.
ROUNDING = 0.02
#: What stands between a noun and its number may be that long, and hold these words only.
MOST_BETWEEN = 30

_TIME = {name: f"{name}s" for name in ("second", "minute", "hour", "day", "week", "month", "year")}
_STANDARD = {"%", "people", "date", "percent", "place"}
#: Nouns that say nothing of what is counted or paid.
_VAGUE = {"total", "funding", "other", "decisions", "limit", "sum", "amount", "part", "rest", "changes", "anything"}
#: Claims that every plan makes in a sentence of its own instead of behind a label.
_NAMED = {"start.budget": "budget"}
#: A count smaller than this part of the registered one is taken for a part of it: 12 of the 48 seats.
PART = 0.65
_CODE = re.compile(r"[A-Z]{3}")
_SYMBOLS = {"€": "EUR", "$": "USD", "£": "GBP", "US$": "USD"}
_SMALL = "two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty"
#: "4,2" and "4.200,50" are read in no language: what stands behind the mark is no number of its own.
_NUMBER = rf"(?:\d{{1,3}}(?:[,.' ]\d{{3}})+(?:\.\d+)?(?![.,]?\d)|\d+(?:\.\d+)?(?![.,]?\d)|(?i:\b(?:{_SMALL})\b))"
_SCALE = r"(?: ?(?:million|thousand|billion|bn|k|m)\b)?"
_SCALES = {"million": 1e6, "m": 1e6, "thousand": 1e3, "k": 1e3, "billion": 1e9, "bn": 1e9}
_BETWEEN = (
    r"(?:[\s:(–-]|\b(?:is|are|was|be|will|must|of|at|to|costs?|comes?|limit|cap|stays?|set|about|exactly|roughly|the"
    r"|limited|amounts?|takes?|lasts?|maximum|most|up)\b|[=≤])"
)
#: Before a count: it is part of another, or more than that.
_PART = re.compile(
    r"\b(?:of|another|other|extra|additional|further|first|last|next|each|every|per|plus|remaining|only|half|third|"
    r"least|most|than|under|over|below|above|up to|within|to|or|and|between|from|after|nearest|[+/–-])\s*$",
    re.I,
)
#: After a count: it is a rate, a share or a comparison.
_RATE = re.compile(
    r"\s*(?:per|each|a |an |in |at |from|more|fewer|less|of|who|that|which|with|by|or|and|on|to|behind|between|apart"
    r")\b",
    re.I,
)
#: After an amount: it is a rate. Before a noun: it is a share of it.
_PER = re.compile(
    r"\s*(?:/|,?\s*\b(?:per|each|every|an? (?:hour|day|night|week|month|quarter|year|piece|head))\b)", re.I
)
_SHARE_OF = re.compile(r"\bof (?:the |this |its |our )?$|\bper ?$", re.I)


@dataclass(frozen=True)
class Figure:
    """A registered number: *noun* in small letters, *unit* (ISO 4217, ``%``, ``days`` or empty for a plain count)."""

    claim: Claim
    noun: str
    unit: str
    low: float
    high: float

    def agrees(self, value: float) -> bool:
        """Return whether *value* is the registered one, or lies within its range, roundings apart."""
        return self.low * (1 - ROUNDING) <= value <= self.high * (1 + ROUNDING)

    def distance(self, value: float) -> float:
        """Return by how much of the registered value *value* differs from it; 0 where it agrees."""
        nearest = min(max(value, self.low), self.high)
        return abs(value - nearest) / (abs(nearest) or 1.0)


@dataclass(frozen=True)
class Mention:
    """A number in a text with the unit and the noun of *figure*, and another value."""

    figure: Figure
    value: float
    text: str


def figures(claims: Iterable[Claim]) -> tuple[Figure, ...]:
    """Return those of *claims* that say a number of something that can be named; dates and texts are left out."""
    return tuple(figure for claim in claims for figure in _figures(claim))


def mentions(text: str, known: Iterable[Figure]) -> Iterator[Mention]:
    """Yield the numbers of *text* with the unit and noun of a figure that no figure of that unit and noun agrees to.

    A noun and its number are one where nothing but the words of MOST_BETWEEN stands between them; a count is one
    with the noun right behind it, unless the words around say that it is a part, a rate or a comparison.
    """
    lowered = text.lower()
    if not any(c.isdigit() for c in text) and not re.search(rf"\b(?:{_SMALL})\b", lowered):
        return
    near = [figure for figure in known if figure.noun in lowered or figure.noun.rstrip("s") in lowered]
    for figure in near:
        same = [f for f in near if (f.noun, f.unit) == (figure.noun, figure.unit)]
        if figure is not same[0]:
            continue
        for value, said, per in _values(text, figure.noun, figure.unit):
            rates = any(_PER.search(f.claim.text) for f in same)
            if (rates or not per) and not any(f.agrees(value) for f in same) and not _is_part(value, same):
                yield Mention(min(same, key=lambda f: f.distance(value)), value, said)


def _is_part(value: float, same: list[Figure]) -> bool:
    return same[0].unit == "" and value < PART * max(f.low for f in same)


def _figures(claim: Claim) -> Iterator[Figure]:
    span = _range(claim.value or "")
    if span is None or claim.unit is None:
        return
    unit = _unit(claim.unit)
    if unit is None:
        return
    noun = claim.unit.lower() if unit == "" else _label(claim)
    if noun:
        yield Figure(claim, noun, unit, *span)


def _range(value: str) -> tuple[float, float] | None:
    found = re.fullmatch(r"(\d+(?:\.\d+)?)(?:-(\d+(?:\.\d+)?))?", value.strip())
    return (float(found[1]), float(found[2] or found[1])) if found else None


def _unit(unit: str) -> str | None:
    """Return the unit that a number must carry: a currency, %, a length of time, or empty for things counted."""
    if _CODE.fullmatch(unit) or unit == "%":
        return unit
    last = unit.lower().split()[-1].rstrip("s")
    if last in _TIME:
        return _TIME[last]
    if unit.lower() in _STANDARD or not re.fullmatch(r"[^\W\d_]{4,}(?: [^\W\d_]+){0,2}", unit):
        return None
    return ""


def _label(claim: Claim) -> str | None:
    """Return what a claim of money, time or share is about: the one to four words before its colon."""
    if claim.id in _NAMED:
        return _NAMED[claim.id]
    label, colon, _ = claim.text.partition(":")
    words = label.lower().split()
    plain = all(re.fullmatch(r"[^\W\d_][\w'’-]*", word) for word in words)
    named = colon and 1 <= len(words) <= 4 and plain and words[-1] not in _VAGUE
    return " ".join(words) if named else None


def _values(text: str, noun: str, unit: str) -> Iterator[tuple[float, str, bool]]:
    """Yield the values that *text* gives for *noun*, the words that do, and whether it is a rate: so much a month."""
    if unit == "":
        for hit in _counts(noun).finditer(text):
            if not _PART.search(text[: hit.start()]) and not _RATE.match(text, hit.end()):
                yield _value(hit[1]), hit[0], False
        return
    for pattern in _measures(noun, unit):
        for hit in pattern.finditer(text):
            if not _SHARE_OF.search(text[: hit.start()]):
                per = bool(_PER.match(text, hit.end()))
                yield _value(hit["n"], hit["scale"] or "", money=bool(_CODE.fullmatch(unit))), hit[0], per


@lru_cache(maxsize=512)
def _counts(noun: str) -> re.Pattern[str]:
    *first, last = noun.split()
    start = " ".join(map(re.escape, first)) + (" " if first else "")
    # "two hospital departments" counts departments: only "two hospitals" and "a two-hospital trust" count hospitals
    return re.compile(
        rf"(?<![\w.,/€$£-])({_NUMBER})(?: {start}{re.escape(last)}|-{start}{re.escape(last.rstrip('s'))})\b", re.I
    )


@lru_cache(maxsize=512)
def _measures(noun: str, unit: str) -> tuple[re.Pattern[str], ...]:
    marks = "|".join(re.escape(m) for m, code in _SYMBOLS.items() if code == unit)
    if _CODE.fullmatch(unit):
        signs = "|".join(filter(None, (unit, marks)))
        amount = rf"(?:{signs}) ?(?P<n>{_NUMBER})(?P<scale>{_SCALE})"
    else:
        word = r" ?(?:%|percent\b)" if unit == "%" else rf"[ -](?:working |calendar )?{unit.rstrip('s')}s?\b"
        amount = rf"(?P<n>{_NUMBER})(?P<scale>){word}"
    name = re.escape(noun)
    # what a percentage is "of" is its base, and bases are shared by many measures
    link = "" if unit == "%" else "(?:of |for |from )?(?:the )?"
    return (
        re.compile(rf"\b{name}s?\b{_BETWEEN}{{1,{MOST_BETWEEN}}}?{amount}", re.I),
        re.compile(rf"{amount} {link}{name}\b", re.I),
    )


def _value(text: str, scale: str = "", *, money: bool = False) -> float:
    return float(value_of(text, money=money)) * _SCALES.get(scale.strip().lower(), 1.0)
