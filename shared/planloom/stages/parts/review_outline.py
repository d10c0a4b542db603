"""The review without a model: five lenses, each a set of checks of one section against another."""

from collections.abc import Callable, Iterator

from planloom.facts.quoting import clip
from planloom.stages.parts.review_answer import FindingRow, FindingsAnswer
from planloom.stages.parts.review_dates import dates, dates_sound
from planloom.stages.parts.review_evidence import demands, demands_sound, evidence, evidence_sound
from planloom.stages.parts.review_money import money, money_sound
from planloom.stages.parts.review_people import people, people_sound
from planloom.stages.parts.reviewed import Reviewed

MOST_PER_LENS = 4
_LENSES: dict[str, tuple[Callable[[Reviewed], Iterator[FindingRow]], Callable[[Reviewed], str]]] = {
    "dates": (dates, dates_sound),
    "money": (money, money_sound),
    "people": (people, people_sound),
    "demands": (demands, demands_sound),
    "evidence": (evidence, evidence_sound),
}


def review(r: Reviewed, lens: str) -> FindingsAnswer:
    """Return what *lens* finds, heaviest first, and what holds."""
    find, sound = _LENSES[lens]
    found = sorted(find(r), key=lambda finding: (-finding.loss, finding.title))
    return FindingsAnswer(findings=found[:MOST_PER_LENS], sound=clip(sound(r), 400))
