"""The forms in which a language writes dates with words, as patterns, each with the function that reads it."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from planloom.planes.strategic.facts import dates_periods as periods
from planloom.planes.strategic.facts import dates_table as table
from planloom.planes.strategic.facts import numbers_table
from planloom.planes.strategic.facts.dates_periods import InYear, Period
from planloom.planes.strategic.facts.language import COMMON
from planloom.planes.strategic.facts.spans import fold


@dataclass(frozen=True, slots=True)
class Dated:
    """A date at a span of the text: what it is in a year, and the year, None where the text names none."""

    start: int
    end: int
    in_year: InYear
    year: int | None
    other: Period | None = None
    #: A bare year or month, which an amount or a better date at the same place outweighs.
    weak: bool = False


Reader = Callable[[re.Match[str], "Words"], Iterator[Dated]]


@dataclass(frozen=True, slots=True)
class Words:
    """What one language calls months; ``southern``: which half of the globe seasons are of."""

    months: dict[str, int]
    southern: bool = False

    def month(self, name: str) -> int:
        """Return the number of a month by its name, in one of its forms: the longest known beginning decides."""
        key = fold(name)
        return next((self.months[key[:end]] for end in range(len(key), 0, -1) if key[:end] in self.months), 1)


_YEAR = r"(?P<year>(?:19|20|21)\d\d|(?<=')\d\d)(?!\d|[.,]\d)"
_DAY = r"(?:3[01]|[12]\d|0?[1-9])"
_NTH = r"(?:st|nd|rd|th|er|e|º|ª|°|\.|:a|-?го|-?е)?"
_OF = r"(?:\s?[-.]\s?|\s+(?:(?:of|de|del|di|d'|dne)\s?)?|,\s?)"
_OF_YEAR = r"\.?(?:,?\s+(?:(?:of|de|del|do|lui|του|năm|anno|พ\.ศ\.|ค\.ศ\.|सन)\s)?'?|\s?[,/.-]\s?'?)"
_TO = r"\s?(?:-|~)\s?|\.?\s(?:to|until|and|bis|und|til|till|al|au|a|à|et|e|y|og|och|en|tot|do|i|до|по|и)\s"
#: Years of the Thai calendar minus those of the Gregorian calendar.
_BUDDHIST = 543


@cache
def forms(language: str) -> tuple[tuple[re.Pattern[str], Reader], ...]:
    """Return the forms of *language*, the most specific first."""
    listed = [*_month_forms(language), *_period_forms(language), *_bare_forms(language)]
    # Buddhist years
    years = "(?:19|20|21|25)" if language == "th" else "(?:19|20|21)"
    patterns = ((pattern.replace("(?:19|20|21)", years), reader) for pattern, reader in listed)
    return tuple((re.compile(pattern, re.IGNORECASE), reader) for pattern, reader in patterns)


def _month_forms(language: str) -> Iterator[tuple[str, Reader]]:
    month = _month(language)
    named, prefix = rf"(?P<month>{month})(?!\w)", "ב?" if language == "he" else ""
    if language == "hu":
        yield (
            rf"(?<!\w){_YEAR}\.?\s{named}(?:\.?\s(?P<day>{_DAY})(?:(?:-|\.-)(?P<last>{_DAY}))?\b)?{_behind(language)}",
            _day_of_month,
        )
        yield rf"(?<!\w){named}\.?\s(?P<day>{_DAY})(?P<last>)\.(?P<year>)", _day_of_month
    if language in ("en", "id"):
        yield (
            rf"(?<!\w){named}\.?\s(?P<day>{_DAY})(?:st|nd|rd|th)?\b(?!\s?%|[.,:]?\d|\s?(?:am|pm)\b)"
            rf"(?:(?:{_TO})(?P<last>{_DAY})(?:st|nd|rd|th)?\b(?!\d))?(?:,?\s{_YEAR})?",
            _day_of_month,
        )
    yield (
        rf"(?<![\w.,/])(?<!\d:)(?P<day>{_DAY}){_NTH}(?:(?:{_TO})(?P<last>{_DAY}){_NTH})?{_OF}{prefix}{named}"
        rf"(?:{_OF_YEAR}{_YEAR})?",
        _day_of_month,
    )
    yield rf"(?:{_part(language)}[\s-](?:the\s)?)?(?<!\w)(?P<year>(?:20|21)\d\d)[-/]{named}(?![-/])", _month_of_year
    yield rf"(?:{_part(language)}[\s-](?:the\s)?)?(?<!\w){named}{_OF_YEAR}{_YEAR}{_behind(language)}", _month_of_year
    linked = rf"\s?-\s?|\s(?:{numbers_table.TO}|{numbers_table.AND})\s|,\s"
    yield (
        rf"(?<!\w)(?P<month>{month})\.?(?:{linked})(?P<second>{month})\b(?:{_OF_YEAR}{_YEAR})?",
        _two_months,
    )
    yield rf"{_part(language)}[\s-](?:the\s|month\sof\s|mois\sde\s)?{named}(?P<year>)", _month_of_year
    if behind := _behind(language, needed=True):
        yield rf"(?<!\w){named}{behind}(?P<year>)", _month_of_year


def _period_forms(language: str) -> Iterator[tuple[str, Reader]]:
    part, behind = rf"(?:{_part(language)}[\s-](?:the\s|of\s|des\s)?)?", _behind(language)
    nth = "|".join(f"(?P<n{n}>{words})" for n, words in enumerate(table.ORDINALS, 1))
    number = rf"(?:(?P<n>[1-4])(?:st|nd|rd|th|\.|er|º|ª|°|e|-?й|-м)?|(?P<roman>i{{1,3}}|iv)|{nth})"
    yield (
        rf"{part}(?<!\w)(?:[QTK](?P<q>[1-4])|(?P<q2>[1-4])[QTK]|{number}\s(?:{table.QUARTER}))"
        rf"(?:\s?/\s?|{_OF_YEAR}){_YEAR}",
        _quarter,
    )
    yield (
        r"(?<!\w)(?P<year>20\d\d)[\s年년]?-?\s?(?:Q|第|제)?(?P<q>[1-4一二三四])(?:季度|四半期|분기|(?<=Q\d)\b)",
        _quarter,
    )
    yield (
        rf"(?<!\w)(?:[HS](?P<q>[12])|(?P<q2>[12])H|{number}\s(?:{table.HALF_YEAR}))(?:\s?/\s?|{_OF_YEAR}){_YEAR}",
        _half,
    )
    if language in table.SEASONS:
        names = "|".join(f"(?P<s{n}>{words})" for n, words in enumerate(table.SEASONS[language]))
        yield rf"{part}(?<!\w)(?:{names})(?:{_OF_YEAR}|\s){_YEAR}{behind}", _season
        yield rf"(?<!\w)(?P<year>20\d\d)年?\s?(?:년\s)?(?:{names})", _season


def _bare_forms(language: str) -> Iterator[tuple[str, Reader]]:
    done = _done(language)
    lead, until = table.LEADS.get(language, ""), r"(?:\s?[-/]\s?(?P<until>(?:20|21)\d\d|\d\d(?!\d)))?"
    the_year = rf"(?:(?:of|des|de|del|d'|l'|do|lui|der|the)?\s?(?:{table.YEAR_BEFORE})\s)?"
    if table.PARTS.get(language):
        yield rf"{_part(language)}[\s-](?:the\s|of\s)?{the_year}{_YEAR}(?!\s?(?:[€$£%]|[A-Z]{{3}}\b))", _year
    yield rf"(?<![\w.,/-])(?P<year>(?:19|20|21)\d\d)\s?(?:{table.YEAR_BEHIND}){_behind(language)}", _year
    yield rf"(?<!\w)(?:{table.YEAR_BEFORE})\s?(?P<lead>){_YEAR}{until}(?!\w)", _year
    if lead:
        not_range = rf"(?!\s?(?:-|\s(?:{numbers_table.TO}|{numbers_table.AND})\s)\s?(?!(?:19|20|21)\d\d\b)[\d.,]+)"
        yield (
            rf"(?<!\w)(?:{lead})\s(?:the\s|around\s|about\s|etwa\s|circa\s)?(?P<lead>){_YEAR}{until}{not_range}{done}",
            _year,
        )
        yield (
            rf"(?<!\w)(?:{lead})\s(?:the\s)?(?P<lead>)(?P<month>{_month(language)})(?P<year>)(?!\s(?:each|every)){done}",
            _lone_month,
        )


def _done(language: str) -> str:
    """Return what follows a bare month or year: a noun there would be counted or named by it."""
    words = table.FOLLOWS if language == "en" else COMMON.get(language, "")
    return rf"(?=\s*(?:[.,;:!?)\]\"'。、，-]|$)|\s+(?:{'|'.join(words.split())})\b|\n)" if words else r"(?!\w)"


def _part(language: str) -> str:
    end, mid, early = table.PARTS.get(language, ("(?!)", "(?!)", "(?!)"))
    late = "late" if language == "en" else "(?!)"
    return rf"(?<!\w)(?:(?P<end>{end})|(?P<mid>{mid})|(?P<early>{early})|(?P<late>{late}))"


def _behind(language: str, *, needed: bool = False) -> str:
    if language not in table.PARTS_BEHIND:
        return ""
    end, mid, early = table.PARTS_BEHIND[language]
    edge = "" if language in ("ja", "zh", "ko") else r"(?!\w)"
    found = rf"\s?(?:ayı\s|kuun\s)?(?:(?P<bend>{end})|(?P<bmid>{mid})|(?P<bearly>{early})){edge}"
    return found if needed else f"(?:{found})?"


@cache
def month_names(language: str) -> dict[str, int]:
    """Return month number by name in *language* and in English, small letters, abbreviations without their dot."""
    from babel import Locale

    names = _ENGLISH | table.MORE_MONTHS.get(language, {})
    contexts = ["format", *(["stand-alone"] if language in table.INFLECTED else [])]
    for context in contexts:
        for width in ("wide", "abbreviated"):
            for number, name in Locale.parse(language).months[context][width].items():
                key = fold(str(name).rstrip("."))
                # stand-alone forms of a language without its own are those of another that was loaded before
                if language == "vi" or not any(c.isdigit() for c in key):
                    names.setdefault(key, number)
    return names


_WIDE = "january february march april may june july august september october november december"
_ENGLISH = {name[:length]: n for n, name in enumerate(_WIDE.split(), 1) for length in (3, len(name))} | {"sept": 9}


@cache
def _month(language: str) -> str:
    names = month_names(language)
    words = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
    if language not in table.INFLECTED:
        return words
    stems = "|".join(sorted((re.escape(n) for n in names if len(n) > 2), key=len, reverse=True))
    return rf"(?:(?:{words})(?!\w)|(?:{stems})\w{{1,5}}(?!\w))"


def _year_of(found: re.Match[str]) -> int | None:
    if not found["year"]:
        return None
    year = int(found["year"])
    return year + 2000 if year < 100 else year - _BUDDHIST if year > 2500 else year


def _part_of(found: re.Match[str]) -> str:
    groups = found.groupdict()
    names = ("end", "mid", "early", "late")
    return next((name for name in names if groups.get(name) or groups.get(f"b{name}")), "")


def _dated(found: re.Match[str], whole: Callable[[int], Period], *, weak: bool = False) -> Dated:
    """Return the part that is named of the period that *whole* gives for a year; what leads to it is left out."""
    part = _part_of(found)
    start = found.start("lead") if "lead" in found.groupdict() else found.start()
    return Dated(start, found.end(), lambda year: periods.part_of(whole(year), part), _year_of(found), weak=weak)


def _day_of_month(found: re.Match[str], words: Words) -> Iterator[Dated]:
    """1 May 2027, May 1, 4-6 June 2027, 2028. május 3."""
    month = words.month(found["month"])
    if not found["day"]:
        yield from _month_of_year(found, words)
        return
    day, last = int(found["day"]), int(found["last"]) if found["last"] else None
    # they may 12 times march: not the months
    if found["year"] or found.start("day") < found.start("month") or found["month"] not in ("may", "march", "mar"):
        yield Dated(found.start(), found.end(), lambda year: periods.day(year, month, day, last), _year_of(found))


def _month_of_year(found: re.Match[str], words: Words, *, weak: bool = False) -> Iterator[Dated]:
    """May 2027, end of May 2027, mid-May."""
    month = words.month(found["month"])
    yield _dated(found, lambda year: periods.months(year, month, month), weak=weak)


def _lone_month(found: re.Match[str], words: Words) -> Iterator[Dated]:
    """By May: the next one."""
    if found["month"][0].isupper() or fold(found["month"]) not in _ENGLISH:
        yield from _month_of_year(found, words, weak=True)


def _two_months(found: re.Match[str], words: Words) -> Iterator[Dated]:
    """March to June 2028, whose first month has the year of the second."""
    first, second, year = words.month(found["month"]), words.month(found["second"]), _year_of(found)
    if year is None and found["month"].islower() and found["month"] in _ENGLISH:
        return
    before = None if year is None else year - (second < first)
    yield Dated(*found.span("month"), lambda y: periods.months(y, first, first), before)
    yield Dated(found.start("second"), found.end(), lambda y: periods.months(y, second, second), year)


def _number_of(found: re.Match[str]) -> int:
    groups = found.groupdict()
    number = groups.get("q") or groups.get("q2") or groups.get("n")
    if number:
        return "一二三四".index(number) + 1 if number in "一二三四" else int(number)
    if groups.get("roman"):
        return len(number) if (number := fold(groups["roman"])) != "iv" else 4
    return next(n for n in range(1, 5) if groups.get(f"n{n}"))


def _quarter(found: re.Match[str], _: Words) -> Iterator[Dated]:
    """Q3 2027, 2027-Q3, third quarter of 2027."""
    last = 3 * _number_of(found)
    yield _dated(found, lambda year: periods.months(year, last - 2, last))


def _half(found: re.Match[str], _: Words) -> Iterator[Dated]:
    """H1 2027, second half of 2027."""
    last = 6 * _number_of(found)
    if last <= 12:
        yield _dated(found, lambda year: periods.months(year, last - 5, last))


def _season(found: re.Match[str], words: Words) -> Iterator[Dated]:
    """Spring 2027."""
    n = next(n for n in range(4) if found[f"s{n}"])
    yield _dated(found, lambda year: periods.season(year, n, southern=words.southern))


def _year(found: re.Match[str], _: Words) -> Iterator[Dated]:
    """2027 in "in 2027", end of 2027, in 2027-2028, année 2028."""
    until, first = found.groupdict().get("until") or "", _year_of(found) or 0
    last = max(first, int(str(first)[: 4 - len(until)] + until))
    whole = Period(periods.months(first, 1, 12).earliest, periods.months(last, 1, 12).latest)
    yield _dated(found, lambda _: whole, weak=not _part_of(found))
