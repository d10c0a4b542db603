"""Numbers written in words, put together from their parts: two hundred thousand, zweihundertfünfzigtausend."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from planloom.planes.strategic.facts import numbers_table as table
from planloom.planes.strategic.facts.spans import fold


class _Part(NamedTuple):
    start: int
    end: int
    word: str
    value: float
    multiplies: bool


class _Lexicon(NamedTuple):
    sequence: re.Pattern[str]
    part: re.Pattern[str]
    values: dict[str, float]
    scales: dict[str, float]
    #: Multipliers that are a number alone: mille, tausend; in English none is.
    alone: frozenset[str]


Word = tuple[int, int, float, float]
_POINT = re.compile(rf"[ -](?:{table.POINT})[ -]", re.IGNORECASE)


def find_words(text: str, language: str) -> Iterator[Word]:
    """Yield start, end, base and scale of the numbers in words of *text*, which is plain."""
    before: Word | None = None
    decimals = ""
    for each in _whole(text, language):
        start, end, base, scale = each
        if before and before[3] == 1 and _are_decimals(text[before[1] : start], base, decimals):
            decimals += f"{base:.0f}"
            before = (before[0], end, float(f"{before[2] // 1:.0f}.{decimals}"), scale)
            continue
        if before:
            yield before
        before, decimals = each, ""
    if before:
        yield before


def _are_decimals(between: str, base: float, decimals: str) -> bool:
    """Return whether *base* continues the *decimals* of the number before it: three point one four."""
    if base != int(base):
        return False
    return between in (" ", "-") and base < 10 if decimals else base < 100 and _POINT.fullmatch(between) is not None


def _whole(text: str, language: str) -> Iterator[Word]:
    lexicon = _lexicon(language)
    if lexicon is None:
        return
    for found in lexicon.sequence.finditer(text):
        parts = [_part(part, lexicon, found.start("words")) for part in lexicon.part.finditer(found["words"])]
        article = found["article"]
        for sum_ in _sums(parts):
            first = sum_.parts[0]
            if first.multiplies and not (article and first is parts[0]) and not _alone(text, first, lexicon):
                continue
            start = found.start() if first is parts[0] else first.start
            if sum_.is_number:
                yield start, sum_.parts[-1].end, *sum_.value


def _part(found: re.Match[str], lexicon: _Lexicon, at: int) -> _Part:
    word = fold(found.group())
    multiplies = word in lexicon.scales
    value = lexicon.scales[word] if multiplies else lexicon.values.get(word, 0.0)
    return _Part(at + found.start(), at + found.end(), word, value, multiplies)


#: What makes one of a multiplier of English: the thousand steps, all hundred tickets, thousand-odd miles.
_DETERMINED = re.compile(r"(?<!\w)(?:the|all|these|those|its|our|my|their|your)\s\Z", re.IGNORECASE)
_ODD = re.compile(r"[- ]odd\b", re.IGNORECASE)


def _alone(text: str, part: _Part, lexicon: _Lexicon) -> bool:
    if _ODD.match(text, part.end) or _DETERMINED.search(text[max(0, part.start - 8) : part.start]):
        return True
    # behind digits it is their scale
    return part.word in lexicon.alone and not re.search(r"\d[ -]?\Z", text[max(0, part.start - 2) : part.start])


@dataclass(slots=True)
class _Sum:
    """A number that is being read: ``total`` of the parts that a thousand or more closed, ``part`` the sum since."""

    parts: list[_Part] = field(default_factory=list)
    total: float = 0.0
    part: float | None = None
    last: float = float("inf")

    def add(self, new: _Part) -> bool:
        """Add *new* and return True, or return False where no number continues so (``five six``)."""
        if new.multiplies and new.value >= 1000:
            if new.value >= self.last and self.part is not None:
                return False
            # mil millones: a thousand of them
            base = self.total if self.part is None and self.total else 0.0
            self.total += (base or (1.0 if self.part is None else self.part)) * new.value - base
            self.part, self.last = None, new.value
        elif new.multiplies:
            # viisi-kymmentä: of 205 only the five is multiplied
            units = 1.0 if self.part is None else self.part % new.value
            if not units:
                return False
            self.part = (self.part or units) - units + units * new.value
        elif new.value == 0.5 and self.part is None and self.total:
            # un million et demi
            self.total += self.last / 2
        elif self.part is None:
            self.part = new.value
        elif _continues(self.part, new, self.parts[-1]):
            self.part += new.value
        else:
            return False
        self.parts.append(new)
        return True

    @property
    def value(self) -> tuple[float, float]:
        """Base and scale: two million is 2 x 1e6, so that a range can share the scale."""
        if self.part is None and self.last < float("inf") and self.total:
            return self.total / self.last, self.last
        return self.total + (self.part or 0.0), 1.0

    @property
    def is_number(self) -> bool:
        """Whether it is more than an article or a half of something."""
        only = self.parts[0]
        return len(self.parts) > 1 or (only.word not in table.ARTICLES and (only.value >= 1 or only.value == 0))


def _sums(parts: list[_Part]) -> Iterator[_Sum]:
    sum_ = _Sum()
    for part in parts:
        if not sum_.add(part):
            yield sum_
            sum_ = _Sum()
            sum_.add(part)
    if sum_.parts:
        yield sum_


def _continues(part: float, new: _Part, before: _Part) -> bool:
    value = new.value
    if value < 1:
        return part < 100
    if value < 10:
        return part % 10 == 0 and part % 100 != 10 and part > 0
    if value < 20 and part % 100 in (60, 80):
        return True  # soixante-dix, quatre-vingt-dix
    # ein-und-zwanzig: units first, in one word
    reverse = 20 <= value < 100 and 0 < part % 100 < 10 and before.value < 10 and new.start - before.end in (2, 3)
    return (value < 100 and part % 100 == 0 and part > 0) or reverse


@cache
def _lexicon(language: str) -> _Lexicon | None:
    words = table.WORDS.get(language)
    if words is None:
        return None
    values: dict[str, float] = {}
    for first, step, line in ((1, 1, words.ones), (20, 10, words.tens)):
        for at, forms in enumerate(line.split()):
            values |= dict.fromkeys(set(forms.split("/")) - {"-"}, float(first + step * at))
    values |= {word: value for value, forms in _pairs(words.more) for word in forms}
    scales = {word: value for value, forms in _pairs(words.scales) for word in forms}
    alone = {fold(forms[0]) for value, forms in _pairs(words.scales) if value in (100, 1000)}
    part = "|".join(map(re.escape, sorted({*values, *scales}, key=len, reverse=True)))
    link = f"(?:{words.link.replace('/', '|') or '(?!)'})"
    # possessive: a long word made of such parts is looked at once
    word = rf"(?:{part})(?:{link}?(?:{part}))*+" if words.joined else rf"(?:{part})"
    head = "|".join(
        map(re.escape, sorted({*scales, *(w for w, v in values.items() if v == 0.5)}, key=len, reverse=True))
    )
    article = rf"(?P<article>(?:{table.ARTICLE})[ -](?=(?:{head})(?!\w)))?"
    half = r"(?:[ -]an?(?=[ -](?:million|billion|thousand|dozen)))?"
    sequence = rf"(?<!\w){article}(?P<words>{word}(?!\w)(?:{half}[ -](?:{link}[ -]?)?{word}(?!\w)){{0,9}})"
    return _Lexicon(
        re.compile(sequence, re.IGNORECASE),
        re.compile(part, re.IGNORECASE),
        {fold(word): value for word, value in values.items()},
        {fold(word): value for word, value in scales.items()},
        frozenset() if language == "en" else frozenset(alone),
    )


def _pairs(line: str) -> Iterator[tuple[float, list[str]]]:
    for item in line.split():
        value, _, forms = item.partition("=")
        yield float(value), forms.split("/")
