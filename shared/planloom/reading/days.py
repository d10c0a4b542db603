"""Read the dates of a prompt, each with its role and with what happens then."""

from collections.abc import Iterator

from planloom.domain.facts import Day
from planloom.reading import time_words as words
from planloom.reading.date_readings import Today
from planloom.reading.dates import Found, find_dates
from planloom.reading.page import MOST_FACTS, Page
from planloom.reading.settled_days import settled
from planloom.reading.tables.countries import SOUTHERN
from planloom.reading.whole import speaks_of_whole


def read_days(page: Page, objective: tuple[int, int], subject: str, home: str | None) -> tuple[Day, ...]:
    """Return the dates of the prompt in order of appearance.

    A date is the deadline where it bounds the objective itself or the completion of the whole; every other date on
    which something is due is a milestone. *home* decides in which half of the globe seasons are meant.
    """
    today = Today(page.today, southern=home in SOUTHERN)
    found = list(find_dates(page.text, today, MOST_FACTS))
    days: list[Day] = []
    for at, date in enumerate(found):
        before = found[at - 1] if at else None
        role, label = _role(page, date, before, days, objective, subject)
        days.append(_day(page, date, role, label))
    return settled(list(_one_start(days)), page.text, objective)


def _day(page: Page, date: Found, role: str, label: str) -> Day:
    period = date.period
    return Day(
        **page.span(date.start, date.end),
        earliest=period.earliest,
        latest=period.latest,
        ambiguous=period.ambiguous,
        role=role,
        label=label,
    )


def _role(
    page: Page, date: Found, previous: Found | None, days: list[Day], objective: tuple[int, int], subject: str
) -> tuple[str, str]:
    before, label = page.before(date.start), label_of(page, date.start, date.end)
    if date.period.latest < page.today or words.PAST.search(before):
        return "other", label
    aimed_at = objective[0] <= date.start < objective[1]
    if previous and days[-1].role == "start" and words.RANGE.fullmatch(page.text[previous.end : date.start].lower()):
        return "deadline", days[-1].label
    clause = page.text[slice(*page.clause_before(date.start))].lower()
    if words.HAPPENED.search(clause) and not words.YEAR.search(page.text[date.start : date.end]):
        return "other", label
    partial = _partial(clause, subject)
    if words.START.search(before):
        whole = aimed_at or speaks_of_whole(clause, subject) or words.FUNDING.search(clause)
        return ("start" if whole and not partial else "milestone"), label
    if words.DEADLINE.search(before):
        return "deadline", label
    if partial:
        return "milestone", label
    return _due(page, date, clause, subject, aimed_at=aimed_at), label


def _partial(clause: str, subject: str) -> bool:
    """Return whether *clause* speaks of a part: a pilot, a permit, unless that is what the whole is about."""
    return any(found.group() not in subject.lower() for found in words.PARTIAL.finditer(clause))


def _due(page: Page, date: Found, clause: str, subject: str, *, aimed_at: bool) -> str:
    limit = words.LIMIT.search(page.before(date.start))
    held = words.HELD.search(page.before(date.start))
    if aimed_at and not limit and words.SUBORDINATE.search(page.before(date.start, 160)):
        return "other"
    if aimed_at and (limit or held):
        return "deadline"
    after = page.text[slice(*page.clause_after(date.end))].lower()
    done = words.DONE.search(clause) or (limit and words.DONE.search(after))
    if done and speaks_of_whole(clause if words.DONE.search(clause) else after, subject):
        return "deadline"
    return "milestone" if limit or held else "other"


def _one_start(days: list[Day]) -> Iterator[Day]:
    """Yield *days* with the first start alone a start: a later one starts a part."""
    started = False
    for day in days:
        yield day.model_copy(update={"role": "milestone"}) if started and day.role == "start" else day
        started = started or day.role == "start"


def label_of(page: Page, start: int, end: int) -> str:
    """Return what happens at or takes the time from *start* to *end*, in the prompt's words, 120 characters at most.

    A clause of a word or two says nothing: what stands before it is added, at a sentence's start what follows.
    """
    floor = max(page.sentence_at(start).start, start - 300)
    at = page.clause_before(start, 200)[0]
    text = _before(page, at, start)
    while (len(text.split()) < 2 or words.LOOSE.match(text)) and at > floor:
        # One character back, or the clause that ends here would be found for ever.
        at = page.clause_before(at - 1, 200)[0]
        text = _before(page, at, start)
    if len(text.split()) < 2:
        rest = _trimmed(page.phrase(*page.clause_after(end), most=120))
        text = f"{text} {rest}".strip() if len(rest.split()) > 1 or not text else text
    return text if len(text) <= 120 else text[:121].rsplit(" ", 1)[0][:120]


def _before(page: Page, at: int, start: int) -> str:
    return _trimmed(words.ASIDE.sub("", page.phrase(at, start, most=400)))


def _trimmed(text: str) -> str:
    while tail := words.TAIL.search(text):
        text = text[: tail.start()]
    return words.HEAD.sub("", text).strip(" ,.;:-()")
