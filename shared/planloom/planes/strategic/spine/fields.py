"""What the fields of rows mean: the title of a row, the unit of each number, and values as readers see them."""

import re
import unicodedata
from collections.abc import Mapping
from datetime import date
from functools import cache

from pydantic import BaseModel

from planloom.core.wording import amount_text, day_text
from planloom.planes.strategic.spine import rows as r
from planloom.planes.strategic.spine.spine import TABLES

#: Letters of all tables.
LETTERS = "".join(letter for letter, _ in TABLES.values())
#: An id of a row as texts write it.
ID = re.compile(r"(?<![\w.-])[A-Z][1-9]\d{0,2}(?![\w-]|[.,]\d)")
#: A currency of one letter before its amount: R349, K2,000, P1.5 million.
_MONEY = re.compile(r"(?<!\w)([A-Z])(?:\d{3,}|\d{1,3}[ ,.]\d)")
#: Table by letter.
BY_LETTER: Mapping[str, str] = {letter: name for name, (letter, _) in TABLES.items()}

#: The unit of each number with one: money is in the currency of the frame, a share is printed as percent.
UNITS: Mapping[type[BaseModel], Mapping[str, str]] = {
    r.Frame: {"budget": "money"},
    r.Option: {"cost": "money", "days": "calendar days"},
    r.Gate: {"leaving_cost": "money"},
    r.Party: {"papers_days": "calendar days"},
    r.Approval: {**dict.fromkeys(("low", "likely", "high"), "calendar days"), "releases": "money"},
    r.Role: {"people": "FTE", "day_rate": "money"},
    r.Share: {"days": "person-days"},
    r.Need: {"lag": "working days"},
    r.Package: {**dict.fromkeys(("low", "likely", "high"), "working days"), "effort": "person-days"},
    r.Line: {"rate": "money"},
    r.Source: {"amount": "money"},
    r.Stream: {
        **dict.fromkeys(("price_low", "price", "price_high", "unit_cost"), "money"),
        "ramp_months": "months",
        "paid_after": "calendar days",
    },
    r.Upkeep: dict.fromkeys(("low", "likely", "high"), "money"),
    r.Risk: {
        **dict.fromkeys(("odds", "residual"), "share"),
        **dict.fromkeys(("days", "residual_days"), "calendar days"),
        "cost": "money",
    },
}
#: Low, likely and high of one value.
SPREADS: Mapping[type[BaseModel], tuple[tuple[str, str, str], ...]] = {
    **dict.fromkeys((r.Package, r.Approval, r.Upkeep), (("low", "likely", "high"),)),
    r.Stream: (("volume_low", "volume", "volume_high"), ("price_low", "price", "price_high")),
}
_TITLES = ("title", "name", "measure", "question", "event", "text")
_WORD = re.compile(r"\w+")
_JOINING = frozenset({"the", "an", "of", "and", "for", "to", "der", "die", "das", "und", "de", "la", "le", "et", "du"})


@cache
def title_field(kind: type[BaseModel]) -> str:
    """Return the name of the field with the title of a row of *kind*."""
    return next(name for name in _TITLES if name in kind.model_fields)


def currency_letters(goal: str) -> set[str]:
    """Return the letters with which *goal* writes amounts: behind them, digits are no ids."""
    return set(_MONEY.findall(goal))


def title(row: r.Row) -> str:
    """Return the title of *row*; its id if it has none."""
    return getattr(row, title_field(type(row))) or row.id


def words(text: str) -> list[str]:
    """Return the words of *text* without accents, in small letters, without articles and the like."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return [word for word in _WORD.findall(plain.casefold()) if word not in _JOINING]


def unit(model: BaseModel, field: str) -> str:
    """Return the unit of *field*: money, share, calendar days, ...; empty where it has none."""
    if isinstance(model, r.Package) and model.every_day and field in ("low", "likely", "high"):
        return "calendar days"
    if isinstance(model, r.Need) and model.calendar_days and field == "lag":
        return "calendar days"
    return UNITS.get(type(model), {}).get(field, "")


def value_text(model: BaseModel, field: str, currency: str) -> str:
    """Return a scalar field as readers see it: ``EUR 12,400``, ``4 May 2027``, ``12 working days``, ``20%``.

    Empty where nothing is known. References stay ids.
    """
    value = getattr(model, field)
    if isinstance(value, date):
        return day_text(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return number_text(value, unit(model, field), currency)
    return str(value or "").replace("_", " ") if field in ("kind", "basis", "status", "paid") else str(value or "")


def number_text(value: float, unit: str, currency: str) -> str:
    """Return *value* with its unit as readers see it."""
    if unit == "money":
        return amount_text(value, currency).strip()
    if unit == "share":
        return f"{value * 100:.3g}%"
    text = f"{value:,.10g}"
    return f"{text} {unit[:-1] if value == 1 and unit.endswith('s') else unit}" if unit else text
