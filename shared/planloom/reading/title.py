"""Name the plan in title form, with its place, in ninety characters."""

import re

from planloom.domain.facts import Place

_MOST = 90
_SMALL = frozenset(
    {"a", "an", "the", "of", "in", "on", "at", "by", "for", "to", "from", "and", "or", "with", "that", "as", "into"}
    | {"km", "m", "cm", "mm", "ha", "kg", "kwh", "mwh", "m2", "m3", "km2", "via", "per", "than", "is", "nor", "vs"}
)
_ARTICLE = re.compile(r"^(?:a|an|the|my|our|their)\s+", re.IGNORECASE)
_LETS = re.compile(
    r"\s+(?:that|which)\s+(?:lets|allows|helps|enables|supports|connects|gives|teaches|trains|serves)\s+", re.IGNORECASE
)
_USERS = re.compile(
    r"(?:[^\W\d_][\w'-]*\s+){0,3}?[^\W\d_][\w'-]*s\b(?:\s+(?:in|from|of)\s+(?:[a-z]+\s+)?[A-Z][\w'-]*)?"
)
_PART = re.compile(r"([\w'’]+)")
_TAIL = re.compile(r"\s+(?:that|which|where|to|so)\s+.*$")


def title_of(subject: str, places: tuple[Place, ...]) -> str:
    """Return *subject* in title form, and "in <place>" where it does not name the place itself."""
    name = _for_users(_ARTICLE.sub("", subject.strip()))
    where = next((p for p in places if p.kind == "city"), places[0] if places else None)
    if len(name) > _MOST - 12:
        name = _TAIL.sub("", name)
    title = _cased(_fit(name, _MOST))
    if where is None or where.name.lower() in title.lower() or _names_any(title, places):
        return title
    ending = f" {'on' if _on(where) else 'in'} {_articled(where)}"
    return title + ending if len(title) + len(ending) <= _MOST else title


def _names_any(title: str, places: tuple[Place, ...]) -> bool:
    return any(place.name.lower() in title.lower() for place in places)


def _on(place: Place) -> bool:
    return place.name.lower().endswith(("waterfront", "street", "island", "coast", "moon", "mars", "road"))


def _articled(place: Place) -> str:
    article = place.kind == "site" and place.text.lower().startswith("the ")
    return f"the {place.name}" if article else place.name


def _for_users(name: str) -> str:
    """Turn "app that lets nurses in Kenya record visits" into "app for nurses in Kenya"."""
    found = _LETS.search(name)
    users = _USERS.match(name, found.end()) if found else None
    return f"{name[: found.start()]} for {users.group()}" if found and users else name


def _cased(name: str) -> str:
    words = name.split()
    cased = [
        w if i and w.lower() in _SMALL else _PART.sub(lambda m: _capital(m.group()), w) for i, w in enumerate(words)
    ]
    return " ".join(cased) or "Untitled Plan"


def _capital(word: str) -> str:
    return word if any(c.isupper() or c.isdigit() for c in word) else word[:1].upper() + word[1:]


def _fit(name: str, most: int) -> str:
    name = " ".join(name.split()).rstrip(".!?:;, ")
    return name if len(name) <= most else name[: most + 1].rsplit(" ", 1)[0][:most].rstrip(" ,;:")
