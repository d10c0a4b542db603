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
#: "We do not want an architect": nobody to be.
_REFUSED = re.compile(r"\b(?:not\swant|no|nor|without|instead\sof|rather\sthan)\s[^,;.]*$|,\snor\s$")
_ARTICLES = frozenset({"the", "a", "an", "our", "my", "its", "their", "one", "("})
_WORD = re.compile(r"[^\s(),;:]+|[(),;:]")
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
        if 1 <= size <= 1000 and not (found["size"] and _person().match(page.text, found.end() + 1)):
            yield Role(**page.span(*found.span()), title=_title(found["group"] or found["board"]), count=int(size))
    for found in _person().finditer(page.text):
        role = _role(page, found)
        if role is not None:
            yield role


def _role(page: Page, found: re.Match[str]) -> Role | None:
    start, modifiers, count = _lead(page, found.start())
    if start is None:
        return None
    if _REFUSED.search(page.before(start, 60)) or (found["staff"] and count == 1):
        return None
    many = count > 1 or found["plural"] or found["staff"]
    if (many and not _STAFFING.search(page.sentence_at(found.start()).text)) or (found["plural"] and count == 1):
        return None
    function = found["staff"] or found["function"]
    return Role(**page.span(start, found.end()), title=_title(" ".join((*modifiers, function))), count=count)


def _lead(page: Page, at: int) -> tuple[int | None, list[str], int]:
    """Return where the role before *at* begins, its modifiers, and its count: "four front-of-house" of staff.

    Reading backwards, up to three words of description stand between the function and an article or a number.
    """
    modifiers: list[str] = []
    for word in reversed(list(_WORD.finditer(page.text, max(page.sentence_at(at).start, at - 60), at))):
        said = word.group().lower()
        if page.text[word.end() : at].strip(" -") != " ".join(modifiers):
            return None, [], 0
        if said in _ARTICLES:
            return word.start() + (said == "("), modifiers, 1
        if _number(page.language).fullmatch(said):
            size = value_of(said, page.language)
            return (word.start(), modifiers, int(size)) if 1 <= size <= 1000 else (None, [], 0)
        if said in STOP_WORDS or len(modifiers) == 3 or not said[0].isalpha():
            return None, [], 0
        if said.endswith("'s"):
            # "the workshop's manager"
            return word.start(), modifiers, 1
        modifiers.insert(0, word.group())
    return None, [], 0


def _title(text: str) -> str:
    words = " ".join(text.split())
    first = words.split(" ", 1)[0]
    return words[:1].lower() + words[1:] if first[1:].islower() else words


@cache
def _person() -> re.Pattern[str]:
    functions = "|".join(sorted(FUNCTIONS, key=len, reverse=True))
    return re.compile(
        rf"(?<![\w-])(?:(?P<function>{functions})(?P<plural>s)?|{_PEOPLE})(?![\w'-])(?!\s(?:of|to)\s(?:change|success|cost))",
        re.IGNORECASE,
    )


@cache
def _number(language: str) -> re.Pattern[str]:
    return re.compile(number("n", language), re.IGNORECASE)


@cache
def _group(language: str) -> re.Pattern[str]:
    groups = "|".join(g.replace(" ", r"\s") for g in GROUPS)
    size, members = number("s", language), number("m", language)
    return re.compile(
        rf"\b(?P<group>(?:(?!(?:an?|the|our|of|with|by)\s)[a-z-]{{1,30}}\s)?(?:{groups}))"
        rf"\sof\s(?P<size>{size})(?![\w.,]*\d|\s?%)(?=\W)"
        rf"|\b(?P<members>{members})[\s-](?:member|person|strong)\s(?P<board>(?:[a-z-]{{1,30}}\s){{0,3}}(?:{groups}))\b",
        re.IGNORECASE,
    )
