"""Lengths of time in a text: 18 months, 6 to 8 weeks, 18-month, within a year, two years and six months."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

from planloom.planes.strategic.facts import numbers, numbers_table
from planloom.planes.strategic.facts.spans import MOST_READ, in_order, plain

Unit = Literal["hours", "days", "weeks", "months", "years"]


@dataclass(frozen=True, slots=True)
class Duration:
    """A length of time, or a range, at ``text[start:end]``, both ends in ``unit``."""

    start: int
    end: int
    low: float
    high: float
    unit: Unit


#: How the units are written in the languages of planloom, with the endings that numbers ask for.
UNITS: dict[Unit, str] = {
    "hours": r"hours?|hrs?|stunden?|heures?|horas?|or[ae]|uur|uren|timm(?:e|ar)|timer?|tuntia?|godzin\w?|hodin\w?"
    r"|ór[aá]\w*"
    r"|saat|jam|giờ|час(?:а|ов)?|годин\w?|ώρ\w+|時間|小时|小時|시간|ساع(?:ة|ات)|שעות|घंटे|ชั่วโมง",
    "days": r"days?|tag(?:en?|es)?|jours?|d[ií]as?|giorn[oi]|dag(?:en|ar|e)?|dnů|dní|dni|dzień|dn[ey]|päivä\w*|nap(?:on"
    r"|ig)?|zile|gün"
    r"|hari|ngày|день|дн(?:я|ей|ів|і)|ημέρ\w+|μέρ\w+|日間|日(?=以内)|天|일(?: ?(?:간|이내))?|أيام|يوما?|ימים|दिन\w*|วัน"
    r"|días hábiles",
    "weeks": r"weeks?|wks?|wochen?|semaines?|semanas?|settiman[ae]|wek(?:en)?|veck(?:a|or)|ug(?:e|er)|uk(?:e|er)"
    r"|viikko\w*"
    r"|tygodni\w*|tydzień|týdn[yů]\w?|týden|hét|hetet|săptămâni|hafta|minggu|tuần|недел\w+|тижн\w+|εβδομάδ\w+|週間|週"
    r"|周|星期|주(?: ?간)?"
    r"|أسابيع|أسبوعا?|שבועות|सप्ताह|हफ़्ते|สัปดาห์",
    "months": r"months?|mos?|monat(?:en?|s)?|mois|m[eê]s(?:es|i|e)?|maand(?:en)?|månad(?:er)?|måned(?:er)?|kuukau\w+|kk"
    r"|miesi[ąę]c\w*"
    r"|měsíc\w*|hónap\w*|lun[iăa]|ay(?:lık|da)?|bulan|tháng|месяц\w{0,2}|мес\.?|місяц\w{0,3}|μήν\w+|[かヶケカ箇]月間?"
    r"|[個个]月|개월|달"
    r"|أشهر|شهرا?|חודשים|महीन[ेाों]*|माह|เดือน",
    "years": r"years?|yrs?|jahr(?:en?|es)?|ans|(?<=un )an|années?|años?|anos?|ann[oi]|jaar|jaren|år|vuo(?:tta"
    r"|den|si)|lata?|let"
    r"|rok[uy]?|év(?:es|ig|en)?"
    r"|ani|yıl(?:lık|da)?|tahun|năm|года?|лет|рок(?:у|и|ів)|έτ(?:η|ος)|χρόνια|年間|年(?![\d度])|년(?: ?간)?|سن(?:ة|وات)"
    r"|عاما?|أعوام"
    r"|שנים|वर्ष|साल|ปี",
}
#: Words for several units at once.
_MULTIPLES: dict[str, tuple[float, Unit]] = {
    r"fortnights?": (2.0, "weeks"),
    r"decades?|jahrzehnten?|décennies?|décadas?": (10.0, "years"),
    r"quarters|trimestres|quartale": (3.0, "months"),
    r"semesters?|semestres": (6.0, "months"),
}
_BETWEEN = (
    r"(?:(?:working|business|calendar|full|consecutive|more|whole|school|volle|weitere|werk|ganze|kalendarn\w+"
    r"|pracovn\w+"
    r"|календарн\w+|рабоч\w+|ганз)\s)?"
)
# Recurrences and ages are no lengths: a 100-year storm, a 12-year-old, 5 hours a day.
_NOT_AFTER = (
    r"(?![\s-](?:old|olds|storm|flood|floods|return|event|anniversary|rain\w*|alt|ago)\b|[\s-]of[\s-]age\b"
    r"|\s(?:a|per|each|every|pro|par|por|al|om)\s(?:day|week|month|year|tag|woche|jour|semaine|día|semana|giorno"
    r"|dagen)\b|/\w)"
)
#: Behind these words an article is a number: within a year, innerhalb eines Jahres, dans un an.
_ONE = re.compile(
    r"(?<!\w)(?:within|over|in|for|than|takes?|about|lasts?|after|roughly|around|nearly|under|innerhalb|binnen"
    r"|nach|dauert"
    r"|dans|en|pendant|sous|après|durante|tras|dentro de|entro|dopo|em|após|inom|efter|inden for|innen"
    r"|i løbet af|в течение"
    r"|через|за|протягом|do|během|w ciągu)\s(?:just\s|weniger als\s)?(?P<body>(?P<half>half an?|(?:einem |ein )?halben?"
    r"|medio|mezzo|meio|un demi|een half|et halvt|ett halvt|pół|půl|пол)"
    r"|(?:an?|one|ein(?:e[rsmn]?)?|une?|uno|una|um|uma|een|één|en|et|ett)(?:\s(?:single|whole|full|calendar|school))?)"
    r"(?=[\s-])",
    re.IGNORECASE,
)
#: How many of the smaller unit a larger one has, where the two are named as one length.
_IN_SMALLER: dict[tuple[Unit, Unit], float] = {("years", "months"): 12, ("weeks", "days"): 7, ("days", "hours"): 24}
_JOINED = re.compile(rf",?\s(?:(?:{numbers_table.AND})\s)?", re.IGNORECASE)
#: Two years and a half, deux ans et demi.
_HALF = re.compile(numbers_table.HALF, re.IGNORECASE)
_MOST = 1e5


def find_durations(text: str, language: str, country: str | None = None) -> tuple[Duration, ...]:
    """Return the lengths of time in *text*, in order and without overlaps; rates and ages are none."""
    found = [*_counted(text[:MOST_READ], language, country), *_single(plain(text[:MOST_READ]))]
    return tuple(_joined(plain(text), in_order(found)))


def names_one(text: str, unit: Unit, language: str) -> bool:
    """Return whether *text* names *unit* as one, and no length in it: the last week, im ersten Jahr."""
    if any(found.unit == unit for found in find_durations(text, language)):
        return False
    text = plain(text[:MOST_READ])
    for found in re.finditer(r"(?<!\w)(?=\w)", text):
        named = _unit().match(text, found.start())
        if named and named.lastgroup == unit:
            # in English the plural is seen
            return language != "en" or not named.group().casefold().endswith("s")
    return False


def _counted(text: str, language: str, country: str | None) -> Iterator[Duration]:
    counted, text = numbers.tokens(text, language, country), plain(text)
    for low, high in numbers.ranges(text, counted):
        unit = _unit().match(text, high.end)
        if unit is None or (unit.lastgroup == "years" and high.value >= 1900 and not high.spelled):
            continue
        factor, name = _meant(str(unit.lastgroup))
        half = _HALF.match(text, unit.end())
        more, end = (factor / 2, half.end()) if half else (0.0, unit.end())
        bounds = numbers.lower_bound(low, high) * factor + more, high.value * factor + more
        if 0 < bounds[0] <= bounds[1] < _MOST:
            yield Duration(low.start, end, *bounds, name)


def _single(text: str) -> Iterator[Duration]:
    for found in _ONE.finditer(text):
        if unit := _unit().match(text, found.end()):
            factor, name = _meant(str(unit.lastgroup))
            value = factor / 2 if found["half"] else factor
            yield Duration(found.start("body"), unit.end(), value, value, name)


def _joined(text: str, found: tuple[Duration, ...]) -> Iterator[Duration]:
    """Yield *found* with two years and six months as one length."""
    waiting: Duration | None = None
    for each in found:
        if waiting is None:
            waiting = each
            continue
        factor = _IN_SMALLER.get((waiting.unit, each.unit))
        if factor and each.high < factor and _JOINED.fullmatch(text, waiting.end, each.start):
            low, high = waiting.low * factor + each.low, waiting.high * factor + each.high
            waiting = replace(each, start=waiting.start, low=low, high=high)
            continue
        yield waiting
        waiting = each
    if waiting is not None:
        yield waiting


def _meant(group: str) -> tuple[float, Unit]:
    if group.startswith("m_"):
        return list(_MULTIPLES.values())[int(group[2:])]
    return 1.0, group  # type: ignore[return-value]


@cache
def _unit() -> re.Pattern[str]:
    plain_units = "|".join(f"(?P<{unit}>{words})" for unit, words in UNITS.items())
    multiples = "|".join(f"(?P<m_{at}>{words})" for at, words in enumerate(_MULTIPLES))
    # scripts without spaces set nothing apart behind a unit
    edge = r"(?![A-Za-zÀ-ɏͰ-ϿЀ-ӿ]|-\w*\d)"
    return re.compile(rf"[\s-]?{_BETWEEN}(?:{plain_units}|{multiples}){edge}{_NOT_AFTER}", re.IGNORECASE)
