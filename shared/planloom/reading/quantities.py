"""Read counts and measures that are neither money nor time: 60 nurses, at least 62%, 1.4 km of flood wall, 48-seat."""

import re
from itertools import islice

from planloom.domain.facts import Quantity
from planloom.reading.counts import Count, find_counts
from planloom.reading.nouns import counted_after, phrase_before, words_after
from planloom.reading.page import MOST_FACTS, Page, Taken
from planloom.reading.tables.units import TIME_UNITS
from planloom.reading.wording import any_of

#: Numbers after these words name something: phase 2, ISO 9001, level 3.
_NAMED = re.compile(
    r"\b"
    + any_of("""
    phase step section version level stage tier type class chapter article room figure table part aim option
    number no nr line gate route highway page grade category zone unit building act rule goal sdg python java
    windows v iso din en covid
""")
    + r"s?[\s.]$",
    re.IGNORECASE,
)
_NAME_BEFORE = re.compile(r"\w[\w,]* [A-Z][\w.-]* $")
_COMPOUND = re.compile(
    r"-(?P<noun>"
    + any_of("""
    seat seater bed bedroom room stor(?:e?y) person place member unit car lane berth floor turbine home flat
    table pupil screen apartment
""")
    + r")\b"
)
_NOTHING = """
times ways reasons options things others sentences cents kinds thirds halves cases nights evenings mornings moments
wants needs says meets degrees sides
"""
#: Plurals that count nothing worth a plan's while.
_NO_COUNTS = frozenset(TIME_UNITS) | frozenset(_NOTHING.split())
#: "We do not accept more than 1.1 m" bounds from above.
_EXCESS = re.compile(r"more than|over|above", re.IGNORECASE)
_REFUSED = re.compile(r"\b(?:not|no|never|cannot|without)\b[^;:]*$")
_YEARS = range(1900, 2101)
_BOUND_BEFORE = re.compile(
    r"\s"
    + any_of("""
    rated sized measuring reaching averaging rises? falls? drops? grows? increases? decreases? reaches exceeds
    of is be to by at with from are was than reach exceed a the
""")
    + r"\s*$"
)


def read_quantities(page: Page, taken: Taken) -> tuple[Quantity, ...]:
    """Return the counts and measures of the prompt in order; spans that *taken* holds are left out.

    A number without a unit and without a plural noun after it counts nothing and is left out.
    """
    counted = islice(find_counts(page.text, page.language), 10 * MOST_FACTS)
    counts = (c for c in counted if not taken.holds(c.at, c.end))
    return tuple(islice((q for c in counts if (q := _quantity(page, c)) is not None), MOST_FACTS))


def _quantity(page: Page, count: Count) -> Quantity | None:
    if count.unit:
        return _measured(page, count)
    compound = _COMPOUND.match(page.text, count.end)
    if compound:
        return _fact(page, count, compound.end(), compound["noun"])
    before = page.text[max(0, count.start - 24) : count.start]
    if _is_name(page, count, before):
        return None
    end = _counted(page, count.end)
    noun = page.phrase(count.end, end, 80)
    if not noun or noun.split()[-1].lower() in _NO_COUNTS or (count.words_only and count.high < 2):
        return None
    return _fact(page, count, end, noun)


def _is_name(page: Page, count: Count, before: str) -> bool:
    year = count.low == count.high and count.high in _YEARS and "," not in page.text[count.at : count.end]
    opens = count.at == page.sentence_at(count.at).start
    return year or bool(_NAMED.search(before)) or (not opens and bool(_NAME_BEFORE.search(before)))


def _counted(page: Page, at: int) -> int:
    """Return the end of the counted noun at *at*: a plural in English, elsewhere the next word."""
    if page.text[at : at + 1] not in {" ", "\n"}:
        return at
    if page.language == "en":
        return counted_after(page.text, at)
    words = words_after(page.text, at, 1)
    return words[0][1] if words and len(words[0][0]) > 2 else at


def _measured(page: Page, count: Count) -> Quantity | None:
    of = re.match(
        r"\s(?:of\s|der\s|des\s|de\s|af\s)(?:the\s|all\s|our\s|its\s)?", page.text[count.end : count.end + 20]
    )
    at = count.end + (of.end() if of else 0)
    words = words_after(page.text, at, 3) if of or page.text[at : at + 1] == " " else []
    if words and not of and count.unit == "%":
        words = words[:2]
    while words and words[-1][0].endswith("ed"):
        # "99.9% uptime maintained": what was done to it is no part of the name.
        words.pop()
    end = words[-1][1] if words else count.end
    noun = page.phrase(at, end, 80)
    if not noun:
        noun = _noun_before(page, count)
    return _fact(page, count, end, noun)


def _noun_before(page: Page, count: Count) -> str:
    """Return what the measure is of where it stands before: a gross margin of at least 62%, a reserve of 12%."""
    text = page.text[page.sentence_at(count.start).start : count.start]
    trimmed = _BOUND_BEFORE.sub("", " " + text)
    while trimmed != (again := _BOUND_BEFORE.sub("", trimmed)):
        trimmed = again
    return phrase_before(trimmed) if trimmed != " " + text else ""


def _fact(page: Page, count: Count, end: int, noun: str) -> Quantity:
    bound = count.bound
    if bound == "at_least" and _EXCESS.match(page.text, count.start) and _REFUSED.search(page.before(count.start)):
        bound = "at_most"
    return Quantity(
        **page.span(count.start, end), low=count.low, high=count.high, unit=count.unit[:30], noun=noun, bound=bound
    )
