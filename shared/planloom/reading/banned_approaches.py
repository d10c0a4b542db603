"""Find approaches that a prompt rules out, and name each as a noun phrase: "will not build X" -> "building X"."""

import re
from collections.abc import Iterator

from planloom.domain.facts import Spanned
from planloom.reading.clauses import clauses_of
from planloom.reading.page import Page
from planloom.reading.tables.verbs import base_of_participle, gerund
from planloom.reading.wording import any_of

_NOT = any_of("""
    will_not won't shall_not must_not may_not never do_not don't does_not cannot can't should_not
""")
#: "we do not want franchise agreements".
_REFUSE = re.compile(
    rf"\b{_NOT}\s(?:want|accept|allow|permit|support|tolerate|like|need)\s(?:to\s(?P<verb>[a-z]+)\s)?(?P<what>.+)",
    re.IGNORECASE | re.DOTALL,
)
#: "we will not build our own map tiles", "data may not leave the country".
_WILL_NOT = re.compile(
    rf"\b(?:(?:we|i|they|it|plan|project|team)\s)?{_NOT}\s(?:ever\s)?(?P<verb>[a-z]+)(?P<what>\s.+|$)",
    re.IGNORECASE | re.DOTALL,
)
#: "the façade cannot be changed".
_PASSIVE = re.compile(
    r"(?:^|\b)(?P<what>[^,;:]{2,60}?)\s(?:must|may|can|will|should|shall)\s?not\sbe\s(?P<verb>[a-z]+)(?P<rest>[^,;]*)",
    re.IGNORECASE,
)
#: "no pile driving is allowed"; "no more than" is a limit.
_NO = re.compile(
    r"(?:^|,\s|:\s|\b(?:and|but|that|with|is|are|use|want)\s)no\s"
    r"(?P<what>(?!(?:more|less|fewer|later|longer|matter|one|need|doubt|wait|idea)\b)[^,;.:]+)",
    re.IGNORECASE,
)
#: "no child may be turned away" is a demand.
_NO_ONE = re.compile(r"\s(?:may|can|must|should|shall)\sbe\s\w+\s\w+|^\w+\s(?:may|can)\s(?!be\b)")
_WITHOUT = re.compile(r"\bwithout\s(?P<what>[a-z]+ing\s[^,;.:]+)", re.IGNORECASE)
_WITHOUT_ANY = re.compile(r"\bwithout\s(?P<what>[^,;.:]+)", re.IGNORECASE)
_AVOID = re.compile(
    r"^(?:please\s)?(?:avoid|exclude|rule\sout|refrain\sfrom|stay\saway\sfrom)\s(?P<what>[^;:]+)", re.IGNORECASE
)
_FORBIDS = re.compile(r"\b(?:forbids?|prohibits?|excludes?|rules\sout|bans)\s(?P<what>[^;:]+)", re.IGNORECASE)
_BANNED = re.compile(
    r"(?P<what>[^,;:]{3,60}?)\s(?:is|are)\s"
    + any_of("""
    banned forbidden prohibited off_limits ruled_out out_of_scope not_(?:allowed|permitted|acceptable|an_option)
"""),
    re.IGNORECASE,
)
_STATES = """
exceed be have cost take go fall drop last know include contain say mention print write surpass assume pick forget
require need depend want accept allow permit support tolerate like see only get invent prove find afford explain tell
care
"""
#: What is no approach: limits and states are demands, wording is read elsewhere.
_NO_ACT = frozenset(_STATES.split())
_VERDICT = re.compile(
    r"\s(?:(?:is|are|be)\s(?:allowed|permitted|accepted|acceptable|possible|used|done|built|made)"
    r"|may\sbe\s\w+|takes?\splace|should\s\w+|must\s\w+)\b",
    re.IGNORECASE,
)
#: Longer than this, "or" joins clauses.
_LONGEST_LIST = 120
_OR = re.compile(r",?\s(?:or|nor)\s")
_LEAD = re.compile(r"^(?:(?:a|an|the|any|our|more|new)\s)+", re.IGNORECASE)


def find_approaches(page: Page, objective: Spanned) -> Iterator[tuple[int, int, str]]:
    """Yield start, end and name of each approach that is ruled out, in order."""
    for sentence in page.sentences:
        for start, end in clauses_of(page, sentence):
            yield from _in_clause(page, start, end, aimed_at=sentence == objective)


def _in_clause(page: Page, start: int, end: int, *, aimed_at: bool) -> Iterator[tuple[int, int, str]]:
    text = page.text[start:end].rstrip(" .!")
    for name in _names(text, aimed_at=aimed_at):
        yield start, start + len(text), name


def _names(text: str, *, aimed_at: bool) -> list[str]:
    """Return the approaches that one clause rules out, by the first form that fits."""
    if found := _REFUSE.search(text):
        verb = f"{gerund(found['verb'].lower())} " if found["verb"] else ""
        return [verb + piece for piece in _pieces(found["what"])]
    if found := _PASSIVE.search(text):
        return _passive(found)
    if found := _BANNED.search(text):
        return _pieces(_small(re.sub(r"^no\s", "", found["what"].strip(), flags=re.IGNORECASE)))
    if (found := _WILL_NOT.search(text)) and found["verb"].lower() not in _NO_ACT:
        return _acts(text, found)
    if (found := _NO.search(text)) and not _NO_ONE.search(found["what"]):
        return _pieces(_VERDICT.sub("", found["what"]))
    without = _WITHOUT_ANY.search(text) if aimed_at else _WITHOUT.search(text)
    found = without or _AVOID.search(text) or _FORBIDS.search(text)
    return _pieces(found["what"]) if found else []


def _acts(text: str, found: re.Match[str]) -> list[str]:
    verb, what = found["verb"].lower(), found["what"].strip()
    subject = re.sub(r"^(?:and|but|so)\s", "", text[: found.start()].strip(), flags=re.IGNORECASE)
    subject = _small(subject)
    name = f"{gerund(verb)} {what}".strip()
    if verb in {"use", "using"}:
        return _pieces(what)
    # "data may not leave the country": whose act it is belongs to the ban, unless it is ours.
    ours = not subject or subject.lower() in {"we", "i", "they", "the team", "the project", "the plan", "it"}
    return [name if ours else f"{_LEAD.sub('', subject)} {name}"]


def _passive(found: re.Match[str]) -> list[str]:
    verb = base_of_participle(found["verb"].lower())
    what = re.sub(r"^(?:so|and|but|no)\s", "", _small(found["what"].strip()), flags=re.IGNORECASE)
    return [f"{gerund(verb)} {what}{found['rest']}".strip()] if verb and verb not in _NO_ACT else []


def _small(opening: str) -> str:
    """Return the opening of a sentence without its capital, unless the capital belongs to a name."""
    return opening[:1].lower() + opening[1:] if opening[1:2].islower() or opening[1:2] == " " else opening


def _pieces(what: str) -> list[str]:
    """Return the things of "franchise agreements or single-use plastic", each without its article.

    Within "measures that deny food, water or shelter" the things are objects of the clause, and it stays whole.
    """
    whole = len(what) > _LONGEST_LIST or re.search(r"\b(?:that|which|who)\b", what)
    pieces = [what] if whole else _OR.split(what.strip(" .!\"'"))
    named = (_LEAD.sub("", " ".join(piece.split())).strip(" ,.\"'") for piece in pieces)
    return [piece for piece in named if len(piece) > 2]
