"""The prompt's measures of success: each clause of it with what is counted, the value that passes, and the day."""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from functools import cache, lru_cache
from importlib.resources import files

from planloom.domain.facts import Quantity, Spanned
from planloom.domain.wording import day_text
from planloom.facts.english import ORDINALS, SMALL
from planloom.facts.quoting import clip, quotable
from planloom.knowledge.brief import BRIEFS, Brief
from planloom.knowledge.dangers import sentence_of, success_sentences
from planloom.knowledge.gates import gate_day, open_day

_LEAD = re.compile(
    r"^.*?\b(?:success(?:ful)?\s+(?:means|is|when|if|would be|criteria(?: are)?|looks like|for us is)"
    r"|(?:is|are|counts? as|will be)\s+(?:a\s+)?success(?:ful)?\s+(?:if|when|once)|succeeds?\s+(?:if|when|once)"
    r"|success(?:ful)?\s*:|we (?:will )?(?:call|count|consider) it .*?\b(?:if|when))\s*(?:that\s+)?",
    re.IGNORECASE,
)
_SPLIT = re.compile(r"\s*;\s*|,\s+(?:and\s+)?|\s+and\s+(?=(?:at least|at most|no more|fewer|less|more than)\b)", re.I)
_BOUND = (
    r"(?:at least|at most|no more than|not more than|no fewer than|no less than|fewer than|less than|more than|under"
    r"|over|below|above|up to|within|only|about)"
)
_NUMBER = rf"[+−-]?(?:[€$£¥]\s?)?(?:\d[\d.,]*\d|\d|{'|'.join(w for w in SMALL if w not in ('zero', 'one'))})\b"
_VALUE = re.compile(
    rf"(?:\b{_BOUND}\s+)?{_NUMBER}\s?(?:%|[a-zA-Zµ°/³²]+\b)?(?:\s+(?:a|per)\s+\w+)?", re.IGNORECASE
)  # fmt: skip
_THAT = re.compile(r"^(?:and\s+)?that\s+", re.IGNORECASE)
_DANGLING = re.compile(r"\s+(?:in|of|at|on|for|from|to|by|with|and|or)$", re.IGNORECASE)
_AFTER = re.compile(
    r"\b(?:by the end of|within|in|after|at the end of|for)\s+(?:the\s+|its\s+|our\s+)?"
    rf"(?:(?P<ordinal>{'|'.join(ORDINALS)})\s+(?P<one>month|year|quarter|season)"
    rf"|(?P<count>\d+|{'|'.join(SMALL)})\s+(?P<many>months?|years?|quarters?))\b",
    re.IGNORECASE,
)
_TO_BEAT = re.compile(
    r"\b(?:in |within )?(?:under|less than|at most) (?:\d[\d.:,]*|[a-z]+) (?:hours?|minutes?|seconds?)\b", re.IGNORECASE
)
_WISH = re.compile(r"^.*?\b(?:want|wants|plan|plans|aim|hope)s? to\s+", re.IGNORECASE)
_NONE = re.compile(
    r"\bno (?!more|less|fewer|longer|later)\w+\b(?: (?:at|above|below|in|within|over) [^,;]+)?", re.IGNORECASE
)
_MONTHS = {"month": 1, "quarter": 3, "season": 12, "year": 12}


