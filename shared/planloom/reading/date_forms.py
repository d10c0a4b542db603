"""The forms of dates, as patterns, each with the function that reads it."""

import re
from collections.abc import Callable
from functools import cache

from planloom.reading import date_readings as read
from planloom.reading.date_readings import Today
from planloom.reading.periods import Period
from planloom.reading.tables.months import FEASTS, MONTHS, SEASONS
from planloom.reading.wording import any_of

Reader = Callable[[re.Match[str], Today], Period | None]

_M = "(?:" + "|".join(sorted(MONTHS, key=len, reverse=True)) + r")\b"
_MONTH = rf"(?P<month>{_M})(?:\.(?=\s?\d))?"
_Y = r"(?:19|20|21)\d\d(?!\d|[.,]\d)"
_YEAR = rf"(?P<year>{_Y})"
_D = r"(?:3[01]|[12]\d|0?[1-9])"
_DAY = rf"(?P<day>{_D})(?:st|nd|rd|th|er|º|\.)?"
_LAST = rf"(?P<last>{_D})(?:st|nd|rd|th|er|º|\.)?"
_TO = r"\s?(?:-|to|until|and|bis|til|al|au)\s?"
_OF = r"(?:\s(?:of\s|de\s|del\s)?|,\s?|\.\s?)"
_SEASON = rf"(?P<season>{any_of(' '.join(SEASONS))})"
_FEAST = rf"(?P<feast>{any_of(' '.join(k.replace(' ', '_') for k in sorted(FEASTS, key=len, reverse=True)))})"
_PARTS = any_of("""
    early mid late (?:the_)?(?:beginning|start|middle|end)_of anfang mitte ende
    (?:begyndelsen|starten|midten|slutningen|udgangen)_af (?:principios|mediados|finales|fines)_de début fin
""")
_PART = rf"(?:\b(?P<part>{_PARTS})[\s-](?:the\s)?)?"
#: What makes a date of a bare month or a bare year.
_LEAD = any_of("""
    by before until till from starting start(?:s|ing)?_in begin(?:s|ning)?_in since after in during bis ab seit
    inden launch(?:es|ing)?_in year
""")
#: What may follow a bare month or year: a noun there would be counted or named by it.
_DONE = (
    r"(?=\s*(?:[.,;:!?)\]—]|$|-\s)|\s+"
    + any_of("""
    and or to with we the for in at by on but so an? is are as from after when while if using under which that
    it our must should will through und och og y et unless because without then all at across into over until
    they i there where who these those both including only so
""")
    + r"\b)"
)
_FORMS: tuple[tuple[str, Reader], ...] = (
    (r"\b(?P<year>(?:19|20|21)\d\d)[-/](?P<month>\d\d|[a-z]{3,9})[-/](?P<day>\d\d)\b", read.iso),
    (
        r"(?<![\w.,/-])(?P<a>\d\d?)(?P<sep>[/.-])(?P<b>\d\d?)(?P=sep)(?P<year>(?:19|20|21)\d\d|(?<=/)\d\d)\b(?![/-]\d)",
        read.numeric,
    ),
    (rf"(?<![\w.,])(?<!\d:)(?P<day>{_D})(?:st|nd|rd|th|\.)?{_TO}{_LAST}{_OF}{_MONTH}(?:{_OF}{_YEAR})?", read.month_day),
    (rf"(?<![\w.,])(?<!\d:){_DAY}{_OF}{_MONTH}(?:{_OF}{_YEAR})?(?P<last>)", read.month_day),
    (rf"\b{_MONTH}\s{_DAY}\b(?!\s?%|[.,:]?\d|\s?(?:am|pm)\b)(?:{_TO}{_LAST}\b(?!\d))?(?:,?\s{_YEAR})?", read.month_day),
    (
        rf"\b(?:from|between|von|zwischen|fra|mellem|desde|entre)\s(?P<lead_end>)(?P<month>{_M})(?P<part>)"
        rf"(?={_TO}(?P<last>{_M}){_OF}{_YEAR})",
        read.month_before,
    ),
    (rf"\b(?P<first>{_M})\.?{_TO}{_MONTH}{_OF}{_YEAR}", read.month_range),
    (rf"{_PART}\b{_MONTH}{_OF}{_YEAR}", read.month_year),
    (
        rf"\b(?:Q(?P<q>[1-4])|(?P<word>first|second|third|fourth|last|[1-4](?:st|nd|rd|th))\squarter)"
        rf"(?:\s?/\s?|\sof\s|\s?-\s?|,?\s?){_YEAR}(?P<year2>)(?P<q2>)",
        read.quarter,
    ),
    (r"\b(?P<year2>20\d\d)\s?-?Q(?P<q2>[1-4])\b(?P<q>)(?P<year>)(?P<word>)", read.quarter),
    (rf"\b(?:H(?P<h>[12])|(?P<word>first|second)\shalf)(?:\sof\s|\s?/?\s?){_YEAR}", read.half),
    (rf"\b{_SEASON}{_OF}{_YEAR}", read.season),
    (rf"\b(?P<which>next|this|coming)\s{_SEASON}\b", read.season_next),
    (rf"\b{_FEAST}(?:{_OF}{_YEAR})?\b{_DONE}", read.feast),
    (rf"\b(?P<part>{_PARTS})[\s-](?:the\s)?{_YEAR}\b", read.year),
    (r"\b(?P<part>end)\sof\s(?:the|this|(?P<which>next))\s(?:calendar\s)?year\b", read.year_end),
    (r"\b(?P<which>next)\syear\b(?P<part>)", read.year_end),
    (
        rf"\b{_LEAD}\s(?:the\syear\s|around\s|about\s)?(?P<lead_end>){_YEAR}(?:\s?-\s?(?P<until>{_Y}))?\b(?P<part>){_DONE}",
        read.year,
    ),
    (
        rf"\b{_LEAD}\s(?P<lead_end>){_PART}{_MONTH}(?!{_TO}(?:the\s)?(?:{_PARTS}[\s-])?{_M})(?!\s(?:each|every)){_DONE}",
        read.month_alone,
    ),
)


@cache
def forms() -> tuple[tuple[re.Pattern[str], Reader], ...]:
    """Return the forms, the most telling first."""
    return tuple((re.compile(pattern, re.IGNORECASE), reader) for pattern, reader in _FORMS)
