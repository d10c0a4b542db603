"""Check: the goal's numbers, dates and demands are in the plan, and no row of the plan does what the goal rules out."""

import re
from collections.abc import Iterator

from planloom.core.wording import day_text
from planloom.planes.strategic.facts.dates import find_dates
from planloom.planes.strategic.facts.fact import Ban, Duration, Money, Quantity, Spanned
from planloom.planes.strategic.quality.draft import GOAL_FILE, PLAN_FILE, SPINE_FILE, Draft
from planloom.planes.strategic.quality.finding import Finding, Outcome, Place, finding, place
from planloom.planes.strategic.quality.values import texts_of
from planloom.planes.strategic.quality.words import carries, terms

CHECK = "demands"
TITLE = "The goal's numbers, dates, demands and bans"

#: The share of the words of a demand that must be in one passage or one row.
ENOUGH = 0.5
_NOT = re.compile(
    r"\b(?:no|not|never|without|none|neither|nor|against|instead of|rather than|rul(?:e|ed|es) out|forbid\w*|"
    r"bann?(?:ed|s)?|exclud\w+|avoid\w*|refus\w+|prohibit\w*|reject\w*|replac\w+|free)\b",
    re.I,
)


def check(draft: Draft) -> Outcome:
    """High for a row that the goal rules out; medium for what the goal says and the plan does not.

    Low for numbers whose part in the goal is not known, such as years of experience.
    """
    facts = draft.facts
    numbers = (*facts.money, *facts.quantities, *facts.durations)
    looked = (
        f"{len(numbers)} numbers, {len(facts.days)} dates, {len(facts.demands)} demands and {len(facts.bans)} bans "
        "of the goal"
    )
    return Outcome(looked_at=looked, findings=(*_numbers(draft), *_days(draft), *_demands(draft), *_approaches(draft)))


def _numbers(draft: Draft) -> Iterator[Finding]:
    facts = draft.facts
    text = "\n".join(page.text for page in draft.pages if page.part != "paper").lower()
    seen: set[float] = set()
    numbers: tuple[Money | Quantity | Duration, ...] = (*facts.money, *facts.quantities, *facts.durations)
    for fact in numbers:
        if fact.high in seen or any(form in text and _number(form).search(text) for form in texts_of(fact)):
            continue
        seen.add(fact.high)
        message = f"The goal's “{_line(fact)}” is in no section of the plan."
        here = place(PLAN_FILE, "no such number in any section")
        yield finding(CHECK, "low" if fact.role == "other" else "medium", message, here, _goal(draft, fact))


def _number(form: str) -> re.Pattern[str]:
    # 40 is not in 400,000 and not in 1,40
    return re.compile(rf"(?<!\d)(?<!\d[.,]){re.escape(form)}(?!\d|[.,]\d)")


def _days(draft: Draft) -> Iterator[Finding]:
    """Yield the days to come that no page states, in any form; of a period, any of its days is enough."""
    asked = [d for d in draft.facts.days if d.role in ("deadline", "milestone") and d.latest >= draft.today]
    for page in (page for page in draft.pages if page.part != "paper"):
        # most dates are on the first pages, and to read all of them takes a fifth of the time of the report
        if not asked:
            return
        said = [each for name in draft.languages for each in find_dates(page.text, name, draft.today)]
        asked = [day for day in asked if not any(day.earliest <= s.earliest and s.latest <= day.latest for s in said)]
    for day in asked:
        message = f"The goal's date “{_line(day)}” ({day_text(day.latest)}) is in no section of the plan."
        yield finding(CHECK, "medium", message, place(PLAN_FILE, "no such date in any section"), _goal(draft, day))


def _demands(draft: Draft) -> Iterator[Finding]:
    rows = [terms(" ".join(_texts(row.model_dump()))) for row in draft.spine.rows()]
    held = [*rows, *map(terms, {p.context for p in draft.body if p.kind in ("cell", "item", "prose")})]
    for demand in draft.facts.demands:
        wanted = terms(demand.text)
        if wanted and not _on_words(draft, demand) and not any(carries(wanted, row, ENOUGH) for row in held):
            message = f"No section and no row of the plan answers this demand: “{_line(demand)}”."
            yield finding(CHECK, "medium", message, place(SPINE_FILE, "no row"), place(GOAL_FILE, demand.text))


def _on_words(draft: Draft, demand: Spanned) -> bool:
    """Return whether *demand* says which words not to print: the plan fulfils it by not repeating it."""
    return any(demand.start < ban.end and ban.start < demand.end for ban in draft.facts.bans if ban.kind == "word")


def _approaches(draft: Draft) -> Iterator[Finding]:
    """Yield what is done, bought or made and ruled out: the words of the ban in a title that does not deny them."""
    spine = draft.spine
    work = [(row.id, row.title) for row in spine.deliverables]
    work += [(row.id, row.title) for row in spine.packages] + [(row.id, row.title) for row in spine.lines]
    for ban in (ban for ban in draft.facts.bans if ban.kind == "approach" and len(ban.what.split()) >= 2):
        pattern = _phrase(ban)
        for row, title in work:
            if pattern.search(title) and not _NOT.search(title):
                message = f"The goal rules out “{ban.what}”, and {row} of the plan does it."
                yield finding(CHECK, "high", message, place(SPINE_FILE, f"{row} {title}"), _goal(draft, ban))


def _phrase(ban: Ban) -> re.Pattern[str]:
    words = re.split(r"[\s,;]+", ban.what.strip())
    return re.compile(r"\b" + r"[\s,;]+".join(map(re.escape, words)), re.I)


def _texts(value: object) -> Iterator[str]:
    """Yield every text in a row as data."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _texts(part)


def _goal(draft: Draft, fact: Spanned) -> Place:
    return place(GOAL_FILE, draft.prompt[max(fact.start - 60, 0) : fact.end + 60] or fact.text)


def _line(fact: Spanned) -> str:
    return " ".join(fact.text.split())[:160]
