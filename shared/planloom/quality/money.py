"""Check 4: the budget adds up, sums and products in text come out, and a share of money names its base."""

import re
from collections.abc import Iterator

from planloom.quality.draft import PLAN_FILE, Draft
from planloom.quality.finding import Finding, Outcome, finding, place
from planloom.quality.passages import Passage
from planloom.reading.numbers import COMMA_DECIMAL

CHECK = "money"
TITLE = "Sums, rates and shares"

#: Rounded parts may miss their sum by so much of it.
ROUNDING = 0.01

_CURRENCY = r"(?:[A-Z]{3}|[€$£¥]|US\$|kr\.?)"
_SCALE = r"(?: ?(?:million|thousand|billion|bn|k|m)\b)?"
_TERM = (
    rf"(?:{_CURRENCY} ?)?\d[\d,' ]*(?:\.\d+)?(?!\d)(?: ?%)?{_SCALE}(?: ?{_CURRENCY}(?![A-Za-z]))?"
    r"(?: [a-zA-Z-]+){0,3}?"
)
_SUM = re.compile(rf"(?<![\w.,/])({_TERM}(?: ?[+×x*−–-] ?{_TERM})+?) ?= ?({_TERM})(?![\w/])")
_NUMBER = re.compile(r"\d[\d,' ]*(?:\.\d+)?")
_SIGN = re.compile(r" ?([+×x*−]|(?<= )[–-](?= )) ?(?=(?:[A-Z]{3}|[€$£¥]|US\$)? ?\d)")
_SCALES = {"million": 1e6, "m": 1e6, "thousand": 1e3, "k": 1e3, "billion": 1e9, "bn": 1e9}
_EITHER = re.compile(r"\d\.\d{3}(?!\d)|\d,\d{1,2}(?!\d)")
_SHARE = re.compile(r"\d+(?:\.\d+)? ?%")
_MONEY_WORD = re.compile(r"\b(?:budget|contingency|allocat\w+|funding)\b", re.I)
#: What gives a percentage its base, anywhere in its sentence.
_BASE = re.compile(r"\b(?:of|on|per|above|below|off|over|from|between|than|confidence|each|sure|to)\b|/|\|", re.I)


def check(draft: Draft) -> Outcome:
    """High where the budget's rows do not make their sums; medium for arithmetic in text; low for a baseless share."""
    sums = [(p, hit) for p in draft.body if "=" in p.own for hit in _SUM.finditer(p.own)]
    if draft.facts.language in COMMA_DECIMAL:
        # 1.200 may be either there, beside tables that are computed with 1,200
        sums = [(p, hit) for p, hit in sums if not _EITHER.search(hit[0])]
    shares = [p for p in draft.body if p.kind in ("prose", "item") and "%" in p.own]
    looked = f"{len(draft.budget.lines)} lines by {len(draft.budget.phases)} phases, {len(sums)} sums in text"
    return Outcome(looked_at=looked, findings=(*_budget(draft), *_sums(sums), *_baseless(shares)))


def _budget(draft: Draft) -> Iterator[Finding]:
    budget = draft.budget
    amounts = sum(line.amount for line in budget.lines)
    unit = budget.currency or "parts"
    total = place(PLAN_FILE, f"Total {unit} {budget.total:,}")
    if amounts + budget.contingency != budget.total:
        message = (
            f"Lines of {unit} {amounts:,} and a contingency of {unit} {budget.contingency:,} make "
            f"{unit} {amounts + budget.contingency:,}, not the total of {unit} {budget.total:,}."
        )
        held = place(PLAN_FILE, f"Sum of lines {unit} {amounts:,}; contingency {unit} {budget.contingency:,}")
        yield finding(CHECK, "high", message, held, total)
    for line in budget.lines:
        here = place(PLAN_FILE, f"{line.title}: {unit} {line.amount:,}")
        if sum(line.by_phase) != line.amount:
            message = f"“{line.title}” is {unit} {line.amount:,}, and its phases make {unit} {sum(line.by_phase):,}."
            yield finding(CHECK, "high", message, here, place(PLAN_FILE, f"Budget by phase | {line.title}"))
        if line.pay and line.pay.fte_months and not _product(line.amount, line.rate, line.pay.fte_months):
            made = line.rate * line.pay.fte_months
            message = f"“{line.title}”: rate times full-time months is {unit} {made:,.0f}, not {unit} {line.amount:,}."
            yield finding(CHECK, "high", message, here, place(PLAN_FILE, f"Pay | {line.title}"))


def _product(amount: float, rate: float, months: float) -> bool:
    # the rate is printed in whole units: each month may hide half a unit
    return abs(amount - rate * months) <= max(months / 2 + 1, ROUNDING * amount)


def _sums(sums: list[tuple[Passage, re.Match[str]]]) -> Iterator[Finding]:
    for passage, hit in sums:
        made, said = _result(hit[1]), _value(hit[2])
        if made is None or said is None or abs(made - said) <= max(abs(said) * ROUNDING, 0.5):
            continue
        message = f"“{hit[0].strip()}” does not come out: the left side makes {made:,.6g}."
        yield finding(
            CHECK, "medium", message, place(passage.file, hit[0]), place(passage.file, passage.context), mendable=True
        )


def _result(expression: str) -> float | None:
    """Return what sums and products of *expression* make, products first; None where a term is no plain number."""
    terms: list[list[float]] = [[]]
    signs = [1.0]
    at = 0
    for sign in [*_SIGN.finditer(expression), None]:
        value = _value(expression[at : sign.start() if sign else None])
        if value is None:
            return None
        terms[-1].append(value)
        if sign:
            at = sign.end()
            if sign[1] in "+−–-":
                terms.append([])
                signs.append(1.0 if sign[1] == "+" else -1.0)
    total = 0.0
    for sign_of, factors in zip(signs, terms, strict=True):
        product = 1.0
        for factor in factors:
            product *= factor
        total += sign_of * product
    return total


def _value(term: str) -> float | None:
    found = _NUMBER.findall(term)
    if len(found) != 1:
        return None
    value = float(re.sub(r"[,' ]", "", found[0]))
    scale = re.search(r"\b(million|thousand|billion|bn|k|m)\b", term)
    value *= _SCALES[scale[1]] if scale else 1.0
    return value / 100 if "%" in term else value


def _baseless(shares: list[Passage]) -> Iterator[Finding]:
    for passage in shares:
        for sentence in passage.sentences:
            if _SHARE.search(sentence) and _MONEY_WORD.search(sentence) and not _BASE.search(sentence):
                message = "A percentage of money does not say what it is a percentage of."
                here = place(passage.file, sentence)
                yield finding(CHECK, "low", message, here, place(PLAN_FILE, "Budget"), mendable=True)
