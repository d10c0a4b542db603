"""The section with the whole goal: what was understood of it is marked, what was not is listed.

The goal is quoted here as the caller wrote it, words that it bans from the plan included: the checks of the plan read
the sections of the stages, never this one.
"""

from collections.abc import Iterator, Mapping

from planloom.planes.strategic.facts.fact import Facts
from planloom.planes.strategic.facts.quoting import clip
from planloom.planes.strategic.report.goal_marks import segments
from planloom.planes.strategic.report.understood import KINDS, Item, not_understood, understood

NAMES = {
    "money": "money",
    "date": "dates and times",
    "people": "people and bodies",
    "ban": "bans",
    "place": "places",
    "quantity": "quantities",
    "demand": "demands",
    "unread": "not understood",
}


def goal_section(goal: str, facts: Facts) -> Mapping[str, object]:
    """Return what the template of the section shows."""
    items = understood(facts)
    found = tuple(dict.fromkeys(item.kind for item in items))
    return {
        "how": "A language model read the goal, and programs verified each fact against its words."
        if facts.read_by == "model"
        else "The goal was read by rules, which state only what is explicit.",
        "names": NAMES,
        "segments": segments(goal, facts),
        "frame": tuple(_frame(facts)),
        "groups": [(NAMES[kind], [_clipped(item) for item in items if item.kind == kind]) for kind in found],
        "missing": [NAMES[kind] for kind in KINDS if kind not in found and kind != "unread"],
        "lists": [(title, said) for title, said in _lists(facts) if said],
    }


def _clipped(item: Item) -> Item:
    return item.model_copy(update={"quote": clip(item.quote, 200)})


def _frame(facts: Facts) -> Iterator[tuple[str, str]]:
    if facts.kind.words:
        corrected = " (corrected by the caller)" if facts.kind.by == "caller" else ""
        yield "Undertaking", facts.kind.words + corrected
    yield "What is made", facts.subject
    if facts.why:
        yield "Why", clip(facts.why.text, 300)


def _lists(facts: Facts) -> Iterator[tuple[str, list[str]]]:
    unread = not_understood(facts)
    yield (
        "Not understood: numbers, dates and bans that no fact holds",
        [f"“{clip(each.quote, 160)}”" for each in unread],
    )
    yield (
        "Unverified: nothing is built on it",
        [
            f"{each.field}: {each.said}" + (f" (“{clip(each.quote, 160)}”)" if each.quote else "") + f". {each.reason}"
            for each in facts.unverified
        ],
    )
    yield (
        "Contradictions in the goal",
        [
            f"{each.what}: " + " / ".join(f"“{clip(quote.text, 160)}”" for quote in each.quotes)
            for each in facts.contradictions
        ],
    )
    yield "Open questions", [each.question for each in facts.open]
