"""What a goal rules out, where its form is unambiguous: an approach, or a word."""

import re
from collections.abc import Iterator
from functools import cache
from itertools import islice, pairwise

from planloom.planes.strategic.facts.fact import Ban
from planloom.planes.strategic.facts.rules_page import MOST_FACTS, UNSPACED, Page, pattern_of, words_of

_QUOTED = re.compile(r"\"([^\"\n]{1,40})\"|(?<!\w)'([^'\n]{2,40})'(?!\w)")
#: "the words robust and synergy", without quotes.
_BARE = re.compile(
    r"\b(?:words?|terms?|phrases?) (?!(?:of|to|in|from|that|for|and|is|are|on|with)\b)"
    r"(?P<list>[\w-]+(?:(?:, | or | and |, or |, and )[\w-]+)*)",
    re.IGNORECASE,
)
#: The words that follow these are ruled out, not these words.
_ANNOUNCED = re.compile(
    r"(?:and |but |so |now )?(?:some|a few|a couple of|several|these|those|\w+) things\b|the following\b", re.I
)
#: "Don't call it a journey".
_CALL = re.compile(
    r"\b(?:don't|do not|never) (?:\w+ ){0,2}?call (?:it|this|us|me|them|him|her) (?:an? |the )?"
    r"(?P<word>[^\W\d_][\w-]*)(?=[.,;!?]|\Z)",
    re.IGNORECASE,
)
#: Before a negation: it belongs to a subordinate clause, or announces what follows.
_UNDER = re.compile(
    r"\b(?:that|which|who|what|if|because|when|while|until|unless|whether|why|since|where|was|dass|weil|wenn|que|qui|parce|"
    r"porque|perché|che|dat|omdat|att|eftersom|at|fordi|że|bo|protože|що|бо|что|потому|ότι|γιατί|karena|yang)\s",
    re.IGNORECASE,
)
_LONGEST = 200


def read_bans(page: Page) -> tuple[Ban, ...]:
    """Return the bans in order; a sentence that bans words rules out nothing else."""
    return tuple(islice(_all(page), MOST_FACTS))


def _all(page: Page) -> Iterator[Ban]:
    for first, last in page.sentences:
        words = list(_words(page, first, last))
        yield from words
        bound = bool(words)
        for start, end in _pieces(page, first, last):
            taken = any(start <= w.start < end for w in words)
            ban = None if taken else _approach(page, start, end, opens=start == first, bound=bound)
            bound = bound or ban is not None
            if ban:
                yield ban


def _pieces(page: Page, first: int, last: int) -> Iterator[tuple[int, int]]:
    """Yield the clauses of a sentence, cut also before a word of a ban that follows "and" or "or"."""
    joint = _joint(page.language)
    for a, b in page.clauses(first, last):
        cuts = [a, *(m.start("ban") for m in joint.finditer(page.text, a, b)), b] if joint else [a, b]
        for start, end in pairwise(cuts):
            # the joining word belongs to neither
            body = page.text[start:end]
            tail = _tail(page.language).search(body)
            stop = start + tail.start() if tail and end != b else end
            begin = start + len(body) - len(body.lstrip())
            if begin < stop:
                yield begin, stop


_AND = {
    "en": "and|or|nor|but", "de": "und|oder|aber", "fr": "et|ou|mais", "es": "y|e|o|pero",
    "it": "e|o|ma", "pt": "e|ou|mas",
    "nl": "en|of|maar", "sv": "och|eller|men", "da": "og|eller|men", "nb": "og|eller|men", "pl": "i|oraz|lub|ale|a",
    "cs": "a|nebo|ale", "tr": "ve|veya|ama", "uk": "і|й|та|або|але", "ru": "и|или|но", "el": "και|ή|αλλά",
    "id": "dan|atau|tetapi",
}  # fmt: skip


@cache
def _tail(language: str) -> re.Pattern[str]:
    return re.compile(rf"[\s,]+(?:{_AND.get(language, '(?!)')})\s*\Z", re.IGNORECASE)


def _approach(page: Page, start: int, end: int, *, opens: bool, bound: bool) -> Ban | None:
    """Return the ban that a clause is. *opens*: it begins the sentence; *bound*: a ban comes before it."""
    never = page.find("never", start, end)
    if never and _ANNOUNCED.match(page.text, start, end):
        return None
    if never and not _limits(page, never.end(), end) and not _UNDER.search(page.text, start, never.start()):
        return _ban(page, start, end, page.text[start:end])
    order = _lead(page.language, "order")
    ordered = order.match(page.text, start, end) if order else None
    if ordered and not _limits(page, ordered.end() - 1, end):
        return _ban(page, start, end, page.text[start:end])
    lead = _lead(page.language, "ban")
    found = lead.match(page.text, start, end) if lead else None
    if found is None or _limits(page, found.end(), end) or not page.text[found.end() : end].strip():
        return None
    if page.has("fact", found.end(), end):
        return None
    wished = page.has("aim", *page.sentence(start))
    return _ban(page, start, end, page.text[found.end() : end]) if opens or bound or wished else None


