"""Sentences that state a claim's subject with another value: the same noun phrase, unit, base and role."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from planloom.domain.claims import Claim
from planloom.quality.passages import sentences_of

#: Values that differ by less of the larger one are the same, rounded.
ROUNDING = 0.02

_DIGIT = re.compile(r"\d")
_ISO_4217 = re.compile(r"[A-Z]{3}")
_SIGNS = {"EUR": "€|euros?", "USD": r"US\$|\$|dollars", "GBP": "£|pounds"}
_SCALES = {"k": 1e3, "thousand": 1e3, "m": 1e6, "million": 1e6, "millionen": 1e6, "bn": 1e9, "billion": 1e9}
_NUMBER = r"\d{1,3}(?:[,. '\u202f]\d{3})+(?:[.,]\d{1,2})?|\d+(?:[.,]\d+)?"
_VALUE = rf"(?P<n>{_NUMBER})(?: ?(?P<scale>{'|'.join(sorted(_SCALES, key=len, reverse=True))})\b)?"
_GOAL_NUMBER = re.compile(_VALUE, re.I)
_THOUSANDS = re.compile(r"[,. '\u202f](?=\d{3}(?!\d))")
_STATES = r"(?: ?:| (?:is|are|comes? to|amounts? to|stays at|beträgt|betragen))(?: exactly| at most)?"
#: What follows belongs to no longer noun phrase or rate.
_ENDS = r"(?=\s*(?:[,.;)](?!\d)|$|in (?:total|all)\b))"
#: A part, a comparison, another time or another case than the one that is settled.
_ASIDE = re.compile(
    r"\b(?:if|would|could|might|unless|instead|without|excluding|option|scenario|variant|half|per|each|every|first|"
    r"second|third|phase|stage|wave|pilot|until|before|after|was|were|had|other|another|than|"
    r"(?:by|from) (?=\d|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))\b|[=+×]",
    re.I,
)
_BASELINE = re.compile(r"\b(?:today|now|currently|so far|at present|heute|derzeit)\b", re.I)
_TARGET = re.compile(r"\b(?:target|goal|aim|aims|must|should|reach|reaches|Ziel|soll)\b", re.I)
_ARTICLES = re.compile(r"^(?:the|a|an|our|its|their|der|die|das)\s+", re.I)


@dataclass(frozen=True)
class Contradiction:
    """*quote* of a text gives *claim*'s subject another value."""

    claim: Claim
    quote: str

    @property
    def message(self) -> str:
        """Return what disagrees with what, both in words."""
        return f"“{self.quote}” disagrees with {self.claim.id}: {self.claim.text}"


class Settled:
    """The figures that a plan's claims settle, beside those of its goal: prepared once, compared with many texts."""

    def __init__(self, claims: Iterable[Claim], goal: str) -> None:
        self._known = [claim for claim in claims if claim.subject and _number(claim)]
        in_goal = {_value(hit) for hit in _GOAL_NUMBER.finditer(goal)}
        self._values = {
            unit: in_goal | {_number(claim) for claim in self._known if claim.unit == unit}
            for unit in {claim.unit for claim in self._known}
        }

    def contradictions(self, text: str) -> Iterator[Contradiction]:
        """Yield the statements of *text* that no claim of their subject agrees to.

        A value that stands in the goal or in any claim of the same unit contradicts nothing: it is a part, a target, a
        baseline or a comparison. A sentence that speaks of a part, of another time or of another case is passed over.
        """
        for sentence in sentences_of(text) if self._known else ():
            if not _DIGIT.search(sentence) or _ASIDE.search(sentence):
                continue
            for claim in self._known:
                if _fits_role(claim, sentence):
                    for hit in _pattern(claim.subject, claim.unit or "").finditer(sentence):
                        if not any(_same(_value(hit), value) for value in self._values[claim.unit]):
                            yield Contradiction(claim, hit[0].strip())


def _number(claim: Claim) -> float:
    """Return the value of *claim*, 0 where it is no single number or the value of a rate."""
    single = re.fullmatch(r"\d+(?:\.\d+)?", claim.value or "")
    return float(single[0]) if single and (claim.unit == "%" or not claim.base) else 0.0


def _fits_role(claim: Claim, sentence: str) -> bool:
    if claim.role == "baseline":
        return bool(_BASELINE.search(sentence))
    return not _BASELINE.search(sentence) and (claim.role != "target" or bool(_TARGET.search(sentence)))


@lru_cache(maxsize=512)
def _pattern(subject: str, unit: str) -> re.Pattern[str]:
    """Return the pattern of a statement: the whole subject and nothing more, its value, and the end of the phrase."""
    words = _ARTICLES.sub("", subject).split()
    phrase = " ".join(re.escape(word.removesuffix("s")) + "s?" for word in words)
    if _ISO_4217.fullmatch(unit):
        signs = "|".join(filter(None, (unit, _SIGNS.get(unit))))
        value = rf"(?:(?:{signs}) ?{_VALUE}|{_VALUE.replace('<n>', '<m>').replace('<scale>', '<by>')} ?(?:{signs})\b)"
    elif unit == "%":
        value = rf"{_VALUE} ?(?:%|percent\b|Prozent\b)"
    else:
        return re.compile(
            rf"\b(?:all|alle) {_VALUE} {phrase}\b(?! (?:in|of|at|with|who|that|which|from|on|under)\b)", re.I
        )
    start = r"(?:^|[;:(] ?)(?:(?:the|our|its|die|das|der) )?(?:(?:total|whole|overall) )?"
    return re.compile(rf"{start}{phrase}{_STATES} {value}{_ENDS}", re.I)


def _value(hit: re.Match[str]) -> float:
    found = hit.groupdict()
    digits, scale = found["n"] or found["m"], found["scale"] or found.get("by") or ""
    number = _THOUSANDS.sub("", digits).replace(",", ".")
    return float(number) * _SCALES.get(scale.lower(), 1.0)


def _same(one: float, other: float) -> bool:
    return abs(one - other) <= ROUNDING * max(one, other)