@cache
def _measuring() -> dict[str, list[dict[str, str]]]:
    """The table of methods and worded thresholds beside this module."""
    return tomllib.loads((files(__package__) / "measuring.toml").read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Target:
    """One measure of success. ``when`` is the day of the measurement; ``dated`` says whether the prompt sets it."""

    text: str
    method: str
    threshold: str
    figured: bool
    when: date
    dated: bool
    role: str
    said: Spanned


@lru_cache(maxsize=BRIEFS)
def targets(brief: Brief) -> tuple[Target, ...]:
    """Return the measures of success: the clauses of the prompt's success sentences, then other figures it demands."""
    found = [*_from_objective(brief), *_with_the_first_dated(_from_success(brief)), *_from_bounds(brief)]
    return tuple({_key(t.text): t for t in reversed(found)}.values())[::-1]


def _with_the_first_dated(found: Iterator[Target]) -> Iterator[Target]:
    """Let a clause without a day be measured on the first day that the success sentences set."""
    listed = list(found)
    first = min((t.when for t in listed if t.dated), default=None)
    for target in listed:
        yield target if target.dated or first is None else replace(target, when=first)


def method_of(text: str) -> tuple[str, str]:
    """Return how what *text* speaks of is counted, and the id of the role that counts it."""
    for row in _measuring()["methods"]:
        if re.search(rf"\b(?:{row['words']})", text, re.IGNORECASE):
            return row["method"], row["role"]
    return "record agreed before the start: who counts what, from which list, and how often", "quality"


def _from_success(brief: Brief) -> Iterator[Target]:
    for sentence in success_sentences(brief.facts):
        led = _LEAD.match(sentence.text)
        body = sentence.text[led.end() if led else 0 :].rstrip(". !")
        clauses = [c.strip() for c in _SPLIT.split(body)] if led or sentence.text.count(",") > 1 else [body]
        for clause in _whole([_THAT.sub("", clause) for clause in clauses]):
            yield _target(brief, clause, sentence)


def _from_objective(brief: Brief) -> Iterator[Target]:
    """A time to beat that the objective names: a race in under 4 hours."""
    objective = brief.facts.objective
    found = _TO_BEAT.search(objective.text)
    if found and quotable(brief.facts, [objective]):
        clause = _WISH.sub("", objective.text[: found.end()].rpartition(", ")[2])
        yield replace(_target(brief, clause, objective), threshold=found[0])


def _from_bounds(brief: Brief) -> Iterator[Target]:
    """Figures with a bound that stand outside the success sentences: shares, limits of size or time."""
    inside = [(s.start, s.end) for s in success_sentences(brief.facts)]
    for quantity in brief.facts.quantities:
        covered = any(a <= quantity.start < b for a, b in inside)
        sentence = sentence_of(brief.facts, quantity)
        if quantity.bound in ("at_least", "at_most") and not covered and quotable(brief.facts, [sentence]):
            yield _target(brief, _clause_of(sentence, quantity), sentence)


def _clause_of(sentence: Spanned, quantity: Quantity) -> str:
    """The part of *sentence* between commas in which *quantity* stands."""
    at = quantity.start - sentence.start
    start = max(sentence.text.rfind(mark, 0, at) for mark in (", ", "; ", ": ")) + 1
    ends = [e for mark in (", ", "; ") if (e := sentence.text.find(mark, at)) > 0]
    clause = sentence.text[start : min(ends, default=len(sentence.text))]
    return re.sub(r"^\s*(?:and|but|or|then)\s+", "", clause.strip(" ,;.:"))


def _target(brief: Brief, clause: str, said: Spanned) -> Target:
    method, role = method_of(clause)
    after = _AFTER.search(clause)
    plain = clause[: after.start()] + clause[after.end() :] if after else clause
    none = _NONE.search(plain)
    value = none[0] if none else _stated(brief, plain, said) or next(iter(_VALUE.findall(plain)), "")
    by = _by(brief, clause, said)
    worded = (w["threshold"] for w in _measuring()["worded"] if re.search(w["words"], clause, re.IGNORECASE))
    threshold = (
        _DANGLING.sub("", value.strip()) if value else next(worded, "to be set as a number before the first gate")
    )
    return Target(
        text=clip(clause[:1].upper() + clause[1:], 280),
        method=method,
        threshold=clip(threshold, 120),
        figured=bool(value) or after is not None,
        when=_day(brief, after) if after or by is None else by,
        dated=after is not None or by is not None,
        role=brief.role_title(role),
        said=said,
    )


def _by(brief: Brief, clause: str, said: Spanned) -> date | None:
    """The last day that *clause* names: a price that covers the cost by 2030."""
    inside = (d for d in brief.facts.days if said.start <= d.start < said.end and d.text in clause)
    return max((d.latest for d in inside if d.latest > brief.start), default=None)


def _stated(brief: Brief, clause: str, said: Spanned) -> str:
    """The quantity that *clause* holds, in the prompt's words, with its rhythm: 180 paying customers a day."""
    for quantity in brief.facts.quantities:
        if said.start <= quantity.start < said.end and quantity.text in clause:
            rhythm = re.match(
                r"\s+(?:an?|per|every)\s+(?:day|week|month|year|hour)\b", clause.partition(quantity.text)[2]
            )
            return _bounded(quantity) + (rhythm[0] if rhythm else "")
    return ""


def _bounded(quantity: Quantity) -> str:
    """The words of *quantity*; "no more than 1.1 m" in a sentence that forbids more than that."""
    turned = {"at_most": ("more than", "over", "above"), "at_least": ("less than", "fewer than", "under", "below")}
    for word in turned.get(quantity.bound, ()):
        if quantity.text.lower().startswith(f"{word} "):
            return f"{quantity.bound.replace('_', ' ')}{quantity.text[len(word) :]}"
    return quantity.text


def _day(brief: Brief, after: "re.Match[str] | None") -> date:
    """So many months after launching where the clause says so; else the last gate that the plan has."""
    launch = gate_day(brief, "launch")
    if after is None:
        return gate_day(brief, brief.phases[-1].id)
    if after["ordinal"]:
        count, unit = ORDINALS[after["ordinal"].lower()], after["one"]
    else:
        word = after["count"].lower()
        count, unit = int(word) if word.isdigit() else SMALL[word], after["many"].rstrip("s")
    return open_day(brief, months_after(launch, count * _MONTHS[unit.lower()]))


def months_after(day: date, months: int) -> date:
    """Return the same day so many months later, or the last day of that month."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    for last in (day.day, 30, 29, 28):
        try:
            return date(year, month + 1, last)
        except ValueError:
            continue
    raise AssertionError(f"no day in {year}-{month + 1}")  # every month has a 28th


def when_text(target: Target) -> str:
    """Return the day of measurement as plans print it, and whether it is the goal's."""
    return f"{day_text(target.when)} ({'the goal’s term' if target.dated else 'assumed'})"


def _whole(clauses: list[str]) -> Iterator[str]:
    """Join a fragment that says nothing by itself to the clause before it."""
    kept = ""
    for clause in clauses:
        if kept and len(clause.split()) >= 3:
            yield kept
            kept = clause
        else:
            kept = f"{kept}, {clause}" if kept else clause
    if kept:
        yield re.sub(r"^and\s+", "", kept)


def _key(text: str) -> str:
    return re.sub(r"\W+", " ", text.lower()).strip()[:60]
