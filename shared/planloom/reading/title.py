"""Name the plan in title form, with its place, in ninety characters."""

import re

from planloom.domain.facts import Place
from planloom.reading.objective import Objective
from planloom.reading.page import Page
from planloom.reading.subject import NOTHING
from planloom.reading.subject_foreign import place_preposition, without_article
from planloom.reading.tables.regions import ARTICLED

_MOST = 90
_LEAST_WORDS = 12
_SMALL_WORDS = """
a an the of in on at by for to from and or with that as into off near about across between via per than is nor vs km
m cm mm ha kg kwh mwh m2 m3 km2
"""
_SMALL = frozenset(_SMALL_WORDS.split())
_ARTICLE = re.compile(r"^(?:a|an|the|my|our|their)\s+", re.IGNORECASE)
_LETS = re.compile(
    r"\s+(?:that|which)\s+(?:lets|allows|helps|enables|supports|connects|gives|teaches|trains|serves)\s+", re.IGNORECASE
)
_USERS = re.compile(
    r"(?:[^\W\d_][\w'-]*\s+){0,3}?[^\W\d_][\w'-]*s\b(?:\s+(?:in|from|of)\s+(?:[a-z]+\s+)?[A-Z][\w'-]*)?"
)
_PART = re.compile(r"([\w'’]+)")
_TAIL = re.compile(r"\s+(?:that|which|where|to|so)\s+.*$")
_HEADING = re.compile(
    r"(?:\s*#+\s*)?(?:(?:project|title|goal|name|plan)\s*:\s*)?(?P<name>[^\n]{3,90}?)[ \t]*\n\s*\S", re.IGNORECASE
)
_WHERE = re.compile(
    r"\b(near|off|at|on|outside|across|to|around|throughout|from)\s(?:the\s)?"
    r"(?:(?:coast|city|town|island|outskirts|port)\sof\s|(?:central|rural|northern|southern|eastern|western|downtown)\s)?$"
)


def title_of(page: Page, objective: Objective, subject: str, places: tuple[Place, ...]) -> str:
    """Return the title: the prompt's own heading, else *subject* in title form with "in <place>" where it fits."""
    heading = _heading(page)
    if heading:
        return heading
    if not any(c.isalpha() for c in objective.sentence.text):
        return "Untitled Plan"
    if subject == NOTHING:
        return _fit(" ".join(objective.sentence.text.split()))
    english = page.language == "en"
    name = _named(subject) if english else without_article(subject, page.language)
    title = _cased(_fit(name)) if english else _capital(_fit(name))
    ending = "" if any(place.name.lower() in title.lower() for place in places) else _ending(page, objective, places)
    return title + ending if len(title) + len(ending) <= _MOST else title


def _heading(page: Page) -> str:
    """Return the first line where it is a heading: short, alone on its line, without a full stop."""
    found = _HEADING.match(page.text)
    name = found["name"].strip(" #_") if found else ""
    sentence = name.endswith((".", "!", "?", ":", ",", ";")) or len(name.split()) > _LEAST_WORDS
    return "" if sentence or not name[:1].isupper() or page.sentences[0].text != name else name


def _named(subject: str) -> str:
    name = _for_users(_ARTICLE.sub("", subject.strip()))
    short = _TAIL.sub("", name) if len(name) > _MOST - 12 else name
    return short if len(short.split()) > 1 else name


def _ending(page: Page, objective: Objective, places: tuple[Place, ...]) -> str:
    """Return where the plan takes place, as the objective says it: near Bonn, between Denmark and England."""
    if not places:
        return ""
    # A quarter is known by its city.
    where = next((p for p in places if places[0].kind == "site" and p.kind == "city"), places[0])
    said = page.text[max(objective.sentence.start, where.start - 40) : where.start]
    if re.search(r"\bbetween\s$", said) and len(places) > 1 and page.text[where.end : places[1].start] == " and ":
        return f" between {where.name} and {places[1].name}"
    found = _WHERE.search(said)
    word = found.group(1) if found else place_preposition(page.language)
    article = "the " if where.name in ARTICLED or (where.kind == "site" and where.name.split()[-1].islower()) else ""
    return "" if word == "from" else f" {word} {article}{_cased(where.name)}"


def _for_users(name: str) -> str:
    """Turn "app that lets nurses in Kenya record visits" into "app for nurses in Kenya"."""
    found = _LETS.search(name)
    users = _USERS.match(name, found.end()) if found else None
    return f"{name[: found.start()]} for {users.group()}" if found and users else name


def _cased(name: str) -> str:
    words = name.split()
    return " ".join(w if i and w.lower() in _SMALL else _PART.sub(_capital_part, w) for i, w in enumerate(words))


def _capital_part(found: re.Match[str]) -> str:
    inner = found.start() > 0 and found.group().lower() in _SMALL
    return found.group() if inner else _capital(found.group())


def _capital(word: str) -> str:
    first = word.split(" ", 1)[0]
    capital = word[:1].upper()
    # ß has a capital of two letters: such a word stays as it is.
    named = any(c.isupper() or c.isdigit() for c in first) or len(capital) > 1
    return word if named else capital + word[1:]


def _fit(name: str) -> str:
    name = " ".join(name.split()).rstrip(".!?:;, ")
    return name if len(name) <= _MOST else name[: _MOST + 1].rsplit(" ", 1)[0][:_MOST].rstrip(" ,;:")
