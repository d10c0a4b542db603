"""Read the people whom a prompt names by function, with their number: the head baker, two bakers, a group of five."""

import re
from collections.abc import Iterator
from functools import cache
from itertools import islice

from planloom.domain.facts import Role
from planloom.reading.nouns import STOP_WORDS
from planloom.reading.numbers import number, value_of
from planloom.reading.page import MOST_FACTS, Page
from planloom.reading.tables.functions import FUNCTIONS, GROUPS
from planloom.reading.wording import any_of

#: In a sentence with one of these, a number of people is a staffing: elsewhere it counts users, guests, patients.
_STAFFING = re.compile(
    r"\b"
    + any_of("""
    hire[sd]? hiring employ\\w* recruit\\w* teams? staff\\w* crew led_by run_by managed_by consists? made_up_of
    comprises? composed roles? positions? personnel committee board steering governance appoint\\w* full-time
    part-time we_are we_have
""")
    + r"\b",
    re.IGNORECASE,
)
_PEOPLE = r"(?P<staff>staff|crew members|employees|team members)"


def read_roles(page: Page) -> tuple[Role, ...]:
    """Return the people of the prompt by function, in order, each title once; a group carries its size."""
    found: dict[str, Role] = {}
    for role in islice(sorted(_all(page), key=lambda r: (r.start, -r.end)), 3 * MOST_FACTS):
        inside = any(role.start < other.end and other.start < role.end for other in list(found.values())[-3:])
        if not inside:
            found.setdefault(role.title, role)
    return tuple(list(found.values())[:MOST_FACTS])


def _all(page: Page) -> Iterator[Role]:
    for found in _group(page.language).finditer(page.text):
        size = value_of(found["size"] or found["members"], page.language)
        if 1 <= size <= 1000:
            yield Role(**page.span(*found.span()), title=_title(found["group"] or found["board"]), count=int(size))
    for found in _person(page.language).finditer(page.text):
        role = _role(page, found)
        if role is not None:
            yield role


def _role(page: Page, found: re.Match[str]) -> Role | None:
    count = value_of(found["count"], page.language) if found["count"] else 1.0
    sentence = page.sentence_at(found.start()).text
    plural = found["staff"] or found["plural"]
    staffing = _STAFFING.search(sentence)
    if (count > 1 or plural) and not staffing:
        return None
    words = found["words"].split()
    if any(w.lower() in STOP_WORDS for w in words) or not 1 <= count <= 1000 or (plural and count == 1):
        return None
    function = found["staff"] or found["function"]
    return Role(
        **page.span(found.start("body"), found.end()), title=_title(" ".join((*words, function))), count=int(count)
    )


def _title(text: str) -> str:
    words = " ".join(text.split())
    return words if words.isupper() else words[:1].lower() + words[1:] if words[1:2].islower() else words


@cache
def _person(language: str) -> re.Pattern[str]:
    functions = "|".join(sorted(FUNCTIONS, key=len, reverse=True))
    return re.compile(
        rf"(?<![\w-])(?P<body>(?:(?:the|an?|our|my|its|their|one)\s|\((?=[a-z])|(?P<count>{number('c', language)})\s)"
        rf"(?P<words>(?:[^\W\d_][\w/&-]*\s){{0,3}}?)"
        rf"(?:(?P<function>{functions})(?P<plural>s)?|{_PEOPLE}))(?![\w'-])(?!\s(?:of|to)\s(?:change|growth|success|cost))",
        re.IGNORECASE,
    )


@cache
def _group(language: str) -> re.Pattern[str]:
    groups = "|".join(g.replace(" ", r"\s") for g in GROUPS)
    return re.compile(
        rf"\b(?P<group>(?:[a-z-]+\s)?(?:{groups}))\sof\s(?P<size>{number('s', language)})(?![\w.,]*\d|\s?%)(?=\W)"
        rf"|\b(?P<members>{number('m', language)})[\s-](?:member|person|strong)\s(?P<board>(?:[a-z-]+\s){{0,3}}(?:{groups}))\b",
        re.IGNORECASE,
    )
