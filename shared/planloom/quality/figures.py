"""Check: texts refer to figures that exist, and the main document states no amount and no day that no row has."""

from collections.abc import Iterator
from datetime import date

from pydantic import BaseModel

from planloom.quality.draft import PLAN_FILE, SCHEDULE_FILE, SPINE_FILE, Draft
from planloom.quality.finding import Finding, Outcome, finding, place
from planloom.quality.passages import Passage, without_quotes
from planloom.spine.figures import stated

CHECK = "figures"
TITLE = "Figures in texts"

#: Amounts that differ by less of the larger one are the same, rounded.
ROUNDING = 0.02


def check(draft: Draft) -> Outcome:
    """Medium for a figure that a text names and no program knows, low for a page that states others than the rows."""
    looked = sum(page.part == "main" for page in draft.pages)
    return Outcome(
        looked_at=f"{looked} sections of the main document against the amounts and days of the plan",
        findings=(*_unknown(draft), *_by_hand(draft)),
    )


def _unknown(draft: Draft) -> Iterator[Finding]:
    for name in draft.unknown_figures:
        message = f"A text refers to “{name}”, which is no figure of the plan."
        yield finding(CHECK, "medium", message, place(PLAN_FILE, name), place(SPINE_FILE, "no such row or value"))


def _by_hand(draft: Draft) -> Iterator[Finding]:
    """Yield a finding for each page with such figures; tables are rendered by programs."""
    numbers, days = _known(draft)
    for file, part in draft.parts.items():
        if part == "main" and file != SCHEDULE_FILE:
            found = [
                (passage, written)
                for passage in draft.body
                if passage.file == file and passage.kind in ("prose", "item") and any(c.isdigit() for c in passage.text)
                for written, meaning in stated(without_quotes(passage.text), draft.facts.language)
                if not (meaning in days if isinstance(meaning, date) else _near(meaning, numbers))
            ]
            if found:
                yield _report(found)


def _report(found: list[tuple[Passage, str]]) -> Finding:
    passage, _ = found[0]
    named = ", ".join(dict.fromkeys(written for _, written in found))
    message = f"No row of the plan and no passage of the goal has these amounts or days: {named}"
    return finding(CHECK, "low", message, place(passage.file, passage.text), place(SPINE_FILE, "no such value"))


def _near(meaning: object, numbers: list[float]) -> bool:
    amount = meaning[0] if isinstance(meaning, tuple) else 0
    return any(abs(amount - number) <= ROUNDING * max(amount, number) for number in numbers)


def _known(draft: Draft) -> tuple[list[float], set[date]]:
    """Return the numbers and the days of goal, spine and computation, those in their texts included."""
    values = [*_values(draft.spine), *_values(draft.computed)]
    values += [row.amount for row in draft.spine.lines]
    texts = [draft.prompt, *(value for value in values if isinstance(value, str))]
    meanings = [meaning for _, meaning in stated("\n".join(texts), draft.facts.language)]
    amounts = [meaning[0] for meaning in meanings if isinstance(meaning, tuple)]
    numbers = [float(value) for value in values if isinstance(value, int | float)]
    sums = [draft.spine.frame.budget, *(row.amount for row in draft.computed.sums)]
    numbers += [one - other for one in sums for other in sums]
    days = [value for value in (*values, *meanings) if isinstance(value, date)]
    facts = [day for each in draft.facts.days for day in (each.earliest, each.latest)]
    return [*dict.fromkeys(map(abs, (*amounts, *numbers)))], {*days, *facts, draft.today}


def _values(value: object) -> Iterator[object]:
    if isinstance(value, BaseModel):
        value = value.model_dump()
    if isinstance(value, dict | list | tuple):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _values(part)
    else:
        yield value
