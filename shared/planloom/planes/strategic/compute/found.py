"""Write findings, and chances in words."""

import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from functools import cache
from importlib.resources import files
from itertools import chain
from math import isfinite
from string import Formatter
from typing import Any, Literal, TypeVar

from planloom.core.wording import amount_text, day_text
from planloom.planes.strategic.compute.computed import Finding
from planloom.planes.strategic.quality_score import Severity
from planloom.planes.strategic.spine.fields import title
from planloom.planes.strategic.spine.rows import Row

#: The largest number of findings in all, and of one check.
MOST = 80
MOST_OF_CHECK = 8

Verdict = Literal["holds", "likely", "at risk", "does not hold"]
#: The word for a chance from this share on.
VERDICTS: tuple[tuple[float, Verdict], ...] = ((0.8, "holds"), (0.5, "likely"), (0.2, "at risk"), (0, "does not hold"))

#: A row, or the name of what has no row, with what it says.
Place = tuple[Row | str, str]

V = TypeVar("V")

_RANK: dict[Severity, int] = {"high": 0, "medium": 1, "low": 2}
_WORD = re.compile(r"\w{4,}")


@cache
def _checks() -> Mapping[str, Mapping[str, Any]]:
    return tomllib.loads((files(__package__) / "checks.toml").read_text(encoding="utf-8"))


class _Words(Formatter):
    """Formats a value for readers: rows as ids, dates as days, and amounts by ``{name:money}``."""

    def __init__(self, currency: str) -> None:
        self._currency = currency

    def format_field(self, value: Any, format_spec: str) -> str:
        if format_spec == "money":
            return money_text(value, self._currency)
        if isinstance(value, Row):
            return named(value) if format_spec == "named" else value.id
        return day_text(value) if isinstance(value, date) and not format_spec else str(format(value, format_spec))


def money_text(amount: float, currency: str) -> str:
    """Return *amount* in *currency*; ``no stated amount`` where it is not finite."""
    return amount_text(amount, currency) if isfinite(amount) else "no stated amount"


def finding(
    check: str, *places: Place | Row | str, currency: str = "", severity: Severity | None = None, **values: Any
) -> Finding:
    """Return the finding of *check* at *places* (two or more), with the texts of checks.toml.

    A place without words has the next ones of the check's.
    """
    texts, words = _checks()[check], _Words(currency)
    rows = [place[0] if isinstance(place, tuple) else place for place in places]

    def said(template: str) -> str:
        return words.vformat(template, rows, values)

    own = map(said, texts.get("places", ()))
    pairs = [place if isinstance(place, tuple) else (place, next(own)) for place in places]
    ids = tuple(dict.fromkeys(row.id for row in rows if isinstance(row, Row)))
    named_places = tuple(f"{named(row) if isinstance(row, Row) else row}: {text}" for row, text in pairs)
    return Finding(
        id=f"{check}:{','.join(ids)}"[:160],
        check=check,
        severity=severity or texts["severity"],
        ids=ids,
        text=_cut(f"{said(texts['said'])} {'; '.join(named_places)}.", 600),
        places=named_places,
        advice=_cut(said(texts["advice"]), 400),
    )


def all_of(*checks: Callable[[V], Iterator[Finding]]) -> Callable[[V], Iterator[Finding]]:
    """Return the function that yields what each of *checks* finds in a plan."""
    return lambda view: chain.from_iterable(check(view) for check in checks)


def named(row: Row) -> str:
    """Return id and title of *row*, as findings write it: ``P9 Tender the hall``."""
    return f"{row.id} {_cut(title(row), 80)}"


def ordered(found: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return the findings by severity, then id, without doubles: MOST_OF_CHECK of one check and MOST of all.

    The last one kept of a check says in its advice how many more there are.
    """
    rows = sorted({row.id: row for row in found}.values(), key=lambda row: (_RANK[row.severity], row.id))
    counts = Counter(row.check for row in rows)
    kept: list[Finding] = []
    seen: Counter[str] = Counter()
    for row in rows:
        seen[row.check] += 1
        if seen[row.check] < MOST_OF_CHECK:
            kept.append(row)
        elif seen[row.check] == MOST_OF_CHECK:
            kept.append(_counted(row, counts[row.check] - MOST_OF_CHECK))
    return tuple(kept[:MOST])


def _counted(row: Finding, more: int) -> Finding:
    said = f"{more} more of this check."
    return row.model_copy(update={"advice": f"{_cut(row.advice, 399 - len(said))} {said}".strip()}) if more else row


def content_words(text: str) -> frozenset[str]:
    """Return the words of *text* that have four letters or more, in lower case and without a plural s.

    Where a language does not space its words, two texts share none.
    """
    return frozenset(word.rstrip("s") for word in _WORD.findall(text.casefold()))


def chance_text(chance: float) -> str:
    """Return a chance as whole percents rounded to 5: no input is known more exactly."""
    if chance < 0.05:
        return "under 5%"
    return "over 95%" if chance > 0.95 else f"{5 * round(chance * 20)}%"


def verdict(chance: float) -> Verdict:
    """Return the one word for *chance*, as :func:`chance_text` prints it."""
    return next(word for least, word in VERDICTS if round(chance * 20) / 20 >= least)


def _cut(text: str, most: int) -> str:
    text = " ".join(text.split())
    return text if len(text) <= most else text[: most - 1].rsplit(" ", 1)[0] + "…"
