"""What rules read in a goal's text: the sentence that names the aim, a title, demands, other quantities."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Literal

from planloom.planes.strategic.facts.fact import Closure, Demand, Organisation, Quantity, Role, Spanned
from planloom.planes.strategic.facts.polarity import denies
from planloom.planes.strategic.facts.rules_page import MOST_FACTS, UNSPACED, Page
from planloom.planes.strategic.facts.spans import ReadSpans

#: Used for the thing that is made if no noun phrase names it.
NOTHING = "the project"
_LOOKED_AT = 12
#: A shorter phrase names no aim.
_FEW_WORDS = 3
_AIM = re.compile(
    r"\b(?:(?:want|wants|need|needs|plan|plans|would like|'d like|intends?|aims?|hopes?|decided|(?:am|are|is) going)"
    r"\s+to\s+|what\s(?:i|we)\s(?:want|need|would\slike)\sis\s(?:to\s)?|(?:goal|aim|objective|mission|task)(?:\s\w+){0,3}\s(?:is\sto|is:|:)\s+"
    r"|(?:programme|project|scheme|study|initiative|service|in\smind)\swould\s+(?!be\b)"
    r"|(?:museum|school|hospital|clinic|town|village|club|group|team|company|we|i)\b[^,.;]{0,30}?\s(?:want|need)s?\s+"
    r"(?=\w+\s(?:that|which|for)\b)"
    r"|(?:i|we)\s(?:have\sto|must|will)\s+|(?:i|we)\s(?:want|need)\s+(?=an?\s|the\s|our\s))(?!not\b|never\b)",
    re.IGNORECASE,
)
#: What names an aim where no sentence says that somebody wants to do something.
_WISH = re.compile(
    r"\b(?<!n't )(?<!not )(?:wants?|would like|'d like|asked (?:me )?(?:to|for)|need help|hope to)\b", re.I
)
_NOBODY = re.compile(r"\b(?:neither|nobody|no one|none)\b", re.IGNORECASE)
#: "Organise the festival": an order at the beginning of a goal in English.
ORDER = re.compile(r"(?:Please )?[A-Z][a-z]+ (?:out |up )?(?:an?|the|our|my|this|\d[\w-]*)\s")
_CUT = re.compile(
    r"[;:!?(](?!\d)|,\s|\s-\s|\s(?:so that|because|before|by|until|with a budget|which|who|while|when|if|and have)\s"
)
_THING = re.compile(
    r"(?:(?:[a-z-]+)(?:\s(?:up|out|and\s[a-z]+))?\s)?(?P<thing>(?:an?|the|our|my|this|\d[\w-]*)\s.{3,})"
)
_HEADING = re.compile(r"\s*(?:#+\s*)?(?P<name>[^\n]{3,90}?)[ \t]*\n\s*\S")
_MUST = re.compile(
    r"\b(?:must|shall|has to|have to|required|mandatory|muss|müssen|darf nicht|dürfen nicht|doit|doivent|debe|deben|"
    r"tiene que|tienen que|deve|devono|devem|tem que|moet|moeten|måste|skal|musi|muszą|должн\w+|повинн\w+|πρέπει|"
    r"harus)\b|zorunda|なければ",
    re.IGNORECASE,
)
_SHOULD = re.compile(
    r"\b(?:should|ought to|preferably|ideally|soll|sollen|sollte|devrait|debería|dovrebbe|bör|bør)\b", re.I
)
_BOUNDS: tuple[tuple[Literal["at_least", "at_most", "about"], re.Pattern[str]], ...] = (
    (
        "at_least",
        re.compile(r"(?:at least|no fewer than|no less than|minimum(?: of)?|mindestens|au moins|al menos)\s\Z", re.I),
    ),
    (
        "at_most",
        re.compile(r"(?:at most|no more than|not more than|up to|maximum(?: of)?|under|below|höchstens)\s\Z", re.I),
    ),
    ("about", re.compile(r"(?:about|around|roughly|some|etwa|rund|environ|unos|circa|ungefähr)\s\Z", re.I)),
)
_WORD = r"(?!(?:of|in|at|to|by|and|or|a|per|for|on|is|are|the|that|from|with|who|which|will|have|has)\b)[^\W\d_]{3,}"
_COUNTED = re.compile(
    r"[ -]?(?P<unit>%|km²|km|m²|m2|m³|m3|ha|kWp?|MWh?|GWh?|kWh|kg|tonnes?|tons?|litres?|hectares?|acres?|"
    r"metres?|miles?)(?![\w²³])"
    rf"|[ -](?P<noun>{_WORD}(?: {_WORD})?)",
)
_ORGANISATION = re.compile(
    r"(?<!\w)(?:[A-ZÀ-Þ][\w&'-]*\s){1,4}(?:Ltd|Limited|LLC|Inc|plc|GmbH|AG|S\.A\.|Foundation|University|Institute|College|"
    r"Hospital|Council|Authority|Agency|Commission|Association|Trust|Bank|Ministry|Department|Union|Society|Museum|Stiftung|"
    r"Verein|Fund)(?!\w)"
)
_NAMES = "january february march april may june july august september october november december"
_MONTHS = _NAMES.split()
_M = "|".join(_MONTHS)
_CLOSED = re.compile(
    r"\b(?:no (?:\w+ )?(?:work|works|construction|building|digging|drilling|piling)|closed|shut|"
    r"(?:must|may) not (?:work|build|start|disturb)|cannot (?:work|build)|impassable)\b[^.;:]{0,60}?"
    rf"\b(?:from|between|in|during)\s(?P<first>{_M})(?:\s(?:to|and|until|through|-)\s(?P<last>{_M}))?(?!\s\d)"
    rf"|\b(?P<only>{_M})\s(?:is|are|stays?)\s(?:closed|shut)\b",
    re.IGNORECASE,
)


def find_objective(page: Page) -> Spanned:
    """Return the first sentence with words of an aim, else the first sentence that says anything."""
    read = page.sentences[:_LOOKED_AT]
    if page.language == "en":
        orders = [s for s in read[:1] if ORDER.match(page.text, *s)]
        aims = [*orders, *(s for s in read if _AIM.search(page.text, *s))]
        aims = aims or [s for s in read if _WISH.search(page.text, *s) and not _NOBODY.search(page.text, *s)]
    else:
        aims = [s for s in read[:6] if page.has("aim", *s) and not page.text[s[0] : s[1]].endswith("?")]
        # a word of obligation, or of politeness, is in many sentences: one that says what is wanted comes first
        aims.sort(key=lambda s: not page.has("wish", *s))
        # "there shall be no speeches" limits an aim that another sentence names
        judged = not denies("", page.language)
        aims = [s for s in aims if page.has("wish", *s) or not (judged and denies(page.text[slice(*s)], page.language))]
    said = [s for s in read if len(page.text[s[0] : s[1]].split()) > 3 or page.language in UNSPACED]
    return Spanned(**page.span(*(aims or said or [page.sentences[0]])[0]))


def name_of(page: Page, objective: Spanned) -> tuple[str, str]:
    """Return title and subject: the heading or the words behind "want to", and their noun phrase."""
    text = page.text[objective.start : objective.end].replace("\n", " ")
    found = _AIM.search(text) if page.language == "en" else None
    if page.language not in UNSPACED:
        found = found or page.find("wish", objective.start, objective.end)
    at = found.end() - (objective.start if found.string == page.text else 0) if found else 0
    phrase = _clean(_CUT.split(text[at:], maxsplit=1)[0])
    if len(phrase.split()) < _FEW_WORDS:
        # "Good day, ...": a greeting is no title
        phrase = _clean(text)
    named = found or (ORDER.match(text) if page.language == "en" else None)
    thing = _THING.match(phrase[:1].lower() + phrase[1:]) if named else None
    heading = _HEADING.match(page.text)
    line = _clean(heading["name"]) if heading else ""
    headed = line and len(line.split()) <= 12 and line[-1:] not in ".!?:,;" and not page.has("aim", 0, len(line))
    title = line if headed else phrase[:1].upper() + phrase[1:]
    return _cut(title, 90) or "Untitled Plan", _cut(_clean(thing["thing"]), 120) if thing else NOTHING


def read_demands(page: Page) -> tuple[Demand, ...]:
    """Return the sentences that bind the plan."""
    return tuple(islice(_demands(page), MOST_FACTS))


def _demands(page: Page) -> Iterator[Demand]:
    for start, end in page.sentences:
        text = page.text[start:end]
        if _MUST.search(text) or _SHOULD.search(text):
            yield Demand(**page.span(start, end), strength="must" if _MUST.search(text) else "should")


def read_quantities(page: Page, people: tuple[Role, ...]) -> tuple[Quantity, ...]:
    """Return the numbers that are neither money, time nor persons, with the unit or the noun behind them."""
    read = ReadSpans(people)
    return tuple(
        q for n in page.numbers if not read.overlaps(n.start, n.end) if (q := _quantity(page, n.start, n.end, n))
    )


def _quantity(page: Page, start: int, end: int, number: object) -> Quantity | None:
    found = None if page.language in UNSPACED else _COUNTED.match(page.text, end)
    percent = getattr(number, "percent", False)
    if not percent and counts_nothing(page.text[start:end]):
        return None
    if found is None and not percent:
        return None
    bound = next((name for name, words in _BOUNDS if words.search(page.text, max(0, start - 20), start)), "exactly")
    return Quantity(
        **page.span(start, found.end() if found else end),
        low=getattr(number, "low", 0.0),
        high=getattr(number, "high", 0.0),
        unit="%" if percent else (found["unit"] or "")[:30] if found else "",
        noun=(found["noun"] or "")[:120] if found and not percent else "",
        bound=bound,
    )


def counts_nothing(number: str) -> bool:
    """Return whether *number* as written is a year without its date, or "one" as a pronoun: "each one"."""
    return re.fullmatch(r"(?:19|20)\d\d", number) is not None or number.lower() == "one"


def read_organisations(page: Page) -> tuple[Organisation, ...]:
    """Return the bodies whose name ends like one, each once."""
    found: dict[str, Organisation] = {}
    for match in islice(_ORGANISATION.finditer(page.text), MOST_FACTS):
        name = re.sub(r"^(?:The|A|An|Our|We|In|At|And|But|For|From)\s", "", match.group())
        if " " in name:
            found.setdefault(name, Organisation(**page.span(match.end() - len(name), match.end()), name=name))
    return tuple(found.values())


def read_closures(page: Page) -> tuple[Closure, ...]:
    """Return the months in which a goal in English says that no work is possible."""
    if page.language != "en":
        return ()
    made = []
    for match in islice(_CLOSED.finditer(page.text), MOST_FACTS):
        first = _MONTHS.index((match["first"] or match["only"]).lower())
        last = _MONTHS.index((match["last"] or match["first"] or match["only"]).lower())
        months = tuple((first + i) % 12 + 1 for i in range((last - first) % 12 + 1))
        made.append(Closure(**page.span(*match.span()), months=months))
    return tuple(made)


def _clean(text: str) -> str:
    return " ".join(text.split()).strip(" .,;:!#*_-")


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most + 1].rsplit(" ", 1)[0][:most].rstrip(" ,;:")
