"""Find the words that a goal bans in a text: whole words, in the forms that their language gives them."""

import re
from collections.abc import Iterator

from planloom.planes.strategic.facts.fact import Ban, Facts

_UNSPACED = re.compile("[\u3040-\u30ff\u4e00-\u9fff\u0e00-\u0e7f]")
_ROMANCE = frozenset({"es", "fr", "it", "pt"})
#: Endings of the same word; "ly" and "t" make other words: likely, Bart.
_ENDINGS = {
    **dict.fromkeys(("de", "nl"), "(?:e[mnrs]?|s)?"),
    **dict.fromkeys(("da", "nb", "sv"), "(?:e[nrt]?|s|t)?"),
}
#: Languages in which every noun has a capital.
_CAPITAL_NOUNS = frozenset({"de", "lb"})
#: Within a sentence: behind a word in small letters; a name continues with a capital, or began with one there.
_WITHIN = re.compile(r"[^\W\d_A-ZÀ-Þ],? $")
_NAME_BEFORE = re.compile(r"[^\W\d_A-ZÀ-Þ],? (?:[A-ZÀ-Þ][\w-]* )+$")
_NAME_AFTER = re.compile(r" (?:(?:of|for|de|du|del|di|van) )?[A-ZÀ-Þ]")
_QUOTES = str.maketrans("’‘ʼ", "'''")


def banned_words(text: str, facts: Facts) -> Iterator[Ban]:
    """Yield the word bans of *facts* that *text* breaks; a banned word in a name that the goal uses breaks none."""
    bans = [ban for ban in facts.bans if ban.kind == "word"]
    if not bans:
        return
    plain = text.translate(_QUOTES)
    for name in (*(body.name for body in facts.organisations), *(place.name for place in facts.places)):
        if len(name.split()) > 1:
            plain = plain.replace(name.translate(_QUOTES), " ")
    for ban in bans:
        if any(
            not _in_name(plain, found, facts.language) for found in _pattern(ban.what, facts.language).finditer(plain)
        ):
            yield ban


def _in_name(text: str, found: re.Match[str], language: str) -> bool:
    """Return whether a word is part of a proper name: a capital within a sentence, beside another one."""
    start, end = found.span()
    if language in _CAPITAL_NOUNS or not text[start].isupper() or text.lstrip().startswith("#"):
        return False
    before = _NAME_BEFORE.search(text[:start])
    return bool(before or (_WITHIN.search(text[:start]) and _NAME_AFTER.match(text[end:])))


def _pattern(word: str, language: str) -> re.Pattern[str]:
    word = word.translate(_QUOTES).strip(" \"'“”„«».,")
    if _UNSPACED.search(word) or not word:
        # no space shows where a word of these scripts ends
        return re.compile(re.escape(word) or r"(?!)")
    vowel = language in _ROMANCE and " " not in word and word[-1] in "oa"
    stem = re.escape(word[:-1]) + "[oa]" if vowel else re.escape(word)
    return re.compile(rf"(?<!\w){stem}{_ENDINGS.get(language, 's?')}(?!\w)", re.I)
