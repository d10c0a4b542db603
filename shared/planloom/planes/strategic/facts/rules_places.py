"""The places of a goal: countries by Babel, regions and cities by table, other names only behind "in" or "near"."""

import re
import tomllib
from collections import Counter
from functools import cache
from importlib.resources import files
from typing import Literal

from babel import Locale, UnknownLocaleError

from planloom.planes.strategic.facts.amounts import codes
from planloom.planes.strategic.facts.amounts_table import SYMBOLS
from planloom.planes.strategic.facts.fact import Place
from planloom.planes.strategic.facts.rules_page import MOST_FACTS, UNSPACED, Page

Kind = Literal["site", "city", "region", "country"]
_NAME = r"[^\W\d_a-zß-öø-ÿ][\w'-]*"
_RUN = re.compile(rf"(?<![\w'-]){_NAME}(?: (?:(?:de|del|la|le|of|am|im|an|der|dos|da|do|di) )?{_NAME}){{0,3}}")
#: Prepositions behind which a capital makes a place; German nouns have capitals, so German has none.
_IN = {
    "en": "in|near|at|around|outside|off",
    "fr": "à|en|dans|près de|au large de",
    "es": "en|cerca de",
    "pt": "em|perto de|na|no",
    "it": "a|in|vicino a",
    "nl": "in|bij|nabij",
    "sv": "i|på|nära",
    "da": "i|på|nær",
    "nb": "i|på|nær",
    "pl": "w|we|koło|pod",
    "id": "di",
}
_OTHERS = """
January February March April May June July August September October November December Monday Tuesday Wednesday
Thursday Friday Saturday Sunday Easter Christmas English French German Spanish Welsh Excel Internet God The
Our My We I It All This That Success Budget Total Python Instagram Facebook Word EUR USD Phase Year Ramadan
Diwali
"""
#: Capitals that name no place, at the beginning of a sentence or anywhere.
_NO_PLACES = frozenset(_OTHERS.split())
_SHARED = """
Portland Birmingham Richmond Kingston Hamilton Cambridge Newcastle Córdoba León Mérida Santiago Trujillo Valencia
Guadalajara Cartagena Salem Dover Windsor Springfield Manchester Boston
Reading Bath Nice Tours Split Essen Halle Como Mayo Clare Kent Norfolk Champagne Java Papua Virginia Montana
Rhodes Regina Derby Hull Lincoln Chester Lancaster Wallis Perth Sydney Florence Jordan Chad Georgia Guinea
Turkey Paris Sofia Salvador Victoria Cork Galle Bern Ulm Bari Crete Everest Lae Fez Durham Darwin Wellington
Nelson Man
"""
#: Names that are common words or names of persons too: they need another place or a preposition beside them.
_DOUBTFUL = frozenset(_SHARED.split())


def read_places(page: Page, aim: tuple[int, int]) -> tuple[Place, ...]:
    """Return the places, each name once: those of the objective (*aim*) first, then as they appear."""
    found: dict[str, Place] = {}
    known = [p for m in _RUN.finditer(page.text) for p in _known(page, m)]
    countries = Counter(p.country for p in known if p.country)
    home = countries.most_common(1)[0][0] if countries else None
    for place in (*known, *_behind_in(page, known, home), *_by_ending(page)):
        found.setdefault(place.name, place)
    rank = {"site": 0, "city": 0, "region": 1, "country": 2}
    order = sorted(found.values(), key=lambda p: (not aim[0] <= p.start < aim[1], rank[p.kind], p.start))
    return tuple(order[:MOST_FACTS])


#: Prefecture and municipality are named by their endings.
_MUNICIPALITY = r"[一-鿿]{2,3}[都道府県]の?(?P<name>[一-鿿ぁ-んァ-ヶ]{1,6}?[市町村区])"
_ENDINGS = {"ja": (re.compile(_MUNICIPALITY), "JP")}