def _limits(page: Page, start: int, end: int) -> bool:
    """Return whether what follows a negation bounds a number or a time, or is an idiom: no more than, no doubt."""
    found = page.find("limit", start, min(end, start + 60))
    return found is not None and (found.start() - start < 3 or any(c.isdigit() for c in page.text[start:end]))


def _ban(page: Page, start: int, end: int, what: str) -> Ban | None:
    span = page.span(start, min(end, start + _LONGEST))
    what = " ".join(what.split()).strip(" .,;:!")[:160]
    return Ban(**span, kind="approach", what=what) if what else None


def _words(page: Page, first: int, last: int) -> Iterator[Ban]:
    """Yield the words that a sentence bans: in quotes behind or before a negation and a word for writing."""
    quoted = list(_QUOTED.finditer(page.text, first, last))
    if quoted and page.has("word", first, last) and _negated(page, first, last):
        for found in quoted:
            if _negated(page, *_reach(page, found, first, last)):
                group = 1 if found[1] else 2
                span = page.span(*found.span(group))
                yield Ban(**span, kind="word", what=span["text"])
    elif page.language == "en":
        yield from _bare_words(page, first, last)


def _bare_words(page: Page, first: int, last: int) -> Iterator[Ban]:
    called = _CALL.search(page.text, first, last)
    if called:
        yield Ban(**page.span(*called.span("word")), kind="word", what=called["word"])
    bare = _BARE.search(page.text, first, last)
    if bare is None or not _negated(page, first, bare.start()):
        return
    for word in re.finditer(r"[\w-]+", bare["list"]):
        if word.group().lower() not in {"and", "or"}:
            at = bare.start("list") + word.start()
            yield Ban(**page.span(at, at + len(word.group())), kind="word", what=word.group())


def _reach(page: Page, found: re.Match[str], first: int, last: int) -> tuple[int, int]:
    """Return the part of the sentence that speaks of a quoted word: between semicolons."""
    start = page.text.rfind(";", first, found.start())
    end = page.text.find(";", found.end(), last)
    return (first if start < 0 else start + 1), (last if end < 0 else end)


def _negated(page: Page, start: int, end: int) -> bool:
    pattern = _negation(page.language)
    return pattern is not None and pattern.search(page.text, start, end) is not None


@cache
def _lead(language: str, cue: str) -> re.Pattern[str] | None:
    words = words_of(language, cue)
    polite = rf"(?:(?:{_AND.get(language, 'and')}|also|please|absolutely|auch|bitte|surtout|aussi)\s)?"
    return pattern_of(words, language, before=r"[\s\"]*" + polite, behind=r"\s+(?=\S)") if words else None


@cache
def _joint(language: str) -> re.Pattern[str] | None:
    """Return the pattern of a word of a ban behind "and": where one clause ends and a second ban begins."""
    words = words_of(language, "ban")
    if not words or language in UNSPACED:
        return None
    joints = _tail(language).pattern.removesuffix(r"\s*\Z")
    return re.compile(rf"{joints}\s+(?P<ban>(?:{pattern_of(words, language).pattern}))", re.IGNORECASE)


@cache
def _negation(language: str) -> re.Pattern[str] | None:
    rows = [words_of(language, cue) for cue in ("never", "ban")]
    own = _NOT.get(language, "")
    words = "|".join(w for w in (*rows, own) if w)
    return pattern_of(words, language) if words else None


_NOT = {
    "en": "not|don't|never|\\w+n't|avoid|banned|forbidden|without",
    "de": "nicht|nie|verboten|verzichten|niemand|kein*",
    "fr": "ne|n'\\w+|pas|jamais|évite*|interdit*",
    "es": "no|nunca|evita*|prohib*",
    "it": "non|mai|evita*|vietat*",
    "pt": "não|nunca|evita*|proibid*",
    "nl": "niet|nooit|vermijd*|verboden|geen",
    "sv": "inte|aldrig|undvik*",
    "da": "ikke|aldrig|undgå*",
    "nb": "ikke|aldri|unngå*",
    "pl": "nie|nigdy|unika*",
    "cs": "ne\\w+|nikdy",
    "tr": "\\w*m[ae]sin|\\w*m[ae]sın|\\w*meyin|\\w*mayın|denmesin",
    "uk": "не|ніколи",
    "ru": "не|никогда|нельзя",
    "el": "μη|μην|δεν|όχι",
    "id": "jangan|tidak|hindari",
}
