"""What words of a goal can mean that no syntax reads: feasts that move with Easter, and shares such as a fifth.

A model states the value; these tables only decide whether the words allow it.
"""

import re
from collections.abc import Iterator
from datetime import date, timedelta

from dateutil.easter import EASTER_ORTHODOX, EASTER_WESTERN, easter

#: Days from Easter Sunday, first and last, that people mean by a name.
_FEASTS = (
    (-9, 1, r"holy week|semana santa|settimana santa|semaine sainte|karwoche|stille week|страстн\w+ недел\w+"),
    (-48, -46, r"carnival|carnaval|carnevale|karneval|fasching|fastnacht|mardi gras|ash wednesday"),
    (-2, -2, r"good friday|vendredi saint|viernes santo|sexta-feira santa|karfreitag|goede vrijdag"),
    (-3, 7, r"easter|pâques|pascua|páscoa|pasqua|ostern\w*|pasen|påsk\w*|påske\w*|wielkanoc\w*|пасх\w+"),
    (39, 39, r"ascension\w*|himmelfahrt\w*|hemelvaart\w*"),
    (48, 50, r"whitsun\w*|pentecost\w*|pentecôte|pfingst\w*|pinkster\w*|pinse\w*|pingst\w*"),
    (60, 60, r"corpus christi|fronleichnam|fête-dieu"),
)
_SHARES = (
    (1 / 2, r"half|la moitié|mitad|metade|metà|hälfte|helft|połow\w|половин\w|yarı\w*"),
    (1 / 3, r"a third|one third|un tiers|un tercio|um terço|un terzo|ein drittel|een derde"),
    (2 / 3, r"two[- ]thirds|deux tiers|dos tercios|dois terços|due terzi|zwei drittel"),
    (1 / 4, r"a quarter|one quarter|un quart|un cuarto|um quarto|un quarto|ein viertel|een kwart"),
    (3 / 4, r"three[- ]quarters|trois quarts|tres cuartos|três quartos|tre quarti|drei viertel"),
    (1 / 5, r"a fifth|one fifth|un cinquième|un quinto|um quinto|ein fünftel|een vijfde"),
    (1 / 10, r"a tenth|one tenth|un dixième|un décimo|um décimo|un decimo|ein zehntel|een tiende"),
)


def feast_allows(text: str, first: date, last: date) -> bool:
    """Return whether *text* names a feast by Easter, western or eastern, to which *first* to *last* belong."""
    return any(start <= first <= last <= end for year in {first.year, last.year} for start, end in _feasts(text, year))


def shares_named(text: str) -> list[float]:
    """Return the shares that *text* names in words, 0 to 1."""
    return [share for share, words in _SHARES if re.search(rf"\b(?:{words})\b", text, re.IGNORECASE)]


def _feasts(text: str, year: int) -> Iterator[tuple[date, date]]:
    for start, end, words in _FEASTS:
        if re.search(rf"\b(?:{words})\b", text, re.IGNORECASE):
            for method in (EASTER_WESTERN, EASTER_ORTHODOX):
                sunday = easter(year, method)
                yield sunday + timedelta(start), sunday + timedelta(end)