def _by_ending(page: Page) -> list[Place]:
    pattern, country = _ENDINGS.get(page.language, (None, ""))
    found = pattern.finditer(page.text) if pattern else ()
    return [Place(**page.span(*m.span("name")), name=m["name"], kind="city", country=country) for m in found]


_FROM = re.compile(r"\b(?:from|aus)\s[^.;:]{0,40}\Z")


def home_country(text: str, language: str) -> str | None:
    """Return the country that more than half of the known names in *text* are of; None where none is."""
    table = _names(language)
    # US$ is a currency, and people come from anywhere
    runs = (
        m
        for m in _RUN.finditer(text)
        if text[m.end() : m.end() + 1] != "$" and not _FROM.search(text, max(0, m.start() - 50), m.start())
    )
    names = (name for m in runs for name in _within(m.group()) if name not in _DOUBTFUL)
    votes = Counter(code for name in names if (code := table.get(name, ("", ""))[1]))
    code, most = votes.most_common(1)[0] if votes else ("", 0)
    return code if most * 2 > votes.total() else None


def _within(run: str) -> list[str]:
    """Return the run of capitals, and its parts of fewer words, the longest first."""
    words = run.split(" ")
    return [" ".join(words[a:b]) for n in range(len(words), 0, -1) for a in range(len(words) - n + 1) for b in (a + n,)]


def _known(page: Page, run: re.Match[str]) -> list[Place]:
    table = _names(page.language)
    for name in _within(run.group()):
        if name in table:
            kind, code = table[name]
            start = run.start() + run.group().index(name)
            if name in _DOUBTFUL and not _IN_BEFORE.search(page.text, max(0, start - 12), start):
                return []
            return [Place(**page.span(start, start + len(name)), name=name, kind=kind, country=code or None)]
    return []


_IN_BEFORE = re.compile(r"(?:\b(?:in|near|à|en|em|a|i|w|di|te)\s|[A-Z][\w'-]*, )\Z")


def _behind_in(page: Page, known: list[Place], home: str | None) -> list[Place]:
    prepositions = _IN.get(page.language)
    if not prepositions or page.language in UNSPACED:
        return []
    pattern = _placed(prepositions)
    taken = [(p.start, p.end) for p in known]
    no_places = _NO_PLACES | _languages(page.language) | SYMBOLS.keys() | codes()
    made = []
    for found in pattern.finditer(page.text):
        start, end = found.span("name")
        name = found["name"]
        if not any(a < end and start < b for a, b in taken) and not no_places & set(name.split()) and len(name) > 2:
            made.append(Place(**page.span(start, end), name=name, kind="city", country=home))
    return made


@cache
def _languages(language: str) -> frozenset[str]:
    """Return the names of languages, which have capitals too, in English and in *language*."""
    return frozenset(name for locale in ("en", language) for name in Locale.parse(locale).languages.values())


@cache
def _placed(prepositions: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w'-])(?:{prepositions})\s(?P<name>{_NAME}(?: {_NAME}){{0,2}})(?![\w'-]*\d)")


@cache
def _names(language: str) -> dict[str, tuple[Kind, str]]:
    """Return kind and country code by name: cities, then regions, then countries in English and *language*."""
    rows = tomllib.loads((files(__package__) / "places.toml").read_text(encoding="utf-8"))
    kinds: tuple[Kind, ...] = ("city", "region")
    names: dict[str, tuple[Kind, str]] = {}
    for kind in kinds:
        for code, said in rows[kind].items():
            names |= dict.fromkeys(said.split("|"), (kind, "" if code == "none" else code))
    for locale in dict.fromkeys(("en", language)):
        try:
            territories = Locale.parse(locale).territories
        except (UnknownLocaleError, ValueError):
            continue
        names |= {
            n: ("country", code)
            for code, n in territories.items()
            if len(code) == 2 and code.isalpha() and code not in {"ZZ", "EU", "EZ", "UN", "XA", "XB"}
        }
    return names | {
        "UK": ("country", "GB"),
        "USA": ("country", "US"),
        "England": ("country", "GB"),
        "Scotland": ("region", "GB"),
        "Wales": ("region", "GB"),
    }
