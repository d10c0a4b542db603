"""Find the sentence that says what is to be done, and where in it the doing begins."""

from dataclasses import dataclass

from planloom.domain.facts import Spanned
from planloom.reading import objective_leads as leads
from planloom.reading.page import Page
from planloom.reading.tables.verbs import GERUNDS

#: Sentences that are looked at: who has not said by then what is wanted, has said it first or not at all.
_LOOKED_AT = 25
#: Verbs that are read in a row: "design, build and run".
_MOST_VERBS = 4


@dataclass(frozen=True)
class Objective:
    """The objective sentence; ``verbs`` are the base forms found, ``at`` is where their object begins in the text.

    Without a known verb ``verbs`` is empty and ``at`` is where the naming of the thing begins.
    """

    sentence: Spanned
    verbs: tuple[str, ...]
    at: int


def find_objective(page: Page) -> Objective:
    """Return the sentence with the clearest statement of intent, the first where none stands out."""
    ranked = ((_score(page, s) - 0.25 * i, -i, s) for i, s in enumerate(page.sentences[:_LOOKED_AT]))
    _, _, best = max(ranked, key=lambda r: r[:2])
    at, verbs = _entry(page, best)
    return Objective(best, verbs, at)


def _score(page: Page, sentence: Spanned) -> float:
    text = page.text[sentence.start : sentence.end]
    lead = leads.lead().match(text)
    if lead and leads.DENIAL.search(text[: lead.end() + 4]):
        return -2.0
    score = leads.WEIGHTS[str(lead.lastgroup)] if lead else 0.0
    if lead and lead.lastgroup == "label" and not leads.NAMES_IT.match(text, lead.end()):
        # "Secondary goal: 1000 Wh/L" is a measure of success.
        score = 1.0
    if leads.first_verb().match(text):
        score = max(score, 4.0)
    elif leads.NAME.fullmatch(text):
        score = max(score, 3.4)
    return score - (2.0 if leads.ASIDE.match(text) else 0.0) - (1.0 if len(text.split()) < 3 else 0.0)


def _entry(page: Page, sentence: Spanned) -> tuple[int, tuple[str, ...]]:
    """Return where the object begins in the text, and the verbs before it."""
    text = page.text[: sentence.end]
    start = _after_leads(text, sentence.start)
    if start > sentence.start and not leads.next_verb().match(text, start):
        word = leads.INFINITIVE.match(text, start)
        if word:
            return word.end(), (word.group(1),)
    if start == sentence.start and not leads.first_verb().match(text, start):
        later = leads.later_verb().search(text, start)
        start = later.end() if later else start
    verbs: list[str] = []
    while len(verbs) < _MOST_VERBS and (found := leads.next_verb().match(text, start)):
        verbs.append(_base(found.group("verb")))
        start = found.end()
    return start, tuple(verbs)


def _after_leads(text: str, start: int) -> int:
    for _ in range(3):
        lead = leads.lead().match(text, start)
        if lead is None:
            break
        start = lead.end()
    return start


def _base(verb: str) -> str:
    verb = " ".join(verb.lower().split())
    return GERUNDS.get(verb, verb)
