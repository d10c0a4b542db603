"""Find the places of a prompt: known ones, and districts, sites and counties that the prompt itself calls such."""

import re
from collections import Counter
from collections.abc import Iterator

from planloom.domain.facts import Place
from planloom.reading.gazetteer import Kind, Known, find_known
from planloom.reading.nouns import STOP_WORDS
from planloom.reading.page import MOST_FACTS, Page
from planloom.reading.tables.verbs import KNOWN

_CAP = r"[^\W\d_a-z][^\W_]*(?:['-][^\W_]+)*"
_NAME = rf"{_CAP}(?: {_CAP}){{0,2}}"
_SITES = (
    r"waterfront|harbou?r|quarter|neighbou?rhood|square|park|street|avenue|airport|valley|islands?|beach|bay|lake|river|fjord|"
    r"forest|peninsula|estuary|lagoon|marina|glacier|pier|canal|reservoir|village|suburb|borough|ward|mountains?|desert|delta|reef"
)
_AREAS = r"counties|county|provinces?|prefecture|districts?|regions?|canton|oblast|governorate"
#: Where people live goes by its bare name: in Alfama, but on the Aletsch glacier.
_LOCAL = re.compile(rf"{_AREAS}|waterfront|harbou?r|quarter|neighbou?rhood|village|suburb|borough|ward|estuary")
_TYPED = re.compile(rf"(?<!\w)(?P<names>{_NAME}(?:(?:, and|,| and) {_NAME}){{0,4}}) (?P<type>(?i:{_SITES}|{_AREAS}))\b")
_OF = re.compile(
    r"\b(?P<type>(?i:municipality|city|town|village|commune|borough|hamlet|parish|county|province|island|isle|lake))"
    rf" of (?P<name>{_NAME})"
)
_BY_COUNTRY = re.compile(rf"\b(?:in|near|at|from|of|to) (?P<name>{_NAME}), $")
_LIST = re.compile(r", and | and |, ")
_DEMONYM = re.compile(r"(?:ish|ese|ian|ean|can|man|ic|ern|al|French|Dutch|Czech)$")
_PLACED = re.compile(
    r"\b(?:engineers?|developers?|team|staff|offices?|headquarters|headquartered|based|suppliers?|parents|family|born|"
    r"investors?|company|firm|agency|clients?|guests|flying|fly|flights?)\s+(?:\w+\s+)?(?:in|from|of)\s+$"
    r"|\b(?:from|up|via|past)\s+(?:the\s+)?$"
    r"|\bfrom\s+(?:the\s+)?$",
    re.IGNORECASE,
)
_CITY_BEFORE = re.compile(r"[A-Z][\w' -]*, $")
_RANK: dict[Kind, int] = {"site": 0, "city": 1, "region": 2, "country": 3}


def read_places(page: Page, objective: tuple[int, int]) -> tuple[Place, ...]:
    """Return the places of the prompt, one :class:`Place` for each name.

    Those of the objective (its span is given) lead; where people merely sit or come from stands last; then the more
    specific, the more often named and the earlier named come first.
    """
    known = [k for _, k in zip(range(MOST_FACTS), find_known(page.text), strict=False)]
    home = home_country(known, objective)
    places = [_place(page, k, home, known) for k in known]
    places += [p for p in _own(page, known, home) if p.name not in {k.name for k in known}]
    counts = Counter(place.name for place in places)

    def order(place: Place) -> tuple[object, ...]:
        aimed_at = objective[0] <= place.start < objective[1]
        # In "based in Berlin, Germany" the country is as much aside as the city.
        said = _CITY_BEFORE.sub("", page.text[max(0, place.start - 80) : place.start])
        aside = bool(_PLACED.search(said))
        return not aimed_at, aside, _RANK[place.kind], -counts[place.name], place.start

    first: dict[str, Place] = {}
    for place in sorted(places, key=order):
        first.setdefault(place.name, place)
    return tuple(list(first.values())[:MOST_FACTS])


def home_country(known: list[Known], objective: tuple[int, int]) -> str | None:
    """Return the country that most of the *known* names speak for; one in the objective counts three times."""
    votes: Counter[str] = Counter()
    for name in known:
        if name.codes:
            weight = 3 if objective[0] <= name.start < objective[1] else 1
            votes[name.codes[0]] += weight * (1 if len(name.codes) > 1 else 2)
    return max(votes, key=lambda code: votes[code]) if votes else None


def _place(page: Page, known: Known, home: str | None, all_known: list[Known]) -> Place:
    said = {k.codes[0] for k in all_known if k.kind != "city" and k.codes}
    code = next((c for c in known.codes if c in said), None) or (home if home in known.codes else None)
    code = code or (known.codes[0] if known.codes else None)
    return Place(**page.span(known.start, known.end), name=known.name, kind=known.kind, country=code)


def _own(page: Page, known: list[Known], home: str | None) -> Iterator[Place]:
    """Yield the places that the prompt marks: Alfama quarter, Turkana county, village of X, X in front of a country."""
    for found in _TYPED.finditer(page.text):
        kind: Kind = "region" if re.fullmatch(_AREAS, found["type"].lower()) else "site"
        yield from _typed(page, found, kind, home)
    for found in _OF.finditer(page.text):
        kind = "city" if found["type"].lower() in {"municipality", "city", "town", "village", "commune"} else "region"
        yield Place(**page.span(*found.span("name")), name=found["name"], kind=kind, country=home)
    for country in known:
        before = _BY_COUNTRY.search(page.text, max(0, country.start - 60), country.start)
        inside = before and any(before.start("name") <= k.start < before.end("name") for k in known)
        if before and not inside and country.kind != "city" and country.codes:
            yield Place(**page.span(*before.span("name")), name=before["name"], kind="city", country=country.codes[0])


def _typed(page: Page, found: re.Match[str], kind: Kind, home: str | None) -> Iterator[Place]:
    """Yield the places of "Turkana and Marsabit counties", "the Alfama quarter", "the Aletsch glacier"."""
    at, capital = found.start("names"), found["type"][0].isupper()
    pieces = _LIST.split(found["names"])
    for said in pieces:
        piece = said
        start = page.text.index(piece, at)
        at = end = start + len(piece)
        first = piece.split()[0]
        if start == page.sentence_at(start).start and first.lower() in KNOWN and first != piece:
            # "Clean Roskilde Fjord": the order is no part of the name.
            piece, start = piece[len(first) + 1 :], start + len(first) + 1
        plain = first.lower() in STOP_WORDS or piece.isupper() or (not capital and _DEMONYM.search(piece))
        if plain:
            continue
        name = piece
        if said is pieces[-1] and (capital or not _LOCAL.fullmatch(found["type"].lower())):
            name, end = f"{piece} {found['type']}", found.end()
        yield Place(**page.span(start, end), name=name, kind=kind, country=home)
