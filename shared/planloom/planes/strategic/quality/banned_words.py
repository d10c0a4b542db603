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
        if _pattern(ban.what, facts.language).search(plain):
            yield ban


def _pattern(word: str, language: str) -> re.Pattern[str]:
    word = word.translate(_QUOTES).strip(" \"'“”„«».,")
    if _UNSPACED.search(word) or not word:
        # no space shows where a word of these scripts ends
        return re.compile(re.escape(word) or r"(?!)")
    vowel = language in _ROMANCE and " " not in word and word[-1] in "oa"
    stem = re.escape(word[:-1]) + "[oa]" if vowel else re.escape(word)
    return re.compile(rf"(?<!\w){stem}{_ENDINGS.get(language, 's?')}(?!\w)", re.I)
