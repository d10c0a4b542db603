"""Check: texts name figures and rows that a reader finds, and the main document states no value that no row has."""

import re
from collections.abc import Iterator
from datetime import date

from pydantic import BaseModel

from planloom.planes.strategic.quality.draft import SCHEDULE_FILE, SPINE_FILE, Draft
from planloom.planes.strategic.quality.finding import Finding, Outcome, finding, place
from planloom.planes.strategic.quality.passages import Passage, without_quotes
from planloom.planes.strategic.spine.figures import marked, stated, unknown_rows

CHECK = "figures"
TITLE = "Figures in texts"

#: Amounts that differ by less of the larger one are the same, rounded.
ROUNDING = 0.02
_TEXT = ("prose", "item")
_DIGIT = re.compile(r"\d")


def check(draft: Draft) -> Outcome:
    """Medium for a figure that a text names and no program knows; low for a page that states others than the rows, or
    names rows that no table shows.
    """
    looked = sum(page.part == "main" for page in draft.pages)
    return Outcome(
        looked_at=f"{looked} sections of the main document against the amounts and days of the plan",
        findings=(*_unknown(draft), *_rows(draft), *_by_hand(draft)),
    )


def _unknown(draft: Draft) -> Iterator[Finding]:
    for file, name in draft.unknown_figures:
        message = f"A text refers to “{name}”, which is no figure of the plan."
        yield finding(CHECK, "medium", message, place(file, name), place(SPINE_FILE, "no such row or value"))


def _rows(draft: Draft) -> Iterator[Finding]:
    """Yield a finding for each page that names rows which begin no row of a table of the report."""
    shown = {row for p in draft.body if p.kind == "cell" for row in unknown_rows(p.context.split(" ", 1)[0], ())}
    known = {*shown, *unknown_rows(draft.prompt, ())}
    for file in draft.parts:
        said = [
            (p, row) for p in draft.body if p.file == file and p.kind in _TEXT for row in unknown_rows(p.own, known)
        ]
        if said:
            names = ", ".join(dict.fromkeys(row for _, row in said))
            message = f"No table of the report shows the rows that this text names: {names}"
            here = place(file, said[0][0].text)
            yield finding(CHECK, "low", message, here, place(SPINE_FILE, f"no table with {names}"))


def _by_hand(draft: Draft) -> Iterator[Finding]:
    """Yield a finding for each page with such figures; tables are rendered by programs."""
    numbers, days = _known(draft)
    for file, part in draft.parts.items():
        if part == "main" and file != SCHEDULE_FILE:
            prose = [p for p in draft.body if p.file == file and p.kind in _TEXT]
            found = [(passage, written) for passage in prose for written in _others(draft, passage, numbers, days)]
            if found:
                yield _report(found)


def _others(draft: Draft, passage: Passage, numbers: list[float], days: set[date]) -> list[str]:
    """Return the figures of *passage* that are not known in any of the languages: 1,500 is 1.5 in German."""
    text = without_quotes(passage.text)
    if not _DIGIT.search(text):
        return []
    read = [
        [
            written
            for written, meaning in stated(text, language)
            if not (meaning in days if isinstance(meaning, date) else _near(meaning, numbers))
        ]
        for language in sorted(draft.languages)
    ]
    return [
        written for written in read[0] if all(written in other for other in read) and not marked(passage.text, written)
    ]


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
    stating = [text for text in texts if _DIGIT.search(text)]
    meanings = [meaning for text in stating for name in draft.languages for _, meaning in stated(text, name)]
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
