"""Noun phrases of a few words, cut by function words: what follows a number, what stands before a verb."""

import re

from planloom.reading.tables.number_words import SMALL

_FUNCTION = """
a about above across after against along although among an and any are around as at back be because been before being
below beneath beside between beyond both but by can cannot could did do does doing down during each either else every
except few for from had has have having he her here hers him his how i if in inside into is it its itself just least
less like many may me might more most much must my near need needs neither never no nobody none nor not nothing of off
on once one only onto or other our ours out outside over own per plus rather same shall she should since so some still
such than that the their theirs them then there these they this those through to too toward towards under unless until
up upon us very via was we were what when where whether which while who whom whose why will with within without would
yet you your yours all also already always another today tomorrow now there's it's we're they're
"""
_VERBS = """
supplies supply accept accepts add adds allow allows applies arrive arrives begin begins bring brings build builds buy
buys carry carries come comes coming complete continue create creates decide decides depend depends die dies ensure
exceed exceeds expect expects fall falls get gets give gives go goes going grow grows handle happen happens help helps
hold holds include includes including keep keeps know last lasts leave leaves let lets live lives lie lies make makes
mean means meet meets open opens operate operates owns pay pays prefer provide provides receive receives remain
remains replace represent require required requires say says see sees sell sells serve serves sit sits started survive
take takes taking tell tells used using wait win wins write writes become becomes believe rated built made done hired
paid bought sold located based spread featuring containing contain contains consists spent
"""
#: Articles, pronouns, prepositions, auxiliaries: words that are neither things nor acts.
FUNCTION_WORDS = frozenset(_FUNCTION.split())
STOP_WORDS = FUNCTION_WORDS | frozenset(_VERBS.split())
_PLURALS = """
people children men women staff personnel police cattle sheep fish deer aircraft spacecraft craft mice feet teeth
geese criteria phenomena data media alumni crew crews poultry livestock offspring species series
"""
#: Plurals that do not end in s.
PLURALS = frozenset(_PLURALS.split())
_NOT_PLURAL = re.compile(r"(?:ss|us|is|'s|ous|ness)$")
_WORD = re.compile(r"\s*([^\W\d_][\w'/&.-]*\w|[^\W\d_])")
_NUMBER = re.compile(r"\s*(?:\d+|two|three|four|five|six|seven|eight|nine|ten|twelve)\s+", re.IGNORECASE)
_LEAD = re.compile(
    r"\s*(?:(?:the|a|an|our|my|its|their|his|her|your|any|all|both|each|every|this|that|some|own)\s+)*", re.I
)


def is_plural(word: str) -> bool:
    """Return whether *word*, lower case, looks like an English plural noun."""
    word = word.rstrip("'")
    last = word.rsplit("-", 1)[-1]
    return last in PLURALS or (len(last) > 3 and last.endswith("s") and not _NOT_PLURAL.search(last))


def skip_determiners(text: str, at: int = 0) -> int:
    """Return where the words after articles and possessives begin in *text* from *at*."""
    found = _LEAD.match(text, at)
    return found.end() if found else at


def words_after(text: str, at: int, most: int) -> list[tuple[str, int]]:
    """Return up to *most* words of a noun phrase that begins at *at*, each with its end; function words end it."""
    found: list[tuple[str, int]] = []
    while len(found) < most:
        word = _WORD.match(text, at)
        if word is None or word.group(1).lower() in STOP_WORDS:
            break
        at = word.end()
        found.append((word.group(1), at))
    return found


def counted_after(text: str, at: int, most: int = 4) -> int:
    """Return the end of the plural noun phrase that begins at *at*, or *at* where there is none.

    ``180 paying customers a day``: ends after customers. Without a plural within *most* words: nothing.
    """
    for word, end in words_after(text, at, most):
        # "three owners' associations": whose they are is not what is counted.
        if is_plural(word.lower()) and text[end : end + 1] != "'":
            return end
    return at


def phrase_after(text: str, at: int, most: int = 4) -> str:
    """Return the noun phrase that begins at *at* after its articles; empty where a function word comes first."""
    at = skip_determiners(text, at)
    number = _NUMBER.match(text, at)
    words = words_after(text, number.end() if number else at, most)
    return " ".join(word for word, _ in words)


def phrase_before(text: str, most: int = 3) -> str:
    """Return the noun phrase that *text* ends in, without articles; empty where it ends in a function word."""
    words = re.findall(r"[^\W\d_][\w'/&-]*|[.,;:()]", text[-80:])
    kept: list[str] = []
    for word in reversed(words):
        if word.lower() in STOP_WORDS or not word[0].isalpha() or len(kept) == most:
            break
        if word.lower() in SMALL:
            break
        kept.insert(0, word)
    if kept and len(kept) > 1 and kept[-1].endswith("ed"):
        # "field locations blurred to 5 km"
        kept.pop()
    return " ".join(kept)
