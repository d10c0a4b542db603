"""Check 6: the goal's numbers, dates and demands stand in the plan; its bans hold; its banned words are not printed."""

import re
from collections.abc import Iterable, Iterator

from planloom.domain.facts import Ban, Duration, Money, Quantity, Spanned
from planloom.quality.banned_words import banned_words
from planloom.quality.finding import Finding, Outcome, Place, finding, place
from planloom.quality.passages import Passage
from planloom.stages.parts.checked.stated import dates, day_text
from planloom.quality.values import texts_of
from planloom.stages.parts.checked.draft import GOAL_FILE, PLAN_FILE, WBS_FILE, Draft
from planloom.stages.parts.checked.words import carries, terms

CHECK = "demands"
TITLE = "The goal's numbers, demands and bans"

#: So much of what a demand says must stand within one passage, or the plan does not answer it.
ENOUGH = 0.5
_NOT = re.compile(
    r"\b(?:no|not|never|without|none|nobody|neither|nor|against|instead of|rather than|ruled out|rules? out|forbid\w*|"
    r"bann?(?:ed|s)?|exclud\w+|avoid\w*|refus\w+|breach\w*|kept|keeps?|forbidden|out of scope|prohibit\w*|reject\w*|"
    r"drop(?:s|ped)?|declin\w+|unless|only if)\b",
    re.I,
)
#: A section that lists what is left out.
_LEFT_OUT = re.compile(r"out of scope|ruled out|not in scope|what binds|bans?\b", re.I)


def check(draft: Draft) -> Outcome:
    """High for a banned word or a broken ban; medium for what the goal says and the plan does not."""
    facts = draft.facts
    numbers = (*facts.money, *facts.quantities, *facts.durations)
    looked = (
        f"{len(numbers)} numbers, {len(facts.days)} dates, {len(facts.demands)} demands and {len(facts.bans)} bans "
        "of the goal"
    )
    found = (*_numbers(draft), *_days(draft), *_demands(draft), *_words(draft), *_approaches(draft))
    return Outcome(looked_at=looked, findings=found)


def _numbers(draft: Draft) -> Iterator[Finding]:
    facts = draft.facts
    body = "\n".join(text for file, text in draft.pages.items() if file != "001-3-start.md").lower()
    seen: set[float] = set()
    numbers: tuple[Money | Quantity | Duration, ...] = (*facts.money, *facts.quantities, *facts.durations)
    for fact in numbers:
        if fact.high in seen or any(form in body for form in texts_of(fact)):
            continue
        seen.add(fact.high)
        message = f"The goal's “{_line(fact)}” stands nowhere in the plan."
        yield finding(CHECK, "medium", message, place(PLAN_FILE, "no such number in any section"), _goal(draft, fact))


def _days(draft: Draft) -> Iterator[Finding]:
    said = {day for text in draft.pages.values() for _, day in dates(text)}
    for day in draft.facts.days:
        months = {(d.year, d.month) for d in said}
        exact = day.earliest == day.latest
        there = day.latest in said if exact else (day.latest.year, day.latest.month) in months
        if day.role in ("deadline", "milestone") and not there and day.latest >= draft.today:
            message = f"The goal's date “{_line(day)}” ({day_text(day.latest)}) stands nowhere in the plan."
            yield finding(CHECK, "medium", message, place(PLAN_FILE, "Milestones and gates"), _goal(draft, day))


def _demands(draft: Draft) -> Iterator[Finding]:
    rows = {p.context for p in draft.body if p.kind in ("cell", "item", "prose")}
    held = [terms(row) for row in rows]
    for demand in draft.facts.demands:
        wanted = terms(demand.text)
        if wanted and not _on_words(draft, demand) and not any(carries(wanted, row, ENOUGH) for row in held):
            message = f"No passage of the plan takes up this demand: “{_line(demand)}”."
            here = place(WBS_FILE, "no package answers it")
            yield finding(CHECK, "medium", message, here, place(GOAL_FILE, demand.text))


def _on_words(draft: Draft, demand: Spanned) -> bool:
    """Return whether *demand* says which words not to print: it is kept by not taking it up."""
    return any(demand.start < ban.end and ban.start < demand.end for ban in _of(draft.facts.bans, "word"))


def _words(draft: Draft) -> Iterator[Finding]:
    for passage in draft.passages:
        for ban in banned_words(passage.text, draft.facts):
            message = f"The goal bans the word “{ban.what}”, and the plan prints it."
            yield finding(CHECK, "high", message, place(passage.file, passage.text), place(GOAL_FILE, ban.text))


def _approaches(draft: Draft) -> Iterator[Finding]:
    """What is ruled out, in words that do it: the phrase itself, with nothing in its row that denies it."""
    patterns = [(ban, _phrase(ban)) for ban in _of(draft.facts.bans, "approach") if len(ban.what.split()) >= 2]
    goal = " ".join(draft.prompt.split())
    left_out = False
    for passage in draft.body:
        if passage.kind in ("heading", "prose") and (passage.kind == "heading" or passage.text.endswith(":")):
            left_out = bool(_LEFT_OUT.search(passage.text))
        if left_out or passage.kind in ("heading", "head"):
            continue
        for ban, pattern in patterns:
            if pattern.search(passage.own) and passage.text not in goal and not _denied(passage):
                message = f"The goal rules out “{ban.what}”, and a row of the plan does it."
                here = place(passage.file, passage.text)
                yield finding(CHECK, "high", message, here, place(GOAL_FILE, ban.text))


def _denied(passage: Passage) -> bool:
    return bool(_NOT.search(passage.context) or _NOT.search(passage.column))


def _phrase(ban: Ban) -> re.Pattern[str]:
    words = re.split(r"[\s,;]+", ban.what.strip())
    return re.compile(r"\b" + r"[\s,;]+".join(map(re.escape, words)), re.I)


def _of(bans: Iterable[Ban], kind: str) -> Iterator[Ban]:
    return (ban for ban in bans if ban.kind == kind)


def _goal(draft: Draft, fact: Spanned) -> Place:
    return place(GOAL_FILE, draft.prompt[max(fact.start - 60, 0) : fact.end + 60])


def _line(fact: Spanned) -> str:
    return " ".join(fact.text.split())[:160]
