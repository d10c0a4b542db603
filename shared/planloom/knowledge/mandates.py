"""Who decides what by the prompt's own words: bodies and how often they meet, limits, and who can stop work."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from planloom.domain.facts import Money, Spanned
from planloom.domain.wording import money_text
from planloom.facts.quoting import clip, quotable
from planloom.knowledge.brief import Brief
from planloom.knowledge.funds import decision_limits
from planloom.knowledge.parties import bare, parties

_CLAUSE = re.compile(r"[^;]+")
_BODY = re.compile(
    r"\b((?:[\w’'-]+\s+){0,3}?(?:(?:steering|advisory|working) (?:group|committee|board|call)|jury|board|committee"
    r"|assembly|panel|council|meetings?|calls?|demos?|review))\b(?!\s+(?:room|house|wall))",
    re.IGNORECASE,
)
_STOPS = re.compile(
    r"\b((?:[\w’'-]+\s+){0,3}?(?:officer|inspector|manager|doctor|engineer|council|authority|director|board))\s+"
    r"(?:who\s+)?(?:can|may)\s+(?:stop|veto|halt|suspend|refuse|block)\s+([^,.;]+)",
    re.IGNORECASE,
)
_SIGNS = re.compile(r"\b(?:both|all|two|three)\s+[\w’']+(?:\s+[\w’']+)?(?=\s+(?:signatures?|sign\b|must sign))", re.I)
_SIGN_OFF = re.compile(
    r"^(?P<who>.+?)\s+(?:own\b.*?\band\s+)?(?:signs? off|approves?|releases?)\s+(?:on\s+)?(?P<what>[^,.;]+)"
)
_GOES_TO = re.compile(r"\b(?:go(?:es)?|referred|taken|put)\s+to\s+(?:the\s+)?(?P<who>[^,.;]+)", re.IGNORECASE)
_DECIDES_ON = re.compile(r"^(?P<who>.+?)\s+(?:decides?|votes?|rules?)\s+on\b")
_CADENCE = re.compile(
    r"\b(daily|weekly|fortnightly|monthly|quarterly|yearly|annual(?:ly)?"
    r"|every (?:other )?(?:\w+ )?(?:day|week|month|quarter)s?|(?:once|twice) a (?:day|week|month|quarter|year)"
    r"|each (?:release|phase|gate|month|week))\b",
    re.IGNORECASE,
)
_RHYTHM = re.compile(r"^(?:daily|weekly|fortnightly|monthly|quarterly|yearly|annual)$")
_INSIDE = re.compile(r"\(([^)]+)\)")
_WITH = re.compile(
    r"\bwith\s+(?:the\s+|our\s+|its\s+)?([\w’' -]+?)(?=[,.;]|\s+(?:reviews?|decides?|who|that|which)\b|$)",
    re.IGNORECASE,
)
_SIZE = re.compile(r"\bof\s+(two|three|four|five|six|seven|eight|nine|ten|\d+)\b", re.IGNORECASE)
_LEADING = re.compile(
    r"^(?:a|an|the|our|its|and|with|by|every|each|weekly|monthly|quarterly|daily|at|in|of|to)\s+", re.IGNORECASE
)


@dataclass(frozen=True)
class Mandate:
    """A body or person that the prompt gives a say; empty strings where it does not tell.

    ``limit``: the amount from which it decides. ``stops``: what it can stop. ``kind``: how it came to its say.
    """

    kind: str
    title: str
    does: str
    members: str
    cadence: str
    limit: str
    stops: str
    said: Spanned


def mandates(brief: Brief) -> tuple[Mandate, ...]:
    """Return who decides by the prompt, in its order, each title once."""
    found: dict[str, Mandate] = {}
    limits = {limit.money.start: limit.money for limit in decision_limits(brief)}
    for sentence in quotable(brief.facts, brief.facts.sentences):
        for clause in _clauses(sentence):
            amount = next((m for start, m in limits.items() if clause.start <= start < clause.end), None)
            for mandate in _of(clause, amount):
                found.setdefault(mandate.title.lower(), mandate)
    return tuple(found.values())[:6]


def _clauses(sentence: Spanned) -> Iterator[Spanned]:
    for match in _CLAUSE.finditer(sentence.text):
        text = match[0].strip()
        start = sentence.start + match.start() + len(match[0]) - len(match[0].lstrip())
        yield Spanned(text=text, start=start, end=start + len(text))


def _of(clause: Spanned, amount: Money | None) -> Iterator[Mandate]:
    text = clause.text
    signers, goes = _SIGNS.search(text), _GOES_TO.search(text) or _DECIDES_ON.match(text)
    if amount and (signers or goes):
        who = signers[0] if signers else bare(goes["who"]) if goes else ""
        kind = "signature" if signers else "limit"
        yield _mandate(kind, who, text, clause, limit=f"above {money_text(amount)}")
        return
    stop = _STOPS.search(text)
    if stop:
        yield _mandate("stop", stop[1], _near(text, stop.start(), stop.end()), clause, stops=stop[2].strip())
    signed = _SIGN_OFF.match(text)
    for party in parties(signed["who"])[:1] if signed else ():
        yield _mandate("release", party, text, clause)
    for match in _BODY.finditer(text):
        if _CADENCE.search(text):
            yield _mandate("body", match[1], _near(text, match.start(), match.end()), clause)


def _near(text: str, start: int, end: int) -> str:
    """The piece between commas in which a body stands: a list names several with a rhythm each."""
    left = text.rfind(",", 0, start) + 1
    right = text.find(",", end)
    inside = text.rfind("(", 0, start) < text.find("(", end)
    return text if inside and text.count("(") else text[left : right if right > 0 else len(text)]


def _mandate(kind: str, who: str, text: str, said: Spanned, *, limit: str = "", stops: str = "") -> Mandate:
    inside, size, beside, cadence = (p.search(text) for p in (_INSIDE, _SIZE, _WITH, _CADENCE))
    members = inside[1] if inside else f"with the {beside[1].strip()}" if beside and kind == "body" else ""
    members = f"{size[1]}: {members}" if size and members else members
    title = who.strip()
    while _LEADING.match(title):
        title = _LEADING.sub("", title, count=1)
    title = title.rstrip("’'")
    if kind == "body" and cadence and _RHYTHM.match(cadence[1].lower()):
        title = f"{cadence[1]} {title}{f' {members}' if members.startswith('with') else ''}"
    title = title[:1].upper() + title[1:]
    return Mandate(
        kind=kind,
        title=clip(title, 120),
        does=clip(text.strip(" .,;"), 240),
        members=clip(members, 240),
        cadence=cadence[1].lower() if cadence else "",
        limit=limit,
        stops=clip(stops, 120),
        said=said,
    )
