"""Numbers in a text, in digits or words: ``1,250.5``, ``1.250,5``, ``240 000``, ``1,50,000``, ``two hundred``."""

import re
from functools import cache

from planloom.reading.tables.number_words import FOREIGN, SCALES, SMALL

#: Digits with thousands set apart by comma, dot, apostrophe or space, or plain, with a decimal part.
DIGITS = (
    r"(?:\d{1,2}(?:,\d\d)+,\d{3}(?:\.\d+)?"
    r"|\d{1,3}(?:(?P<sep{n}>[.,'])\d{3})(?:(?P=sep{n})\d{3})*(?:[.,]\d{1,2})?(?!\d|[.,]\d)"
    # 3 100-bed wards are three wards: a space sets thousands apart only where no hyphen follows.
    r"|\d{1,3}(?: \d{3})+(?:[.,]\d{1,2})?(?!\d|-[^\W\d]|[.,]\d)"
    r"|\d+(?:[.,]\d+)?)"
)
_UNIT = "|".join(sorted(SMALL, key=len, reverse=True))
#: One number in English words; ``half a`` and ``a`` only before a scale word.
WORDS = (
    rf"(?:(?:{_UNIT})(?:[ -](?:{_UNIT}|hundred(?: and)?|thousand)){{0,6}}\b"
    r"|an?(?= (?:hundred|thousand|million|billion)\b)|half an?(?= (?:million|billion)\b)|an? dozen\b)"
)
_HALF = r"(?:[ -]and[ -]a[ -]half|½)"
_HALF_END = re.compile(_HALF + "$")
_COMMA_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+$")
_DOT_THOUSANDS = re.compile(r"\d{1,3}(?:\.\d{3})+$")
_WORD_SPLIT = re.compile(r"[ -]+")
#: Languages that write 1,5 for one and a half, and 1.500 for fifteen hundred.
COMMA_DECIMAL = frozenset(FOREIGN) | {"pl", "ru", "uk", "el"}


def digits(name: str) -> str:
    """Return the pattern of a number in digits; *name* keeps its inner group apart from others of one pattern."""
    return DIGITS.replace("{n}", name)


def number(name: str, language: str = "en") -> str:
    """Return the pattern of a number in digits or in the words of English and of *language*."""
    words = "|".join(sorted(FOREIGN.get(language, ()), key=len, reverse=True))
    return rf"(?:(?:{digits(name)}|(?i:{WORDS}{'|(?:' + words + ')' if words else ''})){_HALF}?)"


def value_of(text: str, language: str = "en", *, money: bool = False) -> float:
    """Return the value of *text*, which :func:`number` matched.

    ``1.250`` is 1.25 in English and 1250 where decimals are set apart by a comma; as *money* it is always 1250,
    since nobody counts thousandths of a euro.
    """
    whole = _HALF_END.sub("", text.lower())
    return _whole_value(whole, language, money=money) + (0.5 if len(whole) < len(text) else 0.0)


def _whole_value(text: str, language: str, *, money: bool) -> float:
    if not text[:1].isdigit():
        return _words_value(text, language)
    plain = text.replace("'", "").replace(" ", "")
    comma_decimal = language in COMMA_DECIMAL
    if plain.count(",") > 1 or ("," in plain and "." in plain and plain.rindex(".") > plain.rindex(",")):
        return float(plain.replace(",", ""))
    if plain.count(".") > 1 or ("," in plain and "." in plain):
        return float(plain.replace(".", "").replace(",", "."))
    if _COMMA_THOUSANDS.match(plain):
        return float(plain.replace(",", ""))
    if _DOT_THOUSANDS.match(plain) and (money or comma_decimal or plain.endswith(".000")) and plain[0] != "0":
        return float(plain.replace(".", ""))
    return float(plain.replace(",", "."))


def scale_of(word: str | None) -> float:
    """Return what the scale *word* multiplies by; 1 for none."""
    return SCALES[word.lower().rstrip(".")] if word else 1.0


def _words_value(text: str, language: str) -> float:
    foreign = FOREIGN.get(language, {})
    if text in foreign:
        return float(foreign[text])
    if text.startswith("half"):
        return 0.5
    if text.endswith("dozen"):
        return 12.0
    return _english_value(text)


@cache
def _english_value(text: str) -> float:
    total, part = 0.0, 0.0
    for word in _WORD_SPLIT.split(text):
        if word in SMALL:
            part += SMALL[word]
        elif word == "hundred":
            part = (part or 1) * 100
        elif word == "thousand":
            total, part = total + (part or 1) * 1000, 0.0
    return (total + part) or (0.0 if text == "zero" else 1.0)
