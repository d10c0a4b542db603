"""Find organisations: names that end or begin like one, known acronyms, and names that the prompt introduces as one."""

import re
from collections.abc import Iterator

from planloom.domain.facts import Organisation
from planloom.reading.nouns import STOP_WORDS
from planloom.reading.page import MOST_FACTS, Page
from planloom.reading.tables.verbs import KNOWN
from planloom.reading.wording import any_of

_CAP = r"[^\W\d_a-zß-ÿ][\w'&-]*"
_RUN = rf"{_CAP}(?:\s(?:&\s)?{_CAP}){{0,4}}"
_SUFFIX = any_of("""
    Ltd Limited LLC Inc PLC plc GmbH AG KG SE S\\.A\\. SA S\\.L\\. SL SpA S\\.p\\.A\\. Srl BV B\\.V\\. NV A/S
    ApS AB Oy AS ASA Lda Corp Corporation Company Group Holdings Foundation University Institute College
    Hospital Council Authority Agency Commission Association Trust Bank Ministry Department Union Society
    Federation Museum Committee Consortium Cooperative Co-op Academy Laboratory Laboratories Fund Partners
    Airlines Railways Port_Authority Chamber_of_Commerce Board Network Alliance Stiftung Verein
    Kommune Region_Midtjylland Ayuntamiento
""")
_HEAD = any_of("""
    Organi[sz]ation University Institute Ministry Department Bank Municipality Government Church College Academy
    Museum Chamber Council Board Office Bureau Port Friends Society Association
""")
_ACRONYMS = any_of("""
    NHS WHO UNICEF UNESCO UNHCR UNDP WFP IMF OECD NATO FAO FDA EMA NASA ESA FAA EASA EPA USAID BBC IEEE WWF MSF
    ICRC IOM GIZ DFID EIB EBRD CERN NIH NSF DFG ERC JAXA ISRO FIFA UEFA IOC CIA NSA FBI ISO IEC WTO
""")
_BY_SHAPE = re.compile(
    rf"(?<![\w])(?P<suffixed>{_RUN}\s(?:{_SUFFIX}))(?![\w'&-]*\s(?:Act|Bill|Law|Agreement)\b)(?=\W|$)"
    rf"|(?<![\w])(?P<headed>(?:{_CAP}\s){{0,2}}{_HEAD}\s(?:of|for)\s(?:the\s)?{_CAP}(?:\s(?:and\s)?{_CAP}){{0,3}})"
    rf"|(?<!\w)(?P<abroad>(?:Universität|Hochschule|Universidad|Université|Università)\s(?:(?:de|di|of)\s)?{_CAP})"
    rf"|(?<![\w-])(?P<acronym>{_ACRONYMS})(?![\w-])"
)
#: "the municipality of Aalborg": a body, although written small.
_SMALL = re.compile(
    rf"\b(?P<name>(?i:municipality|(?:city|town)\scouncil|parish|diocese|university|ministry)\sof\s{_CAP}(?:\s{_CAP}){{0,2}})"
)
_CUE = any_of("""
    partner supplier client customer vendor contractor funder sponsor company firm charity start-?up bank NGO
    non-profit nonprofit employer landlord brand publisher retailer manufacturer broker insurer cooperative
""")
_INTRODUCED = re.compile(
    rf"\b(?:{_CUE}),?\s(?:(?:called|named|is|are|will\sbe|such\sas|like)\s)?[\"']?(?P<name>{_CAP}(?:\s{_CAP}){{0,3}})"
    rf"|\b(?:called|named)\s[\"'](?P<quoted>{_CAP}(?:\s[\w&'-]+){{0,4}}?)[\"']"
)
_OPENERS = """
The A An Our We I This Each Every No All Any Both If In At On For It Its My Their By With When January February March
April May June July August September October November December Monday Friday Sunday Board Council Department
"""
#: Capitals that make no name.
_NO_NAMES = frozenset(_OPENERS.split())


def read_organisations(page: Page) -> tuple[Organisation, ...]:
    """Return the organisations of the prompt, each name once, in order of appearance.

    A capital at the beginning of a sentence makes no name; laws and programmes are none.
    """
    found: dict[str, Organisation] = {}
    for first, last in sorted(_spans(page.text)):
        start, end = _without_owner(page.text, _without_lead(page, first, last), last)
        end -= page.text[start:end].endswith("'")
        name = " ".join(page.text[start:end].split())
        if len(name) > 2 and name not in _NO_NAMES and len(found) < MOST_FACTS:
            found.setdefault(name, Organisation(**page.span(start, end), name=name))
    names = sorted(found, key=len, reverse=True)
    # "Institute" within "Danish Institute of Health" is no second body.
    return tuple(o for name, o in found.items() if not any(name != other and name in other for other in names))


def _spans(text: str) -> Iterator[tuple[int, int]]:
    for pattern in (_BY_SHAPE, _SMALL, _INTRODUCED):
        for found in pattern.finditer(text):
            span = next((found.span(name) for name, value in found.groupdict().items() if value), None)
            if span:
                yield span


def _without_lead(page: Page, start: int, end: int) -> int:
    """Return where the name begins after articles and sentence openers that only look like names."""
    while True:
        word = re.match(r"(\S+)\s+", page.text[start:end])
        if not word:
            return start
        first = start == page.sentence_at(start).start
        opener = word.group(1) in _NO_NAMES or (first and word.group(1).lower() in STOP_WORDS | KNOWN)
        if not opener:
            return start
        start += word.end()


def _without_owner(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span of the body in "Israel's Defence Ministry", of the owner in "Bonn Hospital's Department"."""
    owner = re.match(r"(.+?)'s\s", text[start:end])
    if owner is None:
        return start, end
    after = start + owner.end()
    return (after, end) if len(text[after:end].split()) > 1 else (start, start + owner.end(1))
