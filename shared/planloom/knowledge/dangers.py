"""Find what the prompt itself makes dangerous: approvals to wait for, limits, closed seasons, vetoes, targets, bans."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from planloom.domain.facts import Facts, Money, Quantity, Spanned
from planloom.facts.quoting import quotable
from planloom.knowledge.brief import BRIEFS
from planloom.knowledge.parties import bare, last_party, leading

DangerKind = Literal["approval", "veto", "law", "window", "cap", "obligation", "target", "ban"]


#: Who decides on a thing, where the prompt does not say: by what it is.
_GIVERS = (
    ("loan|credit|mortgage", "the lender"),
    ("grant|fund|subsid", "the funder"),
    ("permit|licen|permission|approval|certificate", "the authority"),
    ("lease|rent", "the landlord"),
)


@dataclass(frozen=True)
class Danger:
    """One danger: ``said`` is the sentence or clause of the prompt that brings it.

    ``thing`` is what it is about in the prompt's words (a loan, a rent, a share of apprentices), ``party`` who decides
    it, ``gate`` what waits for it ("the lease is signed"); empty where the prompt does not say. ``money`` and
    ``quantity`` carry the figure of a cap or target.
    """

    kind: DangerKind
    said: Spanned
    thing: str
    party: str = ""
    gate: str = ""
    money: Money | None = None
    quantity: Quantity | None = None

    @property
    def who(self) -> str:
        """Who decides on it: the party, else by what it is, else ``somebody outside the project``."""
        if self.party:
            return f"the {self.party}"
        found = (who for words, who in _GIVERS if re.search(words, self.thing, re.IGNORECASE))
        return next(found, "somebody outside the project")

    @property
    def repeated(self) -> bool:
        """True where the prompt asks for it every time, as with the sign-off of each release."""
        return (
            re.search(rf"\b(?:each|every|any|all)\s+{re.escape(self.thing)}", self.said.text, re.IGNORECASE) is not None
        )


_APPROVED = r"approved|granted|licensed|certified|authori[sz]ed|signed off|cleared|accredited|issued|agreed"
# tried at the start of each clause only: from every letter on, a text without commas would take its length squared
_CLAUSE = r"(?<![^,;:().])"
_PASSIVE = re.compile(
    rf"{_CLAUSE}(?P<thing>[^,;:()]*?)\s+(?:(?:that |which )?(?:must|has to|have to|needs? to|should|shall|will"
    rf"|can only)\s+(?:first\s+)?(?:be\s+)?(?:{_APPROVED})|(?:is\s+|are\s+)?(?:{_APPROVED})(?=\s+by\b)"
    r"|(?:is|are)\s+decided(?=\s+by\s+the\b))"
    r"(?P<rest>[^.;]*)",
    re.IGNORECASE,
)
_ACTIVE = re.compile(
    rf"{_CLAUSE}(?P<party>[^,;:()]*?)\s+(?:(?:must|has to|have to|needs? to|should|shall|will)\s+(?:first\s+)?"
    r"(?:issue|approve|grant|certify|authori[sz]e|license|clear|consent to|agree to)|approves|certifies|authori[sz]es"
    r"|signs? off)\s+(?:on\s+)?(?P<thing>[^,;]+)",
    re.IGNORECASE,
)
_NEEDED = re.compile(
    r"\b(?:needs?|requires?|subject to|depends? on|pending)\s+(?:an?\s+|the\s+)?"
    r"(?P<thing>(?:[\w-]+\s+){0,4}(?:permits?|permissions?|licen[cs]es?|approval|consent|certificates?|accreditation"
    r"|clearance|authori[sz]ation))\b(?P<rest>[^.;]*)",
    re.IGNORECASE,
)
_VETO = re.compile(
    r"\b(?:can|may|could)\s+(?:stop|veto|refuse|block|halt|suspend|cancel|object)|\bhas a veto|\bhave a veto"
    r"|\basked that\b|\bobjects? to\b|\bopposes?\b|\bmust agree\b|\bmust consent\b",
    re.IGNORECASE,
)
_LAW = re.compile(
    r"\b(?:compl(?:y|ies|iance) with|in line with|under|subject to|meets?|follows?|according to|certified to)\s+"
    r"(?:the\s+)?(?P<thing>[A-Z][\w-]*(?:\s+(?:of|on|and|for|[A-Z0-9][\w-]*))*\s*(?:Act|Law|Code|Directive|Regulation"
    r"|Ordinance|Standard|Convention|Rules|GDPR|HIPAA|\d{3,})|GDPR|HIPAA|ISO\s?\d+)"
)
_SUCCESS = re.compile(r"\bsuccess(?:ful)?\b|\bsucceed|\bbreak-?even\b|\bmust be recorded\b|\btarget\b", re.IGNORECASE)
_BEFORE = re.compile(r"\bbefore\s+(?P<gate>[^,.;]+)", re.IGNORECASE)
_BY = re.compile(r"\bby\s+(?P<party>[^,.;]+?)(?=\s+(?:before|in|on|at|within|no later)\b|[,.;]|$)", re.IGNORECASE)


@lru_cache(maxsize=BRIEFS)
def dangers(facts: Facts) -> tuple[Danger, ...]:
    """Return the dangers of *facts*, each clause once, the ones that can stop the work first."""
    said = quotable(facts, facts.sentences)
    found = [
        *_each(said, _approval),
        *_each(said, _veto),
        *_each(said, _law),
        *_windows(facts),
        *_caps(facts),
        *_targets(facts),
        *_obligations(facts),
        *_bans(facts),
    ]
    return tuple(_once(found))


@lru_cache(maxsize=BRIEFS)
def success_sentences(facts: Facts) -> tuple[Spanned, ...]:
    """Return the sentences of the prompt that say when it counts as a success."""
    return tuple(s for s in quotable(facts, facts.sentences) if _SUCCESS.search(s.text))


def sentence_of(facts: Facts, span: Spanned) -> Spanned:
    """Return the sentence in which *span* stands, or *span* itself."""
    return next((s for s in facts.sentences if s.start <= span.start < s.end), span)


def _each(said: Iterable[Spanned], find: "object") -> Iterator[Danger]:
    for sentence in said:
        yield from find(sentence)  # type: ignore[operator]


def _approval(said: Spanned) -> Iterator[Danger]:
    for match in _NEEDED.finditer(said.text):
        rest = match["rest"]
        yield Danger("approval", said, _clean(match["thing"]), last_party(rest) or "", _gate(rest))
    for match in _PASSIVE.finditer(said.text):
        by = _BY.search(match["rest"])
        thing = bare(re.sub(r"\s+(?:that|which|who)$", "", match["thing"]))
        if thing and thing.lower() not in {"budget", "it", "they", "this"}:
            yield Danger("approval", said, thing, bare(by["party"]) if by else "", _gate(match["rest"]))
    for match in _ACTIVE.finditer(said.text):
        party = last_party(match["party"])
        if party:
            yield Danger("approval", said, leading(match["thing"]), party, _gate(match["thing"]))


def _veto(said: Spanned) -> Iterator[Danger]:
    match = _VETO.search(said.text)
    party = last_party(said.text[: match.start()]) if match else None
    if match and party:
        yield Danger("veto", said, _clean(said.text[match.end() :]), party)


def _law(said: Spanned) -> Iterator[Danger]:
    for match in _LAW.finditer(said.text):
        yield Danger("law", said, match["thing"].strip())


def _windows(facts: Facts) -> Iterator[Danger]:
    for closure in facts.closures:
        yield Danger("window", sentence_of(facts, closure), closure.text)


def _caps(facts: Facts) -> Iterator[Danger]:
    for money in facts.money:
        said = sentence_of(facts, money)
        # "decisions above 5,000 need two signatures" limits who decides, not what is spent
        if money.role == "cap" and not re.search(
            r"\b(?:above|over|exceeding)\b", said.text[: money.start - said.start]
        ):
            yield Danger("cap", said, money.noun, money=money)


def _targets(facts: Facts) -> Iterator[Danger]:
    success = success_sentences(facts)
    for quantity in facts.quantities:
        inside = any(s.start <= quantity.start < s.end for s in success)
        if inside or quantity.bound in ("at_least", "at_most"):
            yield Danger("target", sentence_of(facts, quantity), quantity.noun, quantity=quantity)


def _obligations(facts: Facts) -> Iterator[Danger]:
    success = success_sentences(facts)
    for demand in facts.demands:
        counted = any(s.start <= demand.start < s.end for s in success)
        # a date, a measure of success and a limit on who decides are dangers of other kinds
        framed = any(d.role in ("start", "deadline") and demand.start <= d.start < demand.end for d in facts.days)
        decides = re.search(r"\b(?:decisions?|changes) above\b", demand.text, re.IGNORECASE)
        if demand.strength == "must" and not (counted or framed or decides):
            yield Danger("obligation", demand, demand.subject, last_party(demand.text) or "")


def _bans(facts: Facts) -> Iterator[Danger]:
    for ban in facts.bans:
        if ban.kind == "approach":
            yield Danger("ban", ban, ban.what)


def _gate(text: str) -> str:
    match = _BEFORE.search(text)
    return _clean(match["gate"]) if match else ""


def _clean(text: str) -> str:
    return " ".join(text.split()).strip(" ,.;:")


def _once(found: Iterable[Danger]) -> Iterator[Danger]:
    """Keep the first danger of each clause; a sentence may bring several if they are of different things."""
    seen: list[tuple[int, int, str]] = []
    for danger in found:
        where = danger.quantity or danger.money or danger.said
        thing = danger.thing.lower()
        inside = [s for s in seen if s[0] <= where.start < s[1] or where.start <= s[0] < where.end]
        if any(danger.kind == "obligation" or s[2] == thing for s in inside):
            continue
        seen.append((where.start, where.end, thing))
        yield danger
